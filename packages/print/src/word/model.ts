import type { Picture } from './reading.ts';
import type { Side } from './tree.ts';

/**
 * A document of paragraphs and tables, as in word processors. Lengths are CSS pixels, positions are relative to
 * the page.
 */

export interface RunStyle {
  font: string;
  size: number;
  bold: boolean;
  italic: boolean;
  smallCaps: boolean;
  underline: boolean;
  strike: boolean;
  /** Six hexadecimal digits. */
  colour: string;
  /** Background of the text; null: none. */
  shade: string | null;
  raised: 'superscript' | 'subscript' | null;
  spacing: number;
  rightToLeft: boolean;
  language: string | null;
}

/** A part of a paragraph. `link` is a URL, or `#` and the name of a target in the document. */
export type Run = { style: RunStyle; link: string | null } & (
  | { kind: 'text'; text: string }
  | { kind: 'break' }
  | { kind: 'tab' }
  | { kind: 'field'; name: 'PAGE' | 'NUMPAGES' }
  /** An empty description marks a decoration; null: there is none. */
  | { kind: 'picture'; picture: Picture; width: number; height: number; description: string | null }
);

export interface Line {
  width: number;
  style: 'single' | 'dashed' | 'dotted' | 'double';
  colour: string;
}

/** A border, and its distance from the content. */
export interface Border extends Line {
  space: number;
}

export type Borders = Partial<Record<Side, Border>>;

/** A list, and the position of its items in the numbering of the document. */
export interface ListLevel {
  /** 1-based number of the list in the document. */
  list: number;
  level: number;
}

export type ParagraphStyle =
  'Normal' | `Heading${1 | 2 | 3 | 4 | 5 | 6}` | 'ListBullet' | 'ListNumber' | 'Caption';

interface Placed {
  top: number;
  bottom: number;
}

export interface Paragraph extends Placed {
  kind: 'paragraph';
  style: ParagraphStyle;
  runs: Run[];
  align: 'left' | 'center' | 'right' | 'both';
  rightToLeft: boolean;
  /** Distance from the edges of the page or cell. */
  indent: { left: number; right: number; first: number };
  /** Null: the default of the font. */
  lineHeight: number | null;
  shade: string | null;
  borders: Borders;
  list: ListLevel | null;
  tabs: number[];
  breakBefore: boolean;
  keepTogether: boolean;
  /** Names of link targets. */
  bookmarks: string[];
}

export interface Cell {
  /** First grid column, and the number of columns that it covers. */
  column: number;
  span: number;
  /** Whether it continues in rows below, or is such a continuation. */
  merge: 'starts' | 'goes on' | null;
  shade: string | null;
  borders: Borders;
  padding: Record<Side, number>;
  align: 'top' | 'center' | 'bottom';
  blocks: Block[];
  /** Start of its content. */
  top: number;
}

export interface Row {
  cells: Cell[];
  /** Minimum height; null: its content determines it. */
  height: number | null;
  isHeader: boolean;
  keepTogether: boolean;
}

export interface Table extends Placed {
  kind: 'table';
  indent: number;
  columns: number[];
  rows: Row[];
  rightToLeft: boolean;
  breakBefore: boolean;
}

export type Block = Paragraph | Table;

/** The markers of a list's items. */
export interface ListDefinition {
  format: 'bullet' | 'decimal' | 'decimalZero' | 'lowerLetter' | 'upperLetter' | 'lowerRoman' | 'upperRoman';
  /** The mark, with `%n` for the number of the level n. */
  text: string;
  level: number;
  start: number;
  /** Distance from the edge of the page or cell to the text, and from there to the marker. */
  left: number;
  hanging: number;
  colour: string | null;
  isInside: boolean;
}

/** The content of a document. */
export interface WordModel {
  blocks: Block[];
  /** Background of the page, unless it is white. */
  background: string | null;
}
