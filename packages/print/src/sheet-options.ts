import type { FurnitureByPage } from './by-page.ts';
import { type AuthorPages, PIXELS_OF_INCH } from './page-rules.ts';
import { inches, type Paper, paperInches, type PaperSize } from './paper.ts';

/** Distances from the edges of the paper, in centimetres. */
export interface Margins {
  top: number;
  right: number;
  bottom: number;
  left: number;
}

/** Html of headers and of footers that margins have to have room for. */
export interface RoomFor {
  top: readonly string[];
  bottom: readonly string[];
  /** Edges whose margins stay as they are; the others grow. */
  kept: readonly ('top' | 'bottom')[];
}

/** The layout of a document on paper: plain, validated values (ranges of I-7). */
export interface SheetOptions {
  paper: Paper;
  /** One page as long as its content, instead of pages as high as the paper. */
  fitsContent: boolean;
  landscape: boolean;
  margins: Margins;
  /** The declarations of the document's own `@page` rules that replace these; null: none. */
  author: AuthorPages | null;
  /** 0.1 to 2. */
  scale: number;
  printBackground: boolean;
  /** `1-3,5,8-` (I-21), or null for every page. */
  pageRange: string | null;
  /** Complete html of header and footer (page/furniture.ts). Both null: none. */
  header: string | null;
  footer: string | null;
  /** Replaces `header` and `footer`: those that differ by page, or contain facts about the printed document. */
  byPage: FurnitureByPage | null;
  /**
   * `@font-face` rules for headers and footers; `''` for none. Their URLs are those of resources of the document.
   */
  furnitureFonts: string;
  /** Headers and footers for which default margins grow, and which others may be too small for; null: none. */
  roomFor: RoomFor | null;
  /** Number of the first page in references. */
  firstPageNumber: number;
  /** No header and footer on page 1; the rest of it unchanged. */
  skipFurnitureOnFirstPage: boolean;
  /** Whether to write headings as bookmarks of a tagged PDF, if the engine can. */
  outline: boolean;
}

/** Returns the size of the sheet and its margins in CSS pixels, as far as the document's own rules do not change them. */
export function sheetPixels({
  paper,
  landscape,
  margins: { top, right, bottom, left },
}: Pick<SheetOptions, 'paper' | 'landscape' | 'margins'>): PaperSize & Margins {
  const { width, height } = paperInches(paper, landscape);
  const pixels = (centimetres: number): number => inches(centimetres) * PIXELS_OF_INCH;
  return {
    width: width * PIXELS_OF_INCH,
    height: height * PIXELS_OF_INCH,
    top: pixels(top),
    right: pixels(right),
    bottom: pixels(bottom),
    left: pixels(left),
  };
}
