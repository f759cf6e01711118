export { held, onDisk, type StreamBytes } from './bytes.ts';
export { PdfFile } from './file.ts';
export { openPdf, openPdfFile } from './open.ts';
export type { StreamData } from './file.ts';
export type { OpenOptions } from './open.ts';
export type { Appended, IncrementalOptions } from './incremental.ts';
export type { PdfObject } from './entries.ts';
export type { SaveOptions } from './write.ts';
