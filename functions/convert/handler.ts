import type { ConversionAnswer, ConversionOrder } from '../shared/convert/protocol.ts';
import { log, setLogLevel } from '../shared/log.ts';
import { readConfig } from './config.ts';
import { fontConfiguration, webFontConfiguration } from './fonts.ts';
import { drawPostScript } from './ghostscript.ts';
import { OfficeGlyphs } from './glyphs.ts';
import { LibreOffice } from './libreoffice/engine.ts';
import { findInstallation } from './libreoffice/installation.ts';
import { serveOrder } from './serve.ts';
import { WebKit } from './webkit/engine.ts';

/** The convert function: LibreOffice is started while Lambda initialises it, WebKit by the first document for it. */
const config = readConfig();
setLogLevel(config.logLevel);

const { workDir, maxMemory, maxResultBytes, documentsPerProcess } = config;
const limits = {
  // Within what Lambda gives the initialisation, and the first conversion.
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
// One that does not start now is tried again by the first conversion, which reports it.
office.warm().catch((error: unknown) => log.error('LibreOffice did not start', { error }));

const engines = {
  office,
  webkit,
  glyphs: new OfficeGlyphs(officeFonts.file, config.ghostscript.searchPath),
  ghostscript: {
    draw: (drawing: Parameters<typeof drawPostScript>[1]) => drawPostScript(ghostscript, drawing),
  },
};

export const handler = (order: ConversionOrder): Promise<ConversionAnswer> =>
  serveOrder(order, engines, config.timeout);
