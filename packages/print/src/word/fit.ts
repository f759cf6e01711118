import type { Block, Paragraph, Table } from './model.ts';

/**
 * Content that is wider than the text area of a page: Chromium shrinks the whole document, a word processor
 * cuts it off.
 */

/** Share of the room by which a table may be wider: its cells have that room for other fonts. */
const SLACK = 0.04;

/** Pixels that are left to a picture or to the text of a cell, at least. */
const LEAST = 8;

/** Moves what would begin beside the paper to its edge, where it can be read. @param margin pixels between that and the text */
export function keepOnPaper(blocks: readonly Block[], margin: number): void {
  for (const block of blocks) if (block.kind === 'table') block.indent = Math.max(block.indent, -margin);
}

/** Makes tables and pictures as narrow as the room they stand in. @param room pixels of the page's text, or of a cell */
export function fit(blocks: readonly Block[], room: number): void {
  for (const block of blocks) {
    if (block.kind === 'table') fitTable(block, room);
    else fitPictures(block, room);
  }
}

function fitPictures({ runs, indent }: Paragraph, room: number): void {
  const wide = Math.max(LEAST, room - indent.left - indent.right);
  for (const run of runs) {
    if (run.kind !== 'picture' || run.width <= wide + 1) continue;
    run.height *= wide / run.width;
    run.width = wide;
  }
}

function fitTable(table: Table, room: number): void {
  const width = sum(table.columns);
  const isWide = table.indent + width > room * (1 + SLACK) + 1;
  const factor = isWide ? Math.max(LEAST, room) / (table.indent + width) : 1;
  table.indent *= factor;
  table.columns = table.columns.map((column) => column * factor);
  for (const { cells } of table.rows) {
    for (const { column, span, padding, blocks } of cells) {
      if (isWide) {
        padding.left *= factor;
        padding.right *= factor;
        blocks.forEach((block) => narrow(block, factor));
      }
      const inside = sum(table.columns.slice(column, column + span)) - padding.left - padding.right;
      fit(blocks, Math.max(LEAST, inside));
    }
  }
}

function narrow(block: Block, factor: number): void {
  if (block.kind === 'table') {
    block.indent *= factor;
    return;
  }
  block.indent = {
    left: block.indent.left * factor,
    right: block.indent.right * factor,
    first: block.indent.first * factor,
  };
  block.tabs = block.tabs.map((tab) => tab * factor);
}

function sum(lengths: readonly number[]): number {
  return lengths.reduce((all, length) => all + length, 0);
}
