import type { Colour } from './css.ts';
import type { Box, Rect } from './tree.ts';
import type { TextContext } from './inline.ts';
import type { Lists } from './lists.ts';
import type { Block } from './model.ts';

/** Where blocks go, and what they have from what is around them. */
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

/** What is the same for a whole document. */
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

/** Whether something in an element begins a new page. */
export type BreakMarks = ReadonlySet<Box>;

/** As many tables stand in one another; what is deeper stands below one another. */
export const MAX_TABLES = 10;

export function widthOf({ left, right }: Pick<Rect, 'left' | 'right'>): number {
  return right - left;
}

export function heightOf({ top, bottom }: Pick<Rect, 'top' | 'bottom'>): number {
  return bottom - top;
}
