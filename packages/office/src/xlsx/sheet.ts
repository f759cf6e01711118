import { columnName, type Reference, type Rewrite, rewriteFormula } from '../calc/formula.ts';
import { RemovedReferences, countBelow, type PlacedRow } from '../calc/empty-rows.ts';
import { RowMap } from '../calc/row-map.ts';
import type { Scope } from '../decode.ts';
import { all, copyElement, type Element, insertBeside, Text } from '../xml/tree.ts';
import { columnOf, type SheetLayout } from './prepare.ts';

/** Returns the rows that a reference on a sheet, or outside of sheets, refers to. */
export type Resolve = (reference: Reference, from: Scope | null, sheet: Sheet | null) => ReturnType<Rewrite>;

/** A filled sheet: renumbers its rows and updates everything on it that refers to rows. */
export class Sheet {
  readonly root: Element;
  readonly layout: SheetLayout;
  /** Name in the template; `name` is the current one. */
  readonly oldName: string;
  readonly name: string;
  private readonly scopes: WeakMap<Element, Scope>;
  private rows: PlacedRow[] = [];
  /** Numbers of the template's rows, ascending. */
  private readonly origins: readonly number[];
  map: RowMap;
  /** Ranges whose rows have all disappeared, found while references were resolved. */
  readonly collapses: RemovedReferences;

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
    this.origins = layout.rows.map(({ origin }) => origin).toSorted((a, b) => a - b);
    this.collapses = new RemovedReferences(layout.rowOf);
    this.map = this.number();
  }

  /** Numbers rows and cells by their new positions. */
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

  /** Returns the number of rows between two template rows that the file omits. */
  private missing(previous: number, origin: number): number {
    if (origin <= previous) return 0;
    return Math.max(0, origin - previous - 1 - countBetween(this.origins, previous, origin));
  }

  private numberCells(row: Element, number: number): void {
    const columns = this.layout.columns.get(row.source ?? row) ?? [];
    let column = 0;
    let previous = 0;
    for (const cell of row.elements('x:c')) {
      const origin = columnOf(cell.source ?? cell);
      if (origin > previous) {
        column += origin - previous - countBetween(columns, previous, origin);
      } else column += 1;
      previous = origin;
      cell.set('r', `${columnName(column)}${number}`);
    }
  }

  /** Keeps an empty row where a formula needs one, and numbers the rows again. */
  keepEmptyRows(): void {
    const data = this.root.first('x:sheetData');
    if (!data) return;
    const empty = this.collapses.take(this.rows).map(({ template, scope, before, after }) => {
      const row = copyElement(template);
      for (const cell of row.elements()) {
        cell.replaceChildren();
        cell.unset('t');
      }
      row.children = row.children.filter((child) => child.kind === 'element');
      if (scope) this.scopes.set(row, scope);
      return { node: row, before, after };
    });
    insertBeside(data, empty);
    this.map = this.number();
  }

  /** Returns the rows that a reference to this sheet refers to, from a row in a loop or from outside. */
  resolve(
    { first, last, isArgument }: Reference,
    from: Scope | null,
  ): { first: number; last: number | null } | null {
    if (last === null) {
      const one = this.map.one(first, from);
      if (one === null) {
        if (isArgument) this.collapses.addRow(first, from);
        return null;
      }
      if (isArgument && one.count > 1) return { first: one.first, last: one.last };
      return { first: one.first, last: null };
    }
    const range = this.map.range(first, last, from);
    if (range !== null) return { first: range[0], last: range[1] };
    this.collapses.addRange(first, last, from);
    return null;
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

  /**
   * Returns the new position of an area such as `A5:C5`, or of a list of them; empty when all of it has
   * disappeared.
   */
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

  /** Returns an area once for every pass of the loop that contains it: merged cells, links. */
  everyArea(area: string): string[] {
    const match = /^(\$?[A-Z]+\$?)(\d+)(?::(\$?[A-Z]+\$?)(\d+))?$/.exec(area);
    if (match === null) return [area];
    const [, from = '', first = '', to, last] = match;
    return this.map
      .each(Number(first), Number(last ?? first))
      .map(([a, b]) => (to === undefined ? `${from}${a}` : `${from}${a}:${to}${b}`));
  }
}

/** Returns how many numbers of an ascending list lie between two others. */
function countBetween(ascending: readonly number[], low: number, high: number): number {
  return countBelow(ascending, high) - countBelow(ascending, low + 1);
}
