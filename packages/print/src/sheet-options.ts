import type { AuthorPages } from './page-rules.ts';
import type { PaperFormat } from './paper-names.ts';

/** Distances from the edges of the paper, in centimetres. */
export interface Margins {
  top: number;
  right: number;
  bottom: number;
  left: number;
}

/** How a document is laid out on paper: plain values, already validated (ranges of I-7). */
export interface SheetOptions {
  paper: PaperFormat;
  landscape: boolean;
  margins: Margins;
  /** What of the document's own `@page` rules holds in place of these; null: nothing, and they do not count. */
  author: AuthorPages | null;
  /** 0.1 to 2. */
  scale: number;
  printBackground: boolean;
  /** `1-3,5,8-` (I-21), or null for every page. */
  pageRange: string | null;
  /** Complete html of header and footer (page/furniture.ts). Both null: none. */
  header: string | null;
  footer: string | null;
  /** No header and footer on page 1; the rest of it unchanged. */
  skipFurnitureOnFirstPage: boolean;
}
