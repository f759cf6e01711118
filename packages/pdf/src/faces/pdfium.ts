/** PDFium, which draws pages. */

export { compilePdfium } from '../pdfium/binary.ts';
export { PdfiumDocument } from '../pdfium/document.ts';
