import { freezeIntrinsics } from '@platen/core/hardened';
import type { ConversionAnswer, ConversionOrder } from '../shared/convert/protocol.ts';
import { isKeepActive } from '../shared/hand-over/order.ts';
import { log, setLogLevel } from '../shared/log.ts';
import { endIfDiskIsFull, removeLeftovers } from '../shared/temporary-files.ts';
import { readConfig } from './config.ts';
import { fontConfiguration, webFontConfiguration } from './fonts.ts';
import { drawPostScript } from './ghostscript.ts';
import { OfficeGlyphs } from './glyphs.ts';
import { LibreOffice } from './libreoffice/engine.ts';
import { findInstallation } from './libreoffice/installation.ts';
import { serveOrder } from './serve.ts';
import { WebKit } from './webkit/engine.ts';

/**
 * The convert function. LibreOffice starts while Lambda initialises the function; WebKit starts with its
 * first document.
 */
const config = readConfig();
setLogLevel(config.logLevel);
removeLeftovers();

const { workDir, maxMemory, maxResultBytes, documentsPerProcess } = config;
const limits = {
  // Within Lambda's time for initialisation, and within the first conversion.
  startTimeout: config.timeout,
  maxMemory,
  documentsPerProcess,
  confinement: { required: config.confinementRequired, reads: [], writes: [] },
};
const officeFonts = fontConfiguration(workDir, findInstallation(config.soffice)?.printsColourFonts ?? true);
const office = new LibreOffice({
  ...limits,
  place: config.soffice,
  workDir,
  fontConfig: officeFonts,
  maxResultBytes,
});
const webkit = new WebKit({
  ...limits,
  workDir,
  fontConfig: () => webFontConfiguration(workDir),
  maxFileBytes: maxResultBytes,
});
const ghostscript = { ...config.ghostscript, workDir, confinement: limits.confinement };
// If LibreOffice does not start now, the first conversion tries again and reports the error.
office.warm().catch((error: unknown) => log.error('LibreOffice did not start', { error }));

const engines = {
  office,
  webkit,
  glyphs: new OfficeGlyphs(officeFonts.file, config.ghostscript.searchPath),
  ghostscript: {
    draw: (drawing: Parameters<typeof drawPostScript>[1]) => drawPostScript(ghostscript, drawing),
  },
};

freezeIntrinsics();
export async function handler(order: ConversionOrder): Promise<ConversionAnswer | Record<string, never>> {
  if (isKeepActive(order)) return {};
  const answer = await serveOrder(order, engines, config.timeout);
  if (!answer.ok) await endIfDiskIsFull();
  return answer;
}
