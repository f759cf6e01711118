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
  /** What is behind. */
  backdrop: Colour;
  /** Whether paragraphs paint what is behind them themselves. */
  paints: boolean;
  /** Tables around. */
  tables: number;
  /** Lists around, within the same page or cell. */
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
  /** The blocks of an element, and of what is in one: given here, since tables hold what holds tables. */
  blocksOf: (box: Box, region: Region) => Block[];
  contentOf: (box: Box, region: Region) => Block[];
}

/** The elements that contain a page break. */
export type BreakMarks = ReadonlySet<Box>;

/** Most levels of nested tables; deeper ones are placed below one another. */
export const MAX_TABLES = 10;

export function widthOf({ left, right }: Pick<Rect, 'left' | 'right'>): number {
  return right - left;
}

export function heightOf({ top, bottom }: Pick<Rect, 'top' | 'bottom'>): number {
  return bottom - top;
}
