import type { Scope } from '../decode.ts';
import type { Element } from '../xml/tree.ts';
import { countBelow } from './count-below.ts';
import type { FilledRow, TemplateRow } from './row-map.ts';

/**
 * Keeps an empty row for formulas that refer to rows which all disappeared, so that a sum of nothing has a
 * row to refer to.
 */

/** A row of the filled sheet with its element. */
export interface PlacedRow extends FilledRow {
  element: Element;
}

/** An empty row to insert beside an existing row; both neighbours are absent when the sheet has no rows. */
export interface EmptyRow {
  /** The row of the template to copy. */
  template: Element;
  scope: Scope | null;
  before: Element | undefined;
  after: Element | undefined;
}

/** The references of one sheet whose rows have all disappeared. */
export class RemovedReferences {
  /** Template rows by the pass of a loop that contains the reference; null stands for the whole sheet. */
  private readonly origins = new Map<Scope | null, Set<number>>();
  /** Rows of the template by number. */
  private readonly templates: ReadonlyMap<number, Element>;
  /** Numbers of the template's rows that contain more than tags, in order. */
  private readonly bodies: readonly number[];

  constructor(rowOf: ReadonlyMap<Element, TemplateRow>) {
    const entries = Array.from(rowOf, ([element, { origin }]) => [origin, element] as const);
    this.templates = new Map(entries);
    // Rows of tags have been removed from the template's tree.
    this.bodies = entries
      .flatMap(([origin, { parent }]) => (parent === null ? [] : [origin]))
      .toSorted((a, b) => a - b);
  }

  get isEmpty(): boolean {
    return this.origins.size === 0;
  }

  /** Records a reference to one row. */
  addRow(origin: number, scope: Scope | null): void {
    const known = this.origins.get(scope);
    if (known === undefined) this.origins.set(scope, new Set([origin]));
    else known.add(origin);
  }

  /** Records a range, represented by its first row that contains more than tags. */
  addRange(first: number, last: number, scope: Scope | null): void {
    const body = this.bodies[countBelow(this.bodies, first)];
    this.addRow(body !== undefined && body <= last ? body : first, scope);
  }

  /** Returns the recorded places, each once, and clears them. @param rows of the filled sheet, in order */
  take(rows: readonly PlacedRow[]): EmptyRow[] {
    const inScope = rowsByScope(rows, this.origins);
    const seen = new Set<string>();
    const empty: EmptyRow[] = [];
    for (const [scope, origins] of this.origins) {
      const places = new Neighbours(inScope.get(scope) ?? []);
      // Template order: when several rows go beside the same row, each follows the previous one.
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

/** Returns the rows of each given pass, in order; null stands for the whole sheet. */
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

/** Finds the rows between which a row of the template would be. */
class Neighbours {
  /** Numbers of template rows, ascending. */
  private readonly origins: readonly number[];
  /** The last row up to each place of `origins`, and the first row from there on. */
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
