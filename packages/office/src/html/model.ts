import { markText } from './lists.ts';
import type { RichRun } from '../rich.ts';

/** What comes of html in a document: paragraphs, lists, tables and lines. */

export type Align = 'left' | 'center' | 'right' | 'justify';

/** A picture; sizes as lengths, or empty. */
export interface HtmlPicture {
  src: string;
  width: string;
  height: string;
  alt: string;
}

/** A stretch of text with one look, or a picture. */
export interface HtmlRun extends RichRun {
  picture?: HtmlPicture;
}

export interface HtmlParagraph {
  type: 'paragraph';
  runs: HtmlRun[];
  /** 1 to 6 of a heading; 0 of other text. */
  heading: number;
  align: Align | null;
  /** Quoted so often. */
  quote: number;
  /** It is read from right to left. */
  rtl: boolean;
}

/** What stands before the items of a list: a bullet, numbers of a kind, or nothing. */
export type ListMark =
  'bullet' | 'decimal' | 'lower-alpha' | 'upper-alpha' | 'lower-roman' | 'upper-roman' | 'none';

export interface HtmlList {
  type: 'list';
  mark: ListMark;
  items: HtmlBlock[][];
  /** Of each item. */
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

/** A paragraph of a list that has been laid flat. */
export interface FlatBlock {
  block: HtmlParagraph | HtmlTable | { type: 'rule' };
  /** Lists it is in, the outermost first, with the number of its item; `first`: it has the item's mark. */
  lists: { list: HtmlList; number: number; first: boolean }[];
}

/** Blocks one after the other, lists with their depth. */
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

/** A line of text, in which a list's item has its mark. */
export interface HtmlLine {
  runs: HtmlRun[];
  align: Align | null;
  rtl: boolean;
}

/** The lines of blocks, for places that hold neither lists nor tables: the cells of a row have tabs between them. */
export function linesOf(blocks: readonly HtmlBlock[]): HtmlLine[] {
  return flattened(blocks).flatMap((flat) => (flat.block.type === 'table' ? rowsOf(flat) : [lineOf(flat)]));
}

/** What the blocks say in runs alone, for places that hold no paragraphs. */
export function runsOf(blocks: readonly HtmlBlock[]): HtmlRun[] {
  return joined(linesOf(blocks));
}

/** Lines, or what cannot be one in a place without flowing text: a table, a picture. */
export type HtmlPiece =
  | { type: 'lines'; lines: HtmlLine[] }
  | HtmlTable
  | { type: 'picture'; picture: HtmlPicture; align: Align | null };

/** Lines with what stands between them. A picture ends its line. */
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

/** The runs of lines with breaks between them. */
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
