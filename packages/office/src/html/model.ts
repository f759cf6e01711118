import { markText } from './lists.ts';
import type { RichRun } from '../rich.ts';

/** The document model that HTML is converted to: paragraphs, lists, tables and lines. */

export type Align = 'left' | 'center' | 'right' | 'justify';

/** A picture; sizes are lengths, or empty. */
export interface HtmlPicture {
  src: string;
  width: string;
  height: string;
  alt: string;
}

/** A stretch of text with one format, or a picture. */
export interface HtmlRun extends RichRun {
  picture?: HtmlPicture;
}

export interface HtmlParagraph {
  type: 'paragraph';
  runs: HtmlRun[];
  /** Level of a heading, 1 to 6; 0 for other text. */
  heading: number;
  align: Align | null;
  /** Depth of quotation. */
  quote: number;
  /** True for right-to-left text. */
  rtl: boolean;
}

/** The marker of list items: a bullet, a kind of number, or none. */
export type ListMark =
  'bullet' | 'decimal' | 'lower-alpha' | 'upper-alpha' | 'lower-roman' | 'upper-roman' | 'none';

export interface HtmlList {
  type: 'list';
  mark: ListMark;
  items: HtmlBlock[][];
  /** Number of each item. */
  numbers: readonly number[];
}

export interface HtmlCell {
  blocks: HtmlBlock[];
  colspan: number;
  rowspan: number;
  header: boolean;
  background: string | null;
}

export interface HtmlTable {
  type: 'table';
  rows: HtmlCell[][];
  columns: number;
}

export type HtmlBlock = HtmlParagraph | HtmlList | HtmlTable | { type: 'rule' };

/** A block of a flattened list. */
export interface FlatBlock {
  block: HtmlParagraph | HtmlTable | { type: 'rule' };
  /**
   * The enclosing lists, the outermost first, with the number of the item; `first`: the block shows the
   * item's marker.
   */
  lists: { list: HtmlList; number: number; first: boolean }[];
}

/** Returns the blocks in sequence, each with its enclosing lists. */
export function flattened(blocks: readonly HtmlBlock[], lists: FlatBlock['lists'] = []): FlatBlock[] {
  return blocks.flatMap((block): FlatBlock[] => {
    if (block.type !== 'list') return [{ block, lists }];
    return block.items.flatMap((item, at) => {
      const number = block.numbers[at] ?? 1;
      const parts = item.length === 0 || item[0]?.type === 'list' ? [EMPTY, ...item] : item;
      return parts.flatMap((part, i) =>
        flattened([part], [...lists, { list: block, number, first: i === 0 }]),
      );
    });
  });
}

const EMPTY: HtmlParagraph = { type: 'paragraph', runs: [], heading: 0, align: null, quote: 0, rtl: false };

/** A line of text, which includes the marker of a list item. */
export interface HtmlLine {
  runs: HtmlRun[];
  align: Align | null;
  rtl: boolean;
}

/** Returns blocks as lines, for places without lists and tables: tabs separate the cells of a row. */
export function linesOf(blocks: readonly HtmlBlock[]): HtmlLine[] {
  return flattened(blocks).flatMap((flat) => (flat.block.type === 'table' ? rowsOf(flat) : [lineOf(flat)]));
}

/** Returns blocks as runs only, for places without paragraphs. */
export function runsOf(blocks: readonly HtmlBlock[]): HtmlRun[] {
  return joined(linesOf(blocks));
}

/** Lines, or a block that needs its own place where text does not flow: a table or a picture. */
export type HtmlPiece =
  | { type: 'lines'; lines: HtmlLine[] }
  | HtmlTable
  | { type: 'picture'; picture: HtmlPicture; align: Align | null };

/** Returns blocks as lines with tables and pictures in between. A picture ends its line. */
export function piecesOf(blocks: readonly HtmlBlock[]): HtmlPiece[] {
  const pieces: HtmlPiece[] = [];
  const add = (line: HtmlLine): void => {
    const last = pieces.at(-1);
    if (last?.type === 'lines') last.lines.push(line);
    else pieces.push({ type: 'lines', lines: [line] });
  };
  for (const flat of flattened(blocks)) {
    const { block, lists } = flat;
    if (block.type === 'table') {
      const mark = markOf(lists);
      if (mark !== null) add({ runs: [mark], align: null, rtl: false });
      pieces.push(block);
      continue;
    }
    const { runs, ...line } = lineOf(flat);
    let open: HtmlRun[] = [];
    for (const run of runs) {
      if (run.picture === undefined) open.push(run);
      else {
        if (open.some(({ text }) => text.trim() !== '')) add({ ...line, runs: open });
        pieces.push({ type: 'picture', picture: run.picture, align: line.align });
        open = [];
      }
    }
    if (open.length > 0 || runs.length === 0) add({ ...line, runs: open });
  }
  return pieces;
}

/** Returns the runs of lines with breaks between them. */
export function joined(lines: readonly HtmlLine[]): HtmlRun[] {
  return lines.flatMap(({ runs }, i) => (i === 0 ? runs : [{ text: '\n' }, ...runs]));
}

function lineOf({ block, lists }: FlatBlock): HtmlLine {
  const mark = markOf(lists);
  const before = mark === null ? [] : [mark];
  if (block.type !== 'paragraph') return { runs: [...before, { text: '—' }], align: null, rtl: false };
  const { runs, heading, align, rtl } = block;
  const own = heading > 0 ? runs.map((run) => ({ ...run, bold: true })) : runs;
  return { runs: [...before, ...own], align, rtl };
}

function rowsOf({ block, lists }: FlatBlock): HtmlLine[] {
  if (block.type !== 'table') return [];
  const mark = markOf(lists);
  return block.rows.map((row, i) => {
    const cells = row.flatMap((cell, j) =>
      j === 0 ? runsOf(cell.blocks) : [{ text: '\t' }, ...runsOf(cell.blocks)],
    );
    return { runs: i === 0 && mark !== null ? [mark, ...cells] : cells, align: null, rtl: false };
  });
}

function markOf(lists: FlatBlock['lists']): HtmlRun | null {
  const innermost = lists.at(-1);
  if (innermost?.first !== true) return null;
  return { text: `${'  '.repeat(lists.length - 1)}${markText(innermost.list.mark, innermost.number)}` };
}
