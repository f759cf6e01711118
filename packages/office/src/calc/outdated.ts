import { countBelow } from './count-below.ts';
import { columnNumber, dependenciesOf, type Reference } from './formula.ts';

/** Finds the formulas whose saved values are outdated in a filled spreadsheet. */

/** A cell of a filled sheet. */
export interface FilledCell {
  row: number;
  column: number;
  /** True when filling may have changed its value, other than through cells on which it depends. */
  isChanged: boolean;
  formula: { text: string; before: string; drop: () => void } | null;
}

export interface FilledCells {
  name: string;
  cells: readonly FilledCell[];
}

/** Functions whose value depends on places, or on cells that the formula does not name. */
const UNPREDICTABLE: ReadonlySet<string> = new Set(
  'INDIRECT OFFSET ROW ROWS COLUMN COLUMNS CELL SHEET SHEETS ADDRESS GETPIVOTDATA EVALUATE MULTIPLE.OPERATIONS'.split(
    ' ',
  ),
);
/** More columns than this are not compared one by one. */
const MAX_COLUMNS = 256;
const MAX_ROUNDS = 64;

/**
 * Drops the saved value of each formula that filling changed, or that depends on a changed cell. The value of
 * any other formula is that of the program that saved the template.
 *
 * @param names texts of the defined names, by name in lower case
 */
export function dropOutdated(
  sheets: readonly FilledCells[],
  names: ReadonlyMap<string, string>,
  dialect: 'excel' | 'open',
): void {
  const changed = new Map<string, ChangedCells>();
  const open: { cell: FilledCell; sheet: string; needs: Needs }[] = [];
  const outdate = ({ row, column, formula }: FilledCell, sheet: string): void => {
    formula?.drop();
    const cells = changed.get(sheet) ?? new ChangedCells();
    changed.set(sheet, cells);
    cells.add(column, row);
  };
  for (const { name, cells } of sheets) {
    const sheet = name.toLowerCase();
    for (const cell of cells) {
      const needs = cell.formula && !cell.isChanged ? needsOf(cell.formula, names, dialect) : null;
      if (cell.isChanged || (cell.formula && needs === null)) outdate(cell, sheet);
      else if (needs !== null) open.push({ cell, sheet, needs });
    }
  }
  let rest = open;
  for (let round = 0; changed.size > 0 && rest.length > 0; round += 1) {
    const still = rest.filter(({ cell, sheet, needs }) => {
      const isOutdated =
        round === MAX_ROUNDS ||
        needs.isOpen ||
        needs.references.some((one) => isChangedIn(one, changed, sheet));
      if (isOutdated) outdate(cell, sheet);
      return !isOutdated;
    });
    if (still.length === rest.length) break;
    rest = still;
  }
}

interface Needs {
  references: readonly Reference[];
  isOpen: boolean;
}

/** Returns what a formula needs; null when filling has changed the size of what it refers to. */
function needsOf(
  { text, before }: NonNullable<FilledCell['formula']>,
  names: ReadonlyMap<string, string>,
  dialect: 'excel' | 'open',
): Needs | null {
  const [now, then] = [dependenciesOf(text, dialect), dependenciesOf(before, dialect)];
  if (now === null || then === null || now.references.length !== then.references.length) return null;
  if (now.references.some((one, i) => height(one) !== height(then.references[i]))) return null;
  let isOpen = now.isOpen || now.functions.some((name) => UNPREDICTABLE.has(name));
  const references = now.references.slice();
  for (const word of now.names) {
    const defined = names.get(word.toLowerCase());
    const inner = defined === undefined ? null : dependenciesOf(defined, dialect);
    if (inner === null || inner.isOpen || inner.names.length > 0 || inner.functions.length > 0) isOpen = true;
    else references.push(...inner.references);
  }
  return { references, isOpen };
}

function height(reference: Reference | undefined): number {
  return reference === undefined ? -1 : (reference.last ?? reference.first) - reference.first;
}

function isChangedIn(
  { sheet, first, last, columns }: Reference,
  changed: ReadonlyMap<string, ChangedCells>,
  own: string,
): boolean {
  const cells = changed.get(sheet?.toLowerCase() ?? own);
  if (cells === undefined) return false;
  const [from, to] = columns?.map((name) => columnNumber(name)) ?? [1, Infinity];
  return cells.has(from ?? 1, to ?? Infinity, first, last ?? first);
}

/** Cells of a sheet, by column. */
class ChangedCells {
  /** Rows of each column, ascending. */
  private readonly rows = new Map<number, number[]>();

  add(column: number, row: number): void {
    const rows = this.rows.get(column);
    if (rows === undefined) this.rows.set(column, [row]);
    else if (row > (rows.at(-1) ?? 0)) rows.push(row);
    else {
      const at = countBelow(rows, row);
      if (rows[at] !== row) rows.splice(at, 0, row);
    }
  }

  has(left: number, right: number, top: number, bottom: number): boolean {
    if (right - left > MAX_COLUMNS) return this.rows.size > 0;
    for (let column = left; column <= right; column += 1) {
      const rows = this.rows.get(column);
      if (rows !== undefined && countBelow(rows, bottom + 1) > countBelow(rows, top)) return true;
    }
    return false;
  }
}
