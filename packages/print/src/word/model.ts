import type { Picture } from './reading.ts';
import type { Side } from './tree.ts';

/** A document of paragraphs and tables, as word processors have them. Lengths are CSS pixels, places those of the page read. */

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
  /** Behind the text; null: nothing. */
  shade: string | null;
  raised: 'superscript' | 'subscript' | null;
  spacing: number;
  rightToLeft: boolean;
  language: string | null;
}

/** A part of a paragraph. `link` is an address, or `#` and the name of a place in the document. */
export type Run = { style: RunStyle; link: string | null } & (
  | { kind: 'text'; text: string }
  | { kind: 'break' }
  | { kind: 'tab' }
  | { kind: 'field'; name: 'PAGE' | 'NUMPAGES' }
  /** A description that is empty says that it is decoration; null: nothing says what it shows. */
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

/** A list, and the place of its items in the numbering of the document. */
export interface ListLevel {
  /** Number of the list in the document, from 1. */
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
  /** From the edges of the page or cell. */
  indent: { left: number; right: number; first: number };
  /** Null: as the font has it. */
  lineHeight: number | null;
  shade: string | null;
  borders: Borders;
  list: ListLevel | null;
  tabs: number[];
  breakBefore: boolean;
  keepTogether: boolean;
  /** Names of places links lead to. */
  bookmarks: string[];
}

export interface Cell {
  /** Columns of the grid it covers, from the first. */
  column: number;
  span: number;
  /** It goes on into rows below, or is such a part. */
  merge: 'starts' | 'goes on' | null;
  shade: string | null;
  borders: Borders;
  padding: Record<Side, number>;
  align: 'top' | 'center' | 'bottom';
  blocks: Block[];
  /** Where its content begins. */
  top: number;
}

export interface Row {
  cells: Cell[];
  /** At least; null: what is in it decides. */
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
  /** From the edge of the page or cell to the text, and back to the mark. */
  left: number;
  hanging: number;
  colour: string | null;
  isInside: boolean;
}

/** The content of a document. */
export interface WordModel {
  blocks: Block[];
  /** Behind everything, where it is not white. */
  background: string | null;
}
