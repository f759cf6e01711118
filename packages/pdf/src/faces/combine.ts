/** PDFs made of others. */

export { PdfCombiner } from '../combine/index.ts';
export { composeTo } from '../graft/compose.ts';
