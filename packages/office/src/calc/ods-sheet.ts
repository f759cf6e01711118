import type { Decoded, Scope } from '../decode.ts';
import { foreignIn } from '../foreign.ts';
import { countOf } from '../odf/counts.ts';
import { all, copyElement, type Element, insertBeside, remove } from '../xml/tree.ts';
import { ColumnMoves } from './column-moves.ts';
import { type PlacedRow, RemovedReferences } from './empty-rows.ts';
import { columnName, columnNumber, type Reference } from './formula.ts';
import type { FilledCell } from './outdated.ts';
import { type CellKind, type FormulaPlace, type Target, targetOf } from './references.ts';
import { RowMap, type TemplateRow } from './row-map.ts';

/** The sheets of a filled OpenDocument spreadsheet. */

/** Rows of each template table, before its tags were searched. */
const layouts = new WeakMap<Element, { rows: TemplateRow[]; rowOf: Map<Element, TemplateRow> }>();

/** Records the rows of a template's sheets, and removes tags that are only saved values of formulas. */
export function recordRows(root: Element): void {
  for (const table of all(root, 'table:table')) {
    const rows: TemplateRow[] = [];
    const rowOf = new Map<Element, TemplateRow>();
    let origin = 1;
    for (const row of all(table, 'table:table-row')) {
      const entry = { origin, count: countOf(row, 'table:number-rows-repeated'), element: row };
      rows.push(entry);
      rowOf.set(row, entry);
      // Later, cells of tags are no longer in their rows.
      for (const [cell] of columnsIn(row)) if (savesTags(cell)) dropValue(cell);
      origin += entry.count;
    }
    layouts.set(table, { rows, rowOf });
  }
}

/** One filled sheet. */
export class OdsSheet {
  readonly table: Element;
  readonly oldName: string;
  readonly name: string;
  readonly collapses: RemovedReferences;
  private readonly layout: { rows: TemplateRow[]; rowOf: Map<Element, TemplateRow> };
  private readonly scopes: WeakMap<Element, Scope>;
  private readonly repeated: Decoded['repeated'];
  private rows: PlacedRow[] = [];
  /** Empty rows that stay for formulas. */
  private readonly kept = new WeakSet<Element>();
  readonly columnMoves = new ColumnMoves();
  map: RowMap;

  constructor(table: Element, name: string, { scopes, repeated }: Pick<Decoded, 'scopes' | 'repeated'>) {
    this.table = table;
    this.oldName = table.source?.get('table:name') ?? name;
    this.name = name;
    this.layout = layouts.get(table.source ?? table) ?? { rows: [], rowOf: new Map() };
    this.scopes = scopes;
    this.repeated = repeated;
    this.collapses = new RemovedReferences(this.layout.rowOf);
    this.map = this.number();
  }

  private number(): RowMap {
    let row = 1;
    this.rows = [];
    for (const element of all(this.table, 'table:table-row')) {
      const template = this.layout.rowOf.get(element.source ?? element);
      const scope = this.scopes.get(element) ?? null;
      if (template) this.rows.push({ element, template, row, scope, isKept: this.kept.has(element) });
      row += countOf(element, 'table:number-rows-repeated');
    }
    for (const { element, template } of this.rows) this.followColumns(element, template);
    return new RowMap(this.layout.rows, this.rows, this.repeated);
  }

  /** Records the cells of a row that a loop over columns repeats or moves. */
  private followColumns(row: Element, { element, origin }: TemplateRow): void {
    const cells = columnsIn(element);
    if (!cells.some(([cell]) => cell.parent === null)) return;
    const before = new Map(cells.map(([cell, column]) => [cell, column]));
    for (const [cell, column] of columnsIn(row))
      this.columnMoves.add(origin, before.get(cell.source ?? cell) ?? column, column);
  }

  /** Returns the place of a formula in a cell. */
  placeOf(cell: Element): FormulaPlace | null {
    const row = cell.parent;
    const template = row === null ? undefined : this.layout.rowOf.get(row.source ?? row);
    if (row === null || template === undefined) return null;
    const column = columnsIn(row.source ?? row).find(([one]) => one === (cell.source ?? cell))?.[1];
    return {
      row: template.origin,
      column: column === undefined ? null : columnName(column),
      scope: this.scopes.get(row) ?? null,
    };
  }

  /** Returns the place of a formula for a cell's address, such as that of a validation. */
  placeAt(row: number): FormulaPlace {
    return { row, column: null, scope: this.map.firstPass(row) };
  }

  /** Returns the rows to which a reference to this sheet leads. */
  target(reference: Reference, place: FormulaPlace | null): Target | null {
    return targetOf(reference, place, this);
  }

  /** Returns what a cell of the template contains. */
  readonly kindOf = (row: number, column: string): CellKind => {
    const element = this.map.elementAt(row);
    const number = columnNumber(column);
    const cells = element === undefined ? [] : columnsIn(element);
    const cell = cells.findLast(([, first]) => first <= number);
    if (cell === undefined || number >= cell[1] + cell[2]) return 'empty';
    return kindOf(cell[0]);
  };

  /** Returns the filled rows, in order. */
  placed(): readonly PlacedRow[] {
    return this.rows;
  }

  /** Returns the rows of the template, in order. */
  templateRows(): readonly TemplateRow[] {
    return this.layout.rows;
  }

  /** Returns the cells with what decides whether their saved values are outdated. */
  filledCells(): FilledCell[] {
    return this.rows.flatMap(({ element, row, scope }) =>
      columnsIn(element).flatMap(([cell, column]) => {
        const { source } = cell;
        const text = cell.get('table:formula');
        const isEmpty = cell.children.length === 0;
        if (text === undefined && isEmpty && source?.children.length === 0) return [];
        const isChanged =
          scope !== null ||
          source === null ||
          foreignIn(source).length > 0 ||
          (isEmpty && source.children.length > 0);
        const before = source?.get('table:formula') ?? '';
        const hasValue = cell.get('office:value-type') !== undefined;
        return [
          {
            row,
            column,
            isChanged: isChanged || (text !== undefined && !hasValue),
            formula: text === undefined ? null : { text, before, drop: () => dropValue(cell) },
          },
        ];
      }),
    );
  }

  /** Keeps an empty row for each formula that needs one. */
  keepEmptyRows(): void {
    const empty = this.collapses.take(this.rows).map(({ template, scope, before, after }) => {
      const row = copyElement(template);
      for (const cell of row.elements()) {
        cell.replaceChildren();
        cell.attributes = cell.attributes.filter(({ tag }) => !/^(office|calcext):|:formula$/.test(tag));
      }
      if (scope) this.scopes.set(row, scope);
      this.kept.add(row);
      return { node: row, before, after };
    });
    insertBeside(this.table, empty);
    this.map = this.number();
  }
}

const columns = new WeakMap<Element, [cell: Element, first: number, count: number][]>();

/** Returns the cells of a row of the template, with their columns. */
export function columnsIn(row: Element): readonly [cell: Element, first: number, count: number][] {
  let cells = columns.get(row);
  if (cells === undefined) {
    let column = 1;
    cells = row
      .elements()
      .filter(({ tag }) => tag === 'table:table-cell' || tag === 'table:covered-table-cell')
      .map((cell): [Element, number, number] => {
        const count = countOf(cell, 'table:number-columns-repeated');
        column += count;
        return [cell, column - count, count];
      });
    columns.set(row, cells);
  }
  return cells;
}

/** Returns whether the saved value of a formula shows tags: those of a cell to which it refers. */
function savesTags(cell: Element): boolean {
  return (
    cell.get('table:formula') !== undefined &&
    cell.elements('text:p').some((text) => /[{]|<im/i.test(text.textContent()))
  );
}

function kindOf(cell: Element): CellKind {
  if (cell.get('table:formula') !== undefined || foreignIn(cell).length > 0) return 'value';
  const type = cell.get('office:value-type');
  if (type === 'string') return cell.textContent() === '' ? 'empty' : 'text';
  return type === undefined ? 'empty' : 'value';
}

function dropValue(cell: Element): void {
  for (const { tag } of cell.attributes.slice()) if (/^(office|calcext):.*value/.test(tag)) cell.unset(tag);
  for (const text of cell.elements('text:p')) remove(text);
}
