import type { ConversionAnswer, ConversionOrder } from '../shared/convert/protocol.ts';
import { log, setLogLevel } from '../shared/log.ts';
import { readConfig } from './config.ts';
import { fontConfiguration } from './fonts.ts';
import { LibreOffice } from './libreoffice/engine.ts';
import { printsColourFonts } from './libreoffice/installation.ts';
import { serveOrder } from './serve.ts';

/** The convert function: LibreOffice is started while Lambda initialises it. */
const config = readConfig();
setLogLevel(config.logLevel);

const office = new LibreOffice({
  place: config.soffice,
  workDir: config.workDir,
  fontConfig: fontConfiguration(config.workDir, printsColourFonts(config.soffice)),
  // Within what Lambda gives the initialisation, and the first conversion.
  startTimeout: config.timeout,
  maxMemory: config.maxMemory,
  maxResultBytes: config.maxResultBytes,
  documentsPerProcess: config.documentsPerProcess,
});
// One that does not start now is tried again by the first conversion, which reports it.
office.warm().catch((error: unknown) => log.error('LibreOffice did not start', { error }));

export const handler = (order: ConversionOrder): Promise<ConversionAnswer> =>
  serveOrder(order, office, config.timeout);
