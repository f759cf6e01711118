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
}

export interface HtmlList {
  type: 'list';
  ordered: boolean;
  start: number;
  items: HtmlBlock[][];
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
  /** Lists it is in, the outermost first; `first`: it has the number of its item. */
  lists: { list: HtmlList; first: boolean }[];
}

/** Blocks one after the other, lists with their depth. */
export function flattened(blocks: readonly HtmlBlock[], lists: FlatBlock['lists'] = []): FlatBlock[] {
  return blocks.flatMap((block): FlatBlock[] => {
    if (block.type !== 'list') return [{ block, lists }];
    return block.items.flatMap((item) => {
      const parts = item.length === 0 || item[0]?.type === 'list' ? [EMPTY, ...item] : item;
      return parts.flatMap((part, i) => flattened([part], [...lists, { list: block, first: i === 0 }]));
    });
  });
}

const EMPTY: HtmlParagraph = { type: 'paragraph', runs: [], heading: 0, align: null, quote: 0 };

/** What the blocks say in runs alone, for places that hold no paragraphs. */
export function runsOf(blocks: readonly HtmlBlock[]): HtmlRun[] {
  const runs: HtmlRun[] = [];
  for (const { block, lists } of flattened(blocks)) {
    if (runs.length > 0) runs.push({ text: '\n' });
    const innermost = lists.at(-1);
    if (innermost?.first === true)
      runs.push({ text: `${'  '.repeat(lists.length - 1)}${markOf(innermost.list, block)}` });
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

function markOf(list: HtmlList, block: FlatBlock['block']): string {
  if (!list.ordered) return '• ';
  const index = list.items.findIndex((item) => item.includes(block));
  return `${list.start + Math.max(0, index)}. `;
}
