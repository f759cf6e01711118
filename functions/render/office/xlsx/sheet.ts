import { columnName, type Reference, type Rewrite, rewriteFormula } from '../calc/formula.ts';
import { type Collapse, type FilledRow, RowMap } from '../calc/row-map.ts';
import type { Scope } from '../decode.ts';
import { all, copyElement, type Element, Text } from '../xml/tree.ts';
import { columnOf, type SheetLayout } from './prepare.ts';

/** Answers what a reference means that stands on a sheet, or on none. */
export type Resolve = (reference: Reference, from: Scope | null, sheet: Sheet | null) => ReturnType<Rewrite>;

/** A filled sheet: its rows numbered anew, and everything on it that names rows. */
export class Sheet {
  readonly root: Element;
  readonly layout: SheetLayout;
  /** Name in the template, and now. */
  readonly oldName: string;
  readonly name: string;
  private readonly scopes: WeakMap<Element, Scope>;
  private rows: (FilledRow & { element: Element })[] = [];
  map: RowMap;
  /** Ranges that have lost all their rows, found while references were looked at. */
  readonly collapses: Collapse[] = [];

  constructor(
    root: Element,
    layout: SheetLayout,
    names: { old: string; now: string },
    scopes: WeakMap<Element, Scope>,
  ) {
    this.root = root;
    this.layout = layout;
    this.oldName = names.old;
    this.name = names.now;
    this.scopes = scopes;
    this.map = this.number();
  }

  /** Gives rows and cells the numbers of where they are now. */
  private number(): RowMap {
    const { layout } = this;
    const data = this.root.first('x:sheetData');
    this.rows = [];
    let row = 0;
    let previous = 0;
    for (const element of data?.elements('x:row') ?? []) {
      const template = layout.rowOf.get(element.source ?? element);
      if (!template) continue;
      row += 1 + this.missing(previous, template.origin);
      previous = template.origin;
      element.set('r', String(row));
      this.numberCells(element, row);
      this.rows.push({ element, template, row, scope: this.scopes.get(element) ?? null });
    }
    return new RowMap(layout.rows, this.rows);
  }

  /** Rows between two of the template that are in no file. */
  private missing(previous: number, origin: number): number {
    if (origin <= previous) return 0;
    const between = this.layout.rows.filter((row) => row.origin > previous && row.origin < origin).length;
    return Math.max(0, origin - previous - 1 - between);
  }

  private numberCells(row: Element, number: number): void {
    const columns = this.layout.columns.get(row.source ?? row) ?? [];
    let column = 0;
    let previous = 0;
    for (const cell of row.elements('x:c')) {
      const origin = columnOf(cell.source ?? cell);
      if (origin > previous) {
        const between = columns.filter((one) => one > previous && one < origin).length;
        column += origin - previous - between;
      } else column += 1;
      previous = origin;
      cell.set('r', `${columnName(column)}${number}`);
    }
  }

  /** Keeps an empty row where a formula needs one, and numbers again. */
  keepEmptyRows(): void {
    const data = this.root.first('x:sheetData');
    if (!data) return;
    const seen = new Set<string>();
    for (const { origin, scope } of this.collapses.splice(0)) {
      const template = [...this.layout.rowOf].find(([, row]) => row.origin === origin)?.[0];
      const own = this.rows.filter((row) => scope === null || within(row.scope, scope));
      const before = own.findLast((row) => row.template.origin < origin);
      const after = own.find((row) => row.template.origin > origin);
      const key = `${origin} ${before?.row} ${after?.row}`;
      if (!template || seen.has(key)) continue;
      seen.add(key);
      const empty = copyElement(template);
      for (const cell of empty.elements()) {
        cell.replaceChildren();
        cell.unset('t');
      }
      empty.children = empty.children.filter((child) => child.kind === 'element');
      if (scope) this.scopes.set(empty, scope);
      if (before) data.insertAfter(before.element, empty);
      else data.insertBefore(after?.element ?? null, empty);
    }
    this.map = this.number();
  }

  /** What a reference to this sheet means, from a row in a loop or from outside. */
  resolve(
    { first, last, isArgument }: Reference,
    from: Scope | null,
  ): { first: number; last: number | null } | null {
    if (last === null) {
      const one = this.map.one(first, from);
      if (one === null) {
        if (isArgument) this.collapses.push({ origin: first, scope: from });
        return null;
      }
      if (isArgument && one.count > 1) return { first: one.first, last: one.last };
      return { first: one.first, last: null };
    }
    const range = this.map.range(first, last, from);
    if (range !== null) return { first: range[0], last: range[1] };
    // The row itself, not the tags around it: the first that holds a cell with content.
    const kept = this.layout.rows.find(
      (row) => row.origin >= first && row.origin <= last && this.isBody(row.origin),
    );
    this.collapses.push({ origin: kept?.origin ?? first, scope: from });
    return null;
  }

  private isBody(origin: number): boolean {
    const entry = [...this.layout.rowOf].find(([, row]) => row.origin === origin);
    // Rows of tags were taken out of the template's tree.
    return entry !== undefined && entry[0].parent !== null;
  }

  /** Rewrites every formula of a cell. */
  rewriteCells(resolve: Resolve): void {
    for (const { element, scope } of this.rows) {
      for (const formula of all(element, 'x:f')) {
        formula.replaceChildren();
        const source = formula.source?.textContent() ?? '';
        const text = rewriteFormula(source, 'excel', (reference) => resolve(reference, scope, this));
        if (text !== '') formula.append(new Text(text));
        const range = formula.source?.get('ref');
        if (range !== undefined) formula.set('ref', this.cells(range, scope));
      }
    }
  }

  /** An area such as `A5:C5`, or a list of them, as it is now; empty where all of it is gone. */
  cells(area: string, from: Scope | null = null): string {
    const rewrite: Rewrite = ({ first, last }) => {
      const range = this.map.range(first, last ?? first, from);
      if (range === null) return null;
      return { first: range[0], last: last === null && range[0] === range[1] ? null : range[1] };
    };
    return area
      .split(' ')
      .map((one) => rewriteFormula(one, 'excel', rewrite))
      .filter((one) => !one.includes('#REF!'))
      .join(' ');
  }

  /** An area once for every pass of the loop it lies in: merged cells, links. */
  everyArea(area: string): string[] {
    const match = /^(\$?[A-Z]+\$?)(\d+)(?::(\$?[A-Z]+\$?)(\d+))?$/.exec(area);
    if (match === null) return [area];
    const [, from = '', first = '', to, last] = match;
    return this.map
      .each(Number(first), Number(last ?? first))
      .map(([a, b]) => (to === undefined ? `${from}${a}` : `${from}${a}:${to}${b}`));
  }
}

function within(scope: Scope | null, outer: Scope): boolean {
  for (let at = scope; at !== null; at = at.parent) if (at === outer) return true;
  return false;
}
