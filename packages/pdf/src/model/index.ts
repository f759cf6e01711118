export { held, onDisk, type StreamBytes } from './bytes.ts';
export { PdfFile } from './file.ts';
export { openPdf, openPdfFile } from './open.ts';
export type { OpenOptions } from './open.ts';
export type { SaveOptions } from './write.ts';
