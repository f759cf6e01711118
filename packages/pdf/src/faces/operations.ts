/** Operations on whole files, in the thread for PDFs. */

export { type PdfInput, mayBePdf, notPdf } from '../files/engine.ts';
export { type DocumentInfo, pdfAttachments, pdfInfo, pdfText } from '../look/index.ts';
export { embedInPdf, extractFromPdf } from '../operations/factur-x.ts';
export { imagesOfPages, wantedFormat } from '../operations/images.ts';
export { checkMerge, inMergeOrder, mergePdfs } from '../operations/merge.ts';
export { editPdfMetadata } from '../operations/metadata.ts';
export { withRepair } from '../operations/repair.ts';
export { splitPdf, splitPdfToZip } from '../operations/split.ts';
export type { CallOptions } from '../thread.ts';
