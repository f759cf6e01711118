import { markText } from './lists.ts';
import type { RichRun } from '../rich.ts';

/** What comes of html in a document: paragraphs, lists, tables and lines. */

export type Align = 'left' | 'center' | 'right' | 'justify';

/** A stretch of text with one look, or a picture. */
export interface HtmlRun extends RichRun {
  picture?: { src: string; width: string; height: string; alt: string };
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

/** What the blocks say in runs alone, for places that hold no paragraphs. */
export function runsOf(blocks: readonly HtmlBlock[]): HtmlRun[] {
  const runs: HtmlRun[] = [];
  for (const { block, lists } of flattened(blocks)) {
    if (runs.length > 0) runs.push({ text: '\n' });
    const innermost = lists.at(-1);
    if (innermost?.first === true)
      runs.push({
        text: `${'  '.repeat(lists.length - 1)}${markText(innermost.list.mark, innermost.number)}`,
      });
    if (block.type === 'paragraph') {
      runs.push(...block.runs.map((run) => (block.heading > 0 ? { ...run, bold: true } : run)));
    } else if (block.type === 'table') {
      for (const [i, row] of block.rows.entries()) {
        if (i > 0) runs.push({ text: '\n' });
        for (const [j, cell] of row.entries()) {
          if (j > 0) runs.push({ text: '\t' });
          runs.push(...runsOf(cell.blocks));
        }
      }
    } else runs.push({ text: '—' });
  }
  return runs;
}
