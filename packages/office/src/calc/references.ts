import type { Scope } from '../decode.ts';
import { type RemovedReferences } from './empty-rows.ts';
import type { ColumnMoves } from './column-moves.ts';
import { copiesOf } from './copies.ts';
import type { Reference } from './formula.ts';
import type { RowMap, RowRange } from './row-map.ts';

/** Finds the rows to which a reference of a formula leads when loops have repeated, added and removed rows. */

/** The place of a formula on the sheet to which it refers. */
export interface FormulaPlace {
  /** Row of the template. */
  row: number;
  /** Column of the template; null when the formula belongs to no single cell. */
  column: string | null;
  /** The pass of a loop that contains it. */
  scope: Scope | null;
}

/** The rows to which a reference leads. */
export interface Target {
  first: number;
  /** Null for a single cell. */
  last: number | null;
  /** Several ranges, when the rows between them belong to others. */
  ranges?: readonly RowRange[];
  /** True when the author may have meant other rows. */
  isDoubtful: boolean;
  /** True when a loop over columns has moved some of its cells. */
  isUnmoved?: boolean;
}

/** Content of a cell of the template: nothing, a text without tags, or anything else. */
export type CellKind = 'empty' | 'text' | 'value';

/** What references to the rows of one sheet depend on. */
export interface ReferencedSheet {
  map: RowMap;
  /** Receives references to rows that have all disappeared. */
  collapses: RemovedReferences;
  kindOf: (row: number, column: string) => CellKind;
  columnMoves: ColumnMoves;
}

/** The end of a range, or a single cell. */
interface End {
  row: number;
  isDoubtful: boolean;
}

/**
 * Returns the rows of a reference; null when all of them have disappeared. `docs/office-templates.md` states
 * the rules.
 *
 * @param place place of the formula; null when it is on another sheet or outside of the cells
 */
export function targetOf(
  reference: Reference,
  place: FormulaPlace | null,
  sheet: ReferencedSheet,
): Target | null {
  const { last } = reference;
  const target =
    last === null ? cellOf(reference, place, sheet) : rangeOf({ ...reference, last }, place, sheet);
  return target !== null && sheet.columnMoves.touches(reference) ? { ...target, isUnmoved: true } : target;
}

function cellOf(reference: Reference, place: FormulaPlace | null, sheet: ReferencedSheet): Target | null {
  const { first, isArgument, isOperand, columns } = reference;
  const [isFixed] = reference.isFixed;
  const { map, collapses } = sheet;
  const scope = place?.scope ?? null;
  const neighbour = isFixed || place === null ? undefined : neighbourOf(first, columns?.[0], place, sheet);
  if (neighbour !== undefined) return neighbour && { ...neighbour, first: neighbour.row, last: null };
  const isOwn = scope !== null && map.isIn(first, scope.loop) && map.depthOf(first) === depthOf(scope);
  const from = isFixed && isOwn ? scope.parent : scope;
  const one = map.one(first, from);
  if (one === null) {
    if (isArgument) collapses.addRow(first, from);
    return null;
  }
  // Of no rows, a sum is 0, but another value may have to be that of the row before: a closing balance.
  if (one.count === 1)
    return { first: one.first, last: null, isDoubtful: !isArgument && map.isKept(one.first) };
  if (isArgument) return rangesOf({ ...reference, last: first }, [one.first, one.last], sheet);
  // With `$`, a row of the same block is that of the first pass; from elsewhere, a row of a block is the last one.
  if (isOwn) return { first: one.first, last: null, isDoubtful: true };
  const isBelow = place !== null && first < place.row && (scope === null || map.shareLoop(first, place.row));
  return { first: one.last, last: null, isDoubtful: !isBelow || isOperand || (isFixed && scope !== null) };
}

function outermostOf(scope: Scope): Scope {
  return scope.parent === null ? scope : outermostOf(scope.parent);
}

function depthOf(scope: Scope): number {
  let depth = 0;
  for (let at: Scope | null = scope; at !== null; at = at.parent) depth += 1;
  return depth;
}

/** A reference to a range. */
type Range = Reference & { last: number };

function rangeOf(reference: Range, place: FormulaPlace | null, sheet: ReferencedSheet): Target | null {
  const { first, last, isFixed, columns } = reference;
  const { map, collapses } = sheet;
  const scope = place?.scope ?? null;
  if (place === null || scope === null) {
    const rows = map.range(first, last, scope);
    if (rows !== null) return rangesOf(reference, rows, sheet);
    collapses.addRange(first, last, scope);
    return null;
  }
  const block = map.blockOf(scope.loop);
  const isAround = first < block.first && last > block.last;
  const isAbove = last < block.first;
  const within = map.rowsOf(scope.loop).filter((row) => first <= row && row <= last);
  const isDeeper = within.length > 0 && within.every((row) => map.depthOf(row) > depthOf(scope));
  let slid = false;
  const end = (row: number, limit: number, index: 0 | 1): End | null => {
    // Above the block, a range follows the passes when its other end is fixed, or is the same row.
    const follows = !isAbove || first === last || isFixed[index === 0 ? 1 : 0];
    const isRelative = !isFixed[index] && !isAround && follows && !(index === 1 && !isAbove);
    const found = isRelative ? neighbourOf(row, columns?.[index], place, sheet) : undefined;
    if (found) {
      slid = true;
      return found;
    }
    const isOfBlock = block.lead <= row && row <= block.trail && !isDeeper;
    const isWide = isAround || (isFixed[index] && isOfBlock);
    const edge = map.edge(row, limit, index === 0 ? 1 : -1, isWide ? scope.parent : scope);
    return edge === null ? null : { row: edge, isDoubtful: false };
  };
  const from = end(first, last, 0);
  const to = end(last, first, 1);
  if (from === null || to === null) {
    collapses.addRange(first, last, scope);
    return null;
  }
  const isFixedWithin = within.length > 0 && isFixed[0] && isFixed[1] && !isAround;
  // Above the block, without `$`, rows of the sheet may be meant, or the same number of rows before each pass.
  const mayFollow =
    columns !== null && isAbove && !isFixed[1] && neighbourOf(last, columns[1], place, sheet) != null;
  const slides = first < block.first && !isFixed[0] && map.isIn(last, scope.loop);
  const rows: RowRange = [Math.min(from.row, to.row), Math.max(from.row, to.row)];
  // A range to or from another pass contains all rows on the way.
  const target = slid ? wholeRange(rows) : rangesOf(reference, rows, sheet);
  return {
    ...target,
    isDoubtful:
      target.isDoubtful ||
      from.isDoubtful ||
      to.isDoubtful ||
      slides ||
      mayFollow ||
      (isFixedWithin && (isDeeper || scope.parent !== null)),
  };
}

function wholeRange([first, last]: RowRange): Target {
  return { first, last, isDoubtful: false };
}

/** Returns the copies of a range between two filled rows. */
function rangesOf(reference: Range, rows: RowRange, sheet: ReferencedSheet): Target {
  const ranges = copiesOf(reference, rows, sheet);
  const whole = wholeRange(rows);
  if (ranges === null) return { ...whole, isDoubtful: true };
  return ranges.length === 1 ? whole : { ...whole, ranges };
}

/** Returns the first of several rows of the template that a pass has. */
function firstIn(rows: readonly number[], pass: Scope, map: RowMap): { first: number; last: number } | null {
  for (const row of rows) {
    const found = map.inPass(row, pass);
    if (found !== null) return found;
  }
  return null;
}

/**
 * Returns the row of the previous pass, for a reference to the row before a block, or of the next pass, for
 * the tag row after it.
 *
 * @returns undefined for any other row; null when the row has disappeared
 */
function neighbourOf(
  row: number,
  column: string | undefined,
  place: FormulaPlace,
  { map, kindOf }: ReferencedSheet,
): End | null | undefined {
  if (column === undefined || place.scope === null) return undefined;
  const block = map.blockOf(place.scope.loop);
  const isBefore = block.lead <= row && row < block.first;
  const isAfter = block.last < row && row <= block.trail;
  const bodies = (loop: number): number[] =>
    map.rowsOf(loop).filter((one) => kindOf(one, column) !== 'empty');
  if (!isBefore && !isAfter) return undefined;
  const isTag = map.isTagRow(row);
  if (!isTag && bodies(place.scope.loop).length === 0) return undefined;
  const isDoubtful = !isTag && column !== place.column && kindOf(row, column) === 'value';
  // From the pass outwards: other passes, then rows of the outer pass; empty cells are passed over.
  for (let at: Scope | null = place.scope; at !== null; at = at.parent) {
    const rows = isBefore ? bodies(at.loop).reverse() : bodies(at.loop);
    const step = (pass: Scope): Scope | null => (isBefore ? map.before(pass) : map.after(pass));
    for (let pass = step(at); pass !== null; pass = step(pass)) {
      const found = firstIn(rows, pass, map);
      if (found !== null) return { row: isBefore ? found.last : found.first, isDoubtful };
    }
    if (at.parent === null) break;
    const { first, last } = map.blockOf(at.loop);
    const outer = bodies(at.parent.loop).filter((one) => (isBefore ? one < first : one > last));
    const found = firstIn(isBefore ? outer.reverse() : outer, at.parent, map);
    if (found !== null) return { row: isBefore ? found.last : found.first, isDoubtful };
  }
  const outermost = outermostOf(place.scope);
  const isPassed = place.scope !== outermost && (isTag || kindOf(row, column) === 'empty');
  const { lead, trail } = map.blockOf(outermost.loop);
  const still = isPassed ? (isBefore ? lead : trail + 1) : map.stillRow(row, isBefore ? -1 : 1);
  const one = still === null ? null : map.one(still, place.scope);
  return one && { row: isBefore ? one.last : one.first, isDoubtful };
}
