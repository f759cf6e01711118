import type { Block, Paragraph, Table } from './model.ts';

/**
 * Content that is wider than the text area of a page: Chromium shrinks the whole document, a word processor clips
 * it.
 */

/** Share of the width by which a table may be wider: its cells need that space for other fonts. */
const SLACK = 0.04;

/** Minimum width in pixels of a picture or of the text of a cell. */
const LEAST = 8;

/**
 * Moves content that would begin outside of the paper to its edge, where it is readable.
 *
 * @param margin pixels between that edge and the text
 */
export function keepOnPaper(blocks: readonly Block[], margin: number): void {
  for (const block of blocks) if (block.kind === 'table') block.indent = Math.max(block.indent, -margin);
}

/**
 * Reduces tables and pictures to the available width.
 *
 * @param room width in pixels of the page's text, or of a cell
 */
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
