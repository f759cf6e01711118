import type { Scope } from '../decode.ts';
import type { Element } from '../xml/tree.ts';
import { countBelow } from './count-below.ts';

/** Maps rows of a sheet's template to rows of the filled sheet. Rows count from 1. */

/** A row of the template, or several equal ones in one element (OpenDocument). */
export interface TemplateRow {
  origin: number;
  count: number;
  /** Without a parent once it was found to contain only tags. */
  element: Element;
}

/** The rows of the template that a loop repeats. */
export interface Block {
  first: number;
  last: number;
  /** The row before the block, above any rows of tags. */
  lead: number;
  /** The last row of tags after the block; `last` when there is none. */
  trail: number;
}

/** A row of the filled sheet. */
export interface FilledRow {
  template: TemplateRow;
  /** The first of its rows. */
  row: number;
  scope: Scope | null;
  /** True for an empty row that stays where all rows have disappeared. */
  isKept?: boolean;
}

/** First and last row of a range. */
export type RowRange = readonly [first: number, last: number];

interface Extent {
  first: number;
  last: number;
  count: number;
}

/** Returns the filled rows that a reference in the template refers to. */
export class RowMap {
  private readonly rows: readonly TemplateRow[];
  /** The rows of the filled sheet, in order, and their numbers. */
  readonly filled: readonly FilledRow[];
  private readonly numbers: readonly number[];
  private readonly kept: ReadonlySet<number>;
  private readonly everywhere = new Map<TemplateRow, Extent>();
  private readonly inScope = new Map<TemplateRow, Map<Scope, Extent>>();
  /** The loops that contain each row. */
  private readonly loops = new Map<TemplateRow, Set<number>>();
  /** Numbers of the template's rows that each loop repeats, ascending. */
  private readonly repeated = new Map<number, readonly number[]>();
  private readonly blocks = new Map<number, Block>();
  /** The passes of the same loop before and after each pass. */
  private readonly earlier = new Map<Scope, Scope>();
  private readonly later = new Map<Scope, Scope>();
  private readonly latest = new Map<Scope | null, Map<number, Scope>>();
  /** The first pass that contains each row. */
  private readonly firsts = new Map<TemplateRow, Scope>();
  /** The filled row after which the next row of the template would follow. */
  private readonly ends: number[] = [];
  /** True when any row has moved. */
  readonly moved: boolean;

  /**
   * @param rows of the template in order, including those with only tags
   * @param filled rows in order
   * @param repeated the rows of the template that each loop repeats
   */
  constructor(
    rows: readonly TemplateRow[],
    filled: readonly FilledRow[],
    repeated: ReadonlyMap<number, readonly Element[]>,
  ) {
    this.rows = rows;
    this.filled = filled;
    this.numbers = filled.map(({ row }) => row);
    this.kept = new Set(filled.filter(({ isKept }) => isKept === true).map(({ row }) => row));
    this.enterLoops(repeated);
    for (const row of filled) this.register(row);
    let end = 0;
    let previous = 0;
    for (const row of rows) {
      // Rows that the file leaves out still occupy their numbers.
      end += row.origin - previous - 1;
      const extent = this.everywhere.get(row);
      if (extent) end = extent.last;
      this.ends.push(end);
      previous = row.origin + row.count - 1;
    }
    const last = rows.at(-1);
    this.moved =
      rows.length !== filled.length ||
      filled.some(({ template, row }) => template.origin !== row) ||
      (last !== undefined && end !== last.origin + last.count - 1);
  }

  private register({ template, row, scope }: FilledRow): void {
    const extent = { first: row, last: row + template.count - 1, count: 1 };
    widen(this.everywhere, template, extent);
    let scopes = this.inScope.get(template);
    if (!scopes) this.inScope.set(template, (scopes = new Map()));
    for (let at = scope; at !== null; at = at.parent) {
      widen(scopes, at, extent);
      this.enter(at);
    }
    if (scope !== null && !this.firsts.has(template)) this.firsts.set(template, scope);
  }

  /** Records which loops repeat which rows. */
  private enterLoops(repeated: ReadonlyMap<number, readonly Element[]>): void {
    const byElement = new Map(this.rows.map((row) => [row.element, row]));
    for (const [loop, elements] of repeated) {
      const rows = elements.flatMap((element) => byElement.get(element) ?? []);
      if (rows.length === 0) continue;
      this.repeated.set(
        loop,
        rows.map(({ origin }) => origin).toSorted((a, b) => a - b),
      );
      for (const row of rows) this.loops.set(row, (this.loops.get(row) ?? new Set()).add(loop));
    }
  }

  /** Records a pass. */
  private enter(pass: Scope): void {
    const passes = this.latest.get(pass.parent) ?? new Map<number, Scope>();
    const previous = passes.get(pass.loop);
    if (previous === pass) return;
    this.latest.set(pass.parent, passes.set(pass.loop, pass));
    if (previous === undefined) return;
    this.earlier.set(pass, previous);
    this.later.set(previous, pass);
  }

  /** Returns the pass before one, of the same loop within the same outer pass; null for the first. */
  before(pass: Scope): Scope | null {
    return this.earlier.get(pass) ?? null;
  }

  after(pass: Scope): Scope | null {
    return this.later.get(pass) ?? null;
  }

  /** Returns the first pass of loops that contains a row of the template; null outside of loops. */
  firstPass(origin: number): Scope | null {
    const row = this.rowAt(origin);
    return (row && this.firsts.get(row)) ?? null;
  }

  /** Returns whether a filled row is an empty one that stays where all rows have disappeared. */
  isKept(row: number): boolean {
    return this.kept.has(row);
  }

  /** Returns the rows that a loop repeats, ascending. */
  rowsOf(loop: number): readonly number[] {
    return this.repeated.get(loop) ?? [];
  }

  /** Returns how many elements of `filled` begin before a row. */
  filledBelow(row: number): number {
    return countBelow(this.numbers, row);
  }

  /** Returns the rows of each loop, ascending. */
  loopRows(): Iterable<readonly number[]> {
    return this.repeated.values();
  }

  /** Returns how many loops repeat a row of the template, one within the other. */
  depthOf(origin: number): number {
    const row = this.rowAt(origin);
    return (row && this.loops.get(row)?.size) ?? 0;
  }

  blockOf(loop: number): Block {
    const known = this.blocks.get(loop);
    if (known !== undefined) return known;
    const rows = this.rowsOf(loop);
    const [first = 0] = rows;
    const last = rows.at(-1) ?? 0;
    let lead = first - 1;
    while (this.isTagRow(lead)) lead -= 1;
    let trail = last;
    while (this.isTagRow(trail + 1)) trail += 1;
    const block = { first, last, lead: Math.max(1, lead), trail };
    this.blocks.set(loop, block);
    return block;
  }

  /** Returns whether a row of the template contains only tags. */
  isTagRow(origin: number): boolean {
    return this.rowAt(origin)?.element.parent === null;
  }

  /** Returns the nearest row without tags, from a row of the template upwards or downwards. */
  stillRow(origin: number, step: 1 | -1): number | null {
    let at = origin;
    while (this.isTagRow(at)) at += step;
    return at < 1 ? null : at;
  }

  /** Returns the first row that remains of an area that begins with a row: rows of tags do not. */
  baseRow(origin: number): number {
    return this.stillRow(origin, 1) ?? origin;
  }

  /** Returns whether a loop repeats a row of the template. */
  isIn(origin: number, loop: number): boolean {
    const row = this.rowAt(origin);
    return row !== undefined && this.loops.get(row)?.has(loop) === true;
  }

  /** Returns whether one loop repeats both rows of the template. */
  shareLoop(one: number, other: number): boolean {
    const row = this.rowAt(one);
    const loops = row && this.loops.get(row);
    return loops !== undefined && [...loops].some((loop) => this.isIn(other, loop));
  }

  /** Returns the rows of a template's row in one pass; null when the pass lacks it. */
  inPass(origin: number, pass: Scope): Extent | null {
    const row = this.rowAt(origin);
    return (row && this.inScope.get(row)?.get(pass)) ?? null;
  }

  /** Returns the element of a row of the template. */
  elementAt(origin: number): Element | undefined {
    return this.rowAt(origin)?.element;
  }

  private rowAt(origin: number): TemplateRow | undefined {
    const row = this.rows[this.indexOf(origin)];
    return row !== undefined && origin < row.origin + row.count ? row : undefined;
  }

  /** Returns the index of the template's row, or of the last one before it. */
  private indexOf(origin: number): number {
    let low = 0;
    let high = this.rows.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.rows[middle]?.origin ?? 0) <= origin) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  private extentOf(row: TemplateRow, from: Scope | null): Extent | null {
    for (let at = from; at !== null; at = at.parent) {
      const extent = this.inScope.get(row)?.get(at);
      if (extent) return extent;
      // The row belongs to this loop, but not to this pass.
      if (this.loops.get(row)?.has(at.loop)) return null;
    }
    return this.everywhere.get(row) ?? null;
  }

  /** @returns null when the row has disappeared */
  one(origin: number, from: Scope | null): (Extent & { first: number }) | null {
    const index = this.indexOf(origin);
    const row = this.rows[index];
    if (row === undefined) return { first: origin, last: origin, count: 1 };
    const offset = origin - row.origin;
    if (offset >= row.count) {
      const at = (this.ends[index] ?? 0) + offset - row.count + 1;
      return { first: at, last: at, count: 1 };
    }
    const extent = this.extentOf(row, from);
    if (extent === null) return null;
    if (row.count === 1) return extent;
    return {
      first: extent.first + offset,
      last: extent.last - (row.count - 1 - offset),
      count: extent.count,
    };
  }

  /** @returns null when the whole range has disappeared */
  range(first: number, last: number, from: Scope | null): RowRange | null {
    const start = this.edge(first, last, 1, from);
    const end = this.edge(last, first, -1, from);
    return start === null || end === null ? null : [Math.min(start, end), Math.max(start, end)];
  }

  /** Returns the filled rows that a page break follows which follows a row of the template: one in each pass. */
  breaksAfter(origin: number): number[] {
    // Behind a row of tags, it precedes the next row.
    const below = this.isTagRow(origin) ? this.stillRow(origin, 1) : null;
    const rows =
      below === null
        ? this.each(origin, origin).map(([, last]) => last)
        : this.each(below, below).map(([first]) => first - 1);
    const next = rows.length > 0 ? undefined : this.range(origin, 1_048_576, null)?.[0];
    return [...rows, ...(next === undefined ? [] : [next - 1])].filter((row) => row > 0);
  }

  /** Returns how many rows are left of a part of the template at the top of which views are frozen. */
  frozenRows(first: number, last: number): number {
    const top = first === 1 ? 1 : this.edge(first, last, 1, null);
    // Of a repeated row, the first pass is frozen.
    const bottom = this.edge(last, first, -1, this.firstPass(last));
    return top === null || bottom === null ? 0 : bottom - top + 1;
  }

  /** Returns the nearest remaining row, going from one end of a range to the other. */
  edge(origin: number, limit: number, step: 1 | -1, from: Scope | null): number | null {
    // Whole columns (1:1048576) mean all possible rows and would take too long to walk.
    for (let at = origin; step === 1 ? at <= limit : at >= limit; at = this.next(at, step)) {
      const found = this.one(at, from);
      if (found) return step === 1 ? found.first : Math.min(found.last, 1_048_576);
    }
    return null;
  }

  private next(origin: number, step: 1 | -1): number {
    const row = this.rows[this.indexOf(origin)];
    if (row === undefined || origin >= row.origin + row.count) return origin + step;
    return step === 1 ? row.origin + row.count : row.origin - 1;
  }

  /**
   * Returns the consecutive ranges for each pass of the innermost loop that contains both ends; one range
   * outside of loops.
   */
  each(first: number, last: number): RowRange[] {
    return this.passesOf(first, last)
      .map((scope) => this.range(first, last, scope))
      .filter((range) => range !== null);
  }

  /** Returns each pass of the innermost loop that contains both rows; null outside of loops. */
  passesOf(first: number, last: number): readonly (Scope | null)[] {
    // Rows of tags are in no pass.
    const ends = [this.stillRow(first, 1) ?? first, this.stillRow(last, -1) ?? last];
    const rows = ends.flatMap((row) => this.rows[this.indexOf(row)] ?? []);
    const passes = rows.flatMap((row) => [...(this.inScope.get(row)?.keys() ?? [])]);
    // A pass may lack one of them, if an inner loop repeats it.
    const scopes = new Set(
      passes.filter((pass) =>
        rows.every((row) => this.inScope.get(row)?.has(pass) || this.loops.get(row)?.has(pass.loop)),
      ),
    );
    const outer = new Set(Array.from(scopes, ({ parent }) => parent));
    const inner = [...scopes].filter((scope) => !outer.has(scope));
    return inner.length > 0 ? inner : [null];
  }
}

function widen<K>(map: Map<K, Extent>, key: K, extent: Extent): void {
  const known = map.get(key);
  if (!known) map.set(key, { ...extent });
  else {
    known.first = Math.min(known.first, extent.first);
    known.last = Math.max(known.last, extent.last);
    known.count += 1;
  }
}
