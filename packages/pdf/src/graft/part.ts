import type { Importer } from './importer.ts';
import type { Ref } from '../model/values.ts';
import type { PdfFile } from '../model/file.ts';

/** One of the source documents whose pages are combined. */
export interface Part {
  source: PdfFile;
  importer: Importer;
  /** All pages of the source. */
  allPages: readonly Ref[];
  /** The selected pages in order, each with its copy. A page may be selected more than once. */
  pages: readonly (readonly [page: Ref, copy: Ref])[];
  /** Whether the whole document is used (merging), not only the objects of the selected pages (splitting). */
  whole: boolean;
  /** Whether document-level objects (attachments, scripts) are kept, even for some of the pages. */
  keepsDocument: boolean;
}
