export type { StreamBytes } from './bytes.ts';
export { openPdf, openPdfFile, PdfFile } from './file.ts';
export type { OpenOptions, StreamData } from './file.ts';
export type { Appended, IncrementalOptions } from './incremental.ts';
export { openReadable, openSound } from './readable.ts';
export type { PdfObject } from './source.ts';
export type { SaveOptions } from './write.ts';
