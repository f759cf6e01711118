import type { Scope } from '../decode.ts';
import type { Element } from '../xml/tree.ts';
import type { FilledRow, TemplateRow } from './row-map.ts';

/** Rows that a formula needs though all of them are gone: where a sum of nothing finds an empty row to stand for it. */

/** A row of the filled sheet with its element. */
export interface PlacedRow extends FilledRow {
  element: Element;
}

/** An empty row to be put beside a row that is there; neither is given where the sheet has no rows at all. */
export interface EmptyRow {
  /** The row of the template that it is a copy of. */
  template: Element;
  scope: Scope | null;
  before: Element | undefined;
  after: Element | undefined;
}

/** The references of one sheet that have lost all their rows. */
export class Collapses {
  /** By the pass of a loop they are in, or null for all of the sheet: rows of the template. */
  private readonly origins = new Map<Scope | null, Set<number>>();
  /** Rows of the template by their number. */
  private readonly templates: ReadonlyMap<number, Element>;
  /** Numbers of the template's rows but those that held nothing but tags, in order. */
  private readonly bodies: readonly number[];

  constructor(rowOf: ReadonlyMap<Element, TemplateRow>) {
    const entries = Array.from(rowOf, ([element, { origin }]) => [origin, element] as const);
    this.templates = new Map(entries);
    // Rows of tags were taken out of the template's tree.
    this.bodies = entries
      .flatMap(([origin, { parent }]) => (parent === null ? [] : [origin]))
      .toSorted((a, b) => a - b);
  }

  get isEmpty(): boolean {
    return this.origins.size === 0;
  }

  /** Notes a reference to one row. */
  addRow(origin: number, scope: Scope | null): void {
    const known = this.origins.get(scope);
    if (known === undefined) this.origins.set(scope, new Set([origin]));
    else known.add(origin);
  }

  /** Notes a range: its first row that is more than tags stands for it. */
  addRange(first: number, last: number, scope: Scope | null): void {
    const body = this.bodies[countBelow(this.bodies, first)];
    this.addRow(body !== undefined && body <= last ? body : first, scope);
  }

  /** Gives what has been noted, each place once, and forgets it. @param rows of the filled sheet, in order */
  take(rows: readonly PlacedRow[]): EmptyRow[] {
    const inScope = rowsByScope(rows, this.origins);
    const seen = new Set<string>();
    const empty: EmptyRow[] = [];
    for (const [scope, origins] of this.origins) {
      const places = new Neighbours(inScope.get(scope) ?? []);
      // In the order of the template: where several stand beside the same row, each comes after the one before.
      for (const origin of [...origins].toSorted((a, b) => a - b)) {
        const template = this.templates.get(origin);
        const { before, after } = places.of(origin);
        const key = `${origin} ${before?.row} ${after?.row}`;
        if (template === undefined || seen.has(key)) continue;
        seen.add(key);
        empty.push({ template, scope, before: before?.element, after: after?.element });
      }
    }
    this.origins.clear();
    return empty;
  }
}

/** The rows of each of some passes, in order; those of the whole sheet for null. */
function rowsByScope(
  rows: readonly PlacedRow[],
  wanted: ReadonlyMap<Scope | null, unknown>,
): ReadonlyMap<Scope | null, PlacedRow[]> {
  const found = new Map<Scope | null, PlacedRow[]>();
  const add = (scope: Scope | null, row: PlacedRow): void => {
    if (!wanted.has(scope)) return;
    const known = found.get(scope);
    if (known === undefined) found.set(scope, [row]);
    else known.push(row);
  };
  for (const row of rows) {
    for (let at = row.scope; at !== null; at = at.parent) add(at, row);
    add(null, row);
  }
  return found;
}

/** Finds the rows between which one of the template would stand. */
class Neighbours {
  /** Numbers of template rows, ascending. */
  private readonly origins: readonly number[];
  /** The last of the rows up to that place of `origins`, and the first of those from there on. */
  private readonly lasts: PlacedRow[] = [];
  private readonly firsts: PlacedRow[] = [];

  constructor(rows: readonly PlacedRow[]) {
    const sorted = rows.toSorted((a, b) => a.template.origin - b.template.origin || a.row - b.row);
    this.origins = sorted.map(({ template }) => template.origin);
    sorted.forEach((row, i) => {
      const last = this.lasts[i - 1];
      this.lasts.push(last !== undefined && last.row > row.row ? last : row);
    });
    for (let i = sorted.length - 1; i >= 0; i -= 1) {
      const first = this.firsts[i + 1];
      const row = sorted[i];
      if (row !== undefined) this.firsts[i] = first !== undefined && first.row < row.row ? first : row;
    }
  }

  of(origin: number): { before: PlacedRow | undefined; after: PlacedRow | undefined } {
    return {
      before: this.lasts[countBelow(this.origins, origin) - 1],
      after: this.firsts[countBelow(this.origins, origin + 1)],
    };
  }
}

/** How many numbers of an ascending list are smaller than a bound. */
export function countBelow(ascending: readonly number[], bound: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] ?? bound) < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}
