/** The content of pages: read, written, and laid over one another. */

export { pdfNumber, pdfNumbers } from '../content/write.ts';
export { ContentOperations, type Edit, spliced } from '../content/operations.ts';
export { type Box, type Matrix, product, visibleBox } from '../steps/geometry.ts';
export { pageImporter } from '../steps/import-page.ts';
export { addLinks } from '../steps/links.ts';
export { contentOf } from '../steps/page-content.ts';
export { pagesFor } from '../steps/page-spans.ts';
export { paint } from '../steps/paint.ts';
export { withAlternateText } from '../conformance/alternate-text.ts';
