/** What is said of a PDF to be made: levels, properties, pages, protection, and the notes about it. */

export {
  CONFORMANCE_LEVELS,
  type ConformanceLevel,
  refusedLevels,
  requirementsOf,
} from '../conformance/levels.ts';
export type { View } from '../conformance/view.ts';
export { METADATA_KEYS, isoDate, metadataValues } from '../metadata-values.ts';
export type { ClaimNote, CmykNote, FillNote, InvoiceNote, PdfNote, RedactNote } from '../notes.ts';
export { type PageSpan, pagesOfRange, parsePageRange } from '../page-range.ts';
export { type EncryptOptions, MAX_PASSWORD_BYTES } from '../files/encryption.ts';
