import type { Colour } from './css.ts';
import type { Box, Rect } from './tree.ts';
import type { TextContext } from './inline.ts';
import type { Lists } from './lists.ts';
import type { Block } from './model.ts';

/** The destination of blocks, and the properties they inherit from it. */
export interface Region {
  /** Edges of the page or the cell. */
  left: number;
  right: number;
  /** The background. */
  backdrop: Colour;
  /** Whether paragraphs paint their own background. */
  paints: boolean;
  /** Number of enclosing tables. */
  tables: number;
  /** Enclosing lists, within the same page or cell. */
  lists: number;
  page: PageFacts;
}

/** The properties that are the same for a whole document. */
export interface PageFacts extends Omit<TextContext, 'backdrop'> {
  lists: Lists;
  /** Height of a page. */
  height: number;
  /** Elements that begin a new page. */
  breaks: BreakMarks;
  /**
   * Returns the blocks of an element and its content: passed as a function, since tables contain content that
   * contains tables.
   */
  blocksOf: (box: Box, region: Region) => Block[];
  contentOf: (box: Box, region: Region) => Block[];
}

/** The elements that contain a page break. */
export type BreakMarks = ReadonlySet<Box>;

/** Maximum depth of nested tables; deeper ones are placed below one another. */
export const MAX_TABLES = 10;

export function widthOf({ left, right }: Pick<Rect, 'left' | 'right'>): number {
  return right - left;
}

export function heightOf({ top, bottom }: Pick<Rect, 'top' | 'bottom'>): number {
  return bottom - top;
}
