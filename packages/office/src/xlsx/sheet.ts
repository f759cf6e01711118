import { cellName } from '../calc/cell-names.ts';
import { ColumnMoves } from '../calc/column-moves.ts';
import { copiesOf } from '../calc/copies.ts';
import {
  columnName,
  columnNumber,
  LOST,
  type Reference,
  type Rewrite,
  rewriteFormula,
} from '../calc/formula.ts';
import type { FormulaNotes } from '../calc/notes.ts';
import type { FilledCell } from '../calc/outdated.ts';
import { type CellKind, type FormulaPlace, type Target, targetOf } from '../calc/references.ts';
import { countBelow } from '../calc/count-below.ts';
import { RemovedReferences, type PlacedRow } from '../calc/empty-rows.ts';
import { RowMap } from '../calc/row-map.ts';
import type { Decoded, Scope } from '../decode.ts';
import { foreignIn } from '../foreign.ts';
import { all, copyElement, type Element, insertBeside, remove, Text } from '../xml/tree.ts';
import { columnOf, type SheetLayout } from './prepare.ts';

/** Returns the rows that a reference on a sheet, or outside of sheets, refers to. */
export type Resolve = (
  reference: Reference,
  place: FormulaPlace | null,
  sheet: Sheet | null,
) => ReturnType<Rewrite>;

/** What rewriting formulas needs besides their sheet. */
export interface Rewriting {
  resolve: Resolve;
  notes: FormulaNotes;
}

/** Most areas of a conditional format or a validation. */
const MOST_AREAS = 2000;

/** A filled sheet: renumbers its rows and updates everything on it that refers to rows. */
export class Sheet {
  readonly root: Element;
  readonly layout: SheetLayout;
  /** Name in the template; `name` is the current one. */
  readonly oldName: string;
  readonly name: string;
  private readonly scopes: WeakMap<Element, Scope>;
  private readonly repeated: Decoded['repeated'];
  private rows: PlacedRow[] = [];
  /** Empty rows that stay for formulas. */
  private readonly kept = new WeakSet<Element>();
  /** Numbers of the template's rows, ascending. */
  private readonly origins: readonly number[];
  private readonly kinds = new WeakMap<Element, ReadonlyMap<number, CellKind>>();
  readonly columnMoves = new ColumnMoves();
  map: RowMap;
  /** Ranges whose rows have all disappeared, found while references were resolved. */
  readonly collapses: RemovedReferences;

  constructor(
    root: Element,
    layout: SheetLayout,
    names: { old: string; now: string },
    { scopes, repeated }: Pick<Decoded, 'scopes' | 'repeated'>,
  ) {
    this.root = root;
    this.layout = layout;
    this.oldName = names.old;
    this.name = names.now;
    this.scopes = scopes;
    this.repeated = repeated;
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
      this.numberCells(element, row, template.origin);
      const scope = this.scopes.get(element) ?? null;
      this.rows.push({ element, template, row, scope, isKept: this.kept.has(element) });
    }
    return new RowMap(layout.rows, this.rows, this.repeated);
  }

  /** Returns the number of rows between two template rows that the file omits. */
  private missing(previous: number, origin: number): number {
    if (origin <= previous) return 0;
    return Math.max(0, origin - previous - 1 - countBetween(this.origins, previous, origin));
  }

  private numberCells(row: Element, number: number, templateRow: number): void {
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
      this.columnMoves.add(templateRow, origin, column);
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
      this.kept.add(row);
      return { node: row, before, after };
    });
    insertBeside(data, empty);
    this.map = this.number();
  }

  /** Returns the rows to which a reference to this sheet leads. */
  target(reference: Reference, place: FormulaPlace | null): Target | null {
    return targetOf(reference, place, this);
  }

  /** Returns what a cell of the template contains. */
  readonly kindOf = (row: number, column: string): CellKind => {
    const element = this.map.elementAt(row);
    if (element === undefined) return 'empty';
    let kinds = this.kinds.get(element);
    if (kinds === undefined) this.kinds.set(element, (kinds = kindsIn(element)));
    return kinds.get(columnNumber(column)) ?? 'empty';
  };

  /** Rewrites every formula of a cell. */
  rewriteCells({ resolve, notes }: Rewriting): void {
    for (const { element, template, scope } of this.rows) {
      for (const formula of all(element, 'x:f')) {
        formula.replaceChildren();
        const { source } = formula;
        const cell = source?.parent?.get('r') ?? '';
        const place = { row: template.origin, column: /^[A-Z]+/.exec(cell)?.[0] ?? null, scope };
        const text = notes.rewrite(
          source?.textContent() ?? '',
          'excel',
          (reference) => resolve(reference, place, this),
          () => cellName(this.oldName, cell),
        );
        if (text !== '') formula.append(new Text(text));
        const range = source?.get('ref');
        if (range !== undefined) formula.set('ref', this.cells(range, scope));
      }
    }
  }

  /** Returns the cells with what decides whether their saved values are outdated. */
  filledCells(): FilledCell[] {
    return this.rows.flatMap(({ element, row, scope }) =>
      element.elements('x:c').map((cell) => {
        const { source } = cell;
        const formula = cell.first('x:f');
        const isChanged =
          scope !== null ||
          source === null ||
          foreignIn(source).length > 0 ||
          (cell.children.length === 0 && source.children.length > 0);
        return {
          row,
          column: columnOf(cell),
          isChanged: isChanged || (formula !== undefined && cell.first('x:v') === undefined),
          formula: formula
            ? {
                text: formula.textContent(),
                before: formula.source?.textContent() ?? '',
                drop: () => dropValue(cell),
              }
            : null,
        };
      }),
    );
  }

  /**
   * Returns the place of a formula for an area such as `A5:C5`: that of the first cell that remains, and how
   * many rows of tags are above it.
   */
  placeOf(area: string): { place: FormulaPlace; tagRows: number } | null {
    const first = /^\$?[A-Z]+\$?(\d+)/.exec(area)?.[1];
    if (first === undefined) return null;
    const row = this.map.baseRow(Number(first));
    return { place: { row, column: null, scope: this.map.firstPass(row) }, tagRows: row - Number(first) };
  }

  /** Returns the place of a formula for a cell in each pass that repeats it. */
  placesOf(cell: string): FormulaPlace[] {
    const [, column = null, digits = ''] = /^\$?([A-Z]+)\$?(\d+)/.exec(cell) ?? [];
    const row = Number(digits);
    return this.map.passesOf(row, row).map((scope) => ({ row, column, scope }));
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
    return remaining(area, rewrite).join(' ');
  }

  /**
   * Returns the new positions of a list of areas, without other rows of their blocks that have values; empty
   * when all of it has disappeared.
   *
   * @param onWhole called when the list would be too long, so that it has those rows as well
   */
  areas(list: string, onWhole: () => void): string {
    const rewrite: Rewrite = (reference) => {
      const range = { ...reference, last: reference.last ?? reference.first, mostRanges: MOST_AREAS };
      const rows = this.map.range(range.first, range.last, null);
      if (rows === null) return null;
      const ranges = copiesOf(range, rows, this);
      if (ranges === null) onWhole();
      return { first: rows[0], last: rows[1], ranges: ranges ?? [rows] };
    };
    return remaining(list, rewrite)
      .map((one) => one.replace(/[()]/g, '').replaceAll(',', ' '))
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

/** Rewrites each of a list of areas, and leaves out those that have disappeared. */
function remaining(areas: string, rewrite: Rewrite): string[] {
  return areas
    .split(' ')
    .map((area) => rewriteFormula(area, 'excel', rewrite))
    .filter((area) => !area.includes(LOST));
}

function dropValue(cell: Element): void {
  for (const value of cell.elements('x:v')) remove(value);
  cell.unset('t');
}

/** Returns what the cells of a row of the template contain, by column. */
function kindsIn(row: Element): ReadonlyMap<number, CellKind> {
  return new Map(
    row.elements('x:c').map((cell): [number, CellKind] => {
      const isText = ['s', 'inlineStr', 'str'].includes(cell.get('t') ?? '') && !cell.first('x:f');
      const kind = cell.children.length === 0 ? 'empty' : 'value';
      return [columnOf(cell), kind === 'value' && isText && foreignIn(cell).length === 0 ? 'text' : kind];
    }),
  );
}

/** Returns how many numbers of an ascending list lie between two others. */
function countBetween(ascending: readonly number[], low: number, high: number): number {
  return countBelow(ascending, high) - countBelow(ascending, low + 1);
}
