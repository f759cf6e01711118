import type { HtmlCell, HtmlTable } from './model.ts';

/** A cell at its position, or the continuation of a cell that began in a row above. */
export interface PlacedCell {
  cell: HtmlCell;
  colspan: number;
  covered: boolean;
}

const NOTHING: HtmlCell = { blocks: [], colspan: 1, rowspan: 1, header: false, background: null };

/**
 * Returns the rows of a table with a cell for each column: cells that span rows occur in each of them,
 * missing ones are empty.
 */
export function placedRows({ rows, columns }: HtmlTable): PlacedCell[][] {
  const down: ({ cell: HtmlCell; left: number; colspan: number } | undefined)[] = [];
  return rows.map((row, at) => {
    const placed: PlacedCell[] = [];
    const waiting = row.slice();
    for (let column = 0; column < columns;) {
      const above = down[column];
      if (above !== undefined && above.left > 0) {
        above.left -= 1;
        placed.push({ cell: above.cell, colspan: above.colspan, covered: true });
        column += above.colspan;
        continue;
      }
      const cell = waiting.shift() ?? NOTHING;
      let colspan = 1;
      while (
        colspan < cell.colspan &&
        column + colspan < columns &&
        !((down[column + colspan]?.left ?? 0) > 0)
      ) {
        colspan += 1;
      }
      placed.push({ cell, colspan, covered: false });
      const left = Math.min(cell.rowspan, rows.length - at) - 1;
      if (left > 0) down[column] = { cell, left, colspan };
      column += colspan;
    }
    return placed;
  });
}
