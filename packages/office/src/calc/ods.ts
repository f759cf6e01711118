import type { Decoded, Scope } from '../decode.ts';
import { foreignIn } from '../foreign.ts';
import { TypedValue } from '../marks.ts';
import type { OfficePackage } from '../package.ts';
import { all, copyElement, type Element, insertBeside, remove, replace, Text } from '../xml/tree.ts';
import { isoDate } from './dates.ts';
import { RemovedReferences, type PlacedRow } from './empty-rows.ts';
import { type Reference, type Rewrite, rewriteFormula } from './formula.ts';
import { uniqueSheetName } from './names.ts';
import { RowMap, type TemplateRow } from './row-map.ts';

/** OpenDocument spreadsheets: sets the types of cells, and updates all references to rows. */

/** Rows of each template table, before its tags were searched. */
const layouts = new WeakMap<Element, { rows: TemplateRow[]; rowOf: Map<Element, TemplateRow> }>();

/** Records the rows of a template's sheets. */
export function recordRows(root: Element): void {
  for (const table of all(root, 'table:table')) {
    const rows: TemplateRow[] = [];
    const rowOf = new Map<Element, TemplateRow>();
    let origin = 1;
    for (const row of all(table, 'table:table-row')) {
      const entry = { origin, count: countOf(row) };
      rows.push(entry);
      rowOf.set(row, entry);
      origin += entry.count;
    }
    layouts.set(table, { rows, rowOf });
  }
}

function countOf(row: Element): number {
  return Math.max(1, Number(row.get('table:number-rows-repeated') ?? 1) || 1);
}

/** One filled sheet. */
class OdsSheet {
  readonly table: Element;
  readonly oldName: string;
  readonly name: string;
  readonly collapses: RemovedReferences;
  private readonly layout: { rows: TemplateRow[]; rowOf: Map<Element, TemplateRow> };
  private readonly scopes: WeakMap<Element, Scope>;
  private rows: PlacedRow[] = [];
  map: RowMap;

  constructor(table: Element, name: string, scopes: WeakMap<Element, Scope>) {
    this.table = table;
    this.oldName = table.source?.get('table:name') ?? name;
    this.name = name;
    this.layout = layouts.get(table.source ?? table) ?? { rows: [], rowOf: new Map() };
    this.scopes = scopes;
    this.collapses = new RemovedReferences(this.layout.rowOf);
    this.map = this.number();
  }

  private number(): RowMap {
    let row = 1;
    this.rows = [];
    for (const element of all(this.table, 'table:table-row')) {
      const template = this.layout.rowOf.get(element.source ?? element);
      if (template) this.rows.push({ element, template, row, scope: this.scopes.get(element) ?? null });
      row += countOf(element);
    }
    return new RowMap(this.layout.rows, this.rows);
  }

  /** Returns the loop pass that contains a cell. */
  scopeOf(cell: Element): Scope | null {
    return (cell.parent && this.scopes.get(cell.parent)) ?? null;
  }

  resolve(
    { first, last, isArgument }: Reference,
    from: Scope | null,
  ): { first: number; last: number | null } | null {
    if (last === null) {
      const one = this.map.one(first, from);
      if (one === null && isArgument) this.collapses.addRow(first, from);
      if (one === null) return null;
      return { first: one.first, last: isArgument && one.count > 1 ? one.last : null };
    }
    const range = this.map.range(first, last, from);
    if (range !== null) return { first: range[0], last: range[1] };
    this.collapses.addRange(first, last, from);
    return null;
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
      return { node: row, before, after };
    });
    insertBeside(this.table, empty);
    this.map = this.number();
  }
}

/** Gives every cell the type of its value. Has to run before remaining values are removed. */
export function finishOdsCells(root: Element, file: OfficePackage): void {
  const dates = dateStyles(root, file);
  for (const cell of all(root, 'table:table-cell')) {
    const isFilled = foreignIn(cell).length > 0 || all(cell, 'text:p').some((one) => hadTags(one));
    if (isFilled) finishCell(cell, dates);
    if (cell.get('table:formula') !== undefined) {
      // The attributes hold the result with the template's own values.
      for (const { tag } of cell.attributes) if (/^(office|calcext):.*value/.test(tag)) cell.unset(tag);
      for (const text of cell.elements('text:p')) remove(text);
    }
  }
}

function hadTags(paragraph: Element): boolean {
  const { source } = paragraph;
  return source !== null && (foreignIn(source).length > 0 || source.parent === null);
}

function finishCell(cell: Element, dates: ReadonlySet<string>): void {
  const typed = foreignIn(cell).filter((node) => node instanceof TypedValue);
  const [value] = typed;
  for (const node of typed)
    replace(node, new Text(node.type === 'boolean' ? (node.value === '1' ? 'TRUE' : 'FALSE') : node.value));
  const text = all(cell, 'text:p')
    .map((one) => one.textContent())
    .join('\n');
  const date = dates.has(cell.get('table:style-name') ?? '') ? isoDate(text) : null;
  for (const name of ['value', 'date-value', 'time-value', 'boolean-value', 'string-value', 'currency'])
    cell.unset(`office:${name}`);
  cell.unset('calcext:value-type');
  cell.unset('office:value-type');
  if (value?.type === 'number') setType(cell, 'float', 'value', value.value);
  else if (value?.type === 'boolean')
    setType(cell, 'boolean', 'boolean-value', value.value === '1' ? 'true' : 'false');
  else if (date) setType(cell, 'date', 'date-value', date.iso);
  else if (text !== '' || foreignIn(cell).length > 0) cell.set('office:value-type', 'string');
  else for (const paragraph of cell.elements('text:p')) remove(paragraph);
}

function setType(cell: Element, type: string, attribute: string, value: string): void {
  cell.set('office:value-type', type);
  cell.set(`office:${attribute}`, value);
}

/** Returns the cell styles that show numbers as dates. */
function dateStyles(root: Element, file: OfficePackage): ReadonlySet<string> {
  const roots = [root, ...(file.has('styles.xml') ? [file.xml('styles.xml').root] : [])];
  const formats = new Set(
    roots.flatMap((one) => all(one, 'number:date-style').map((style) => style.get('style:name'))),
  );
  return new Set(
    roots
      .flatMap((one) => all(one, 'style:style'))
      .filter((style) => formats.has(style.get('style:data-style-name') ?? ''))
      .map((style) => style.get('style:name') ?? ''),
  );
}

/** Attributes that contain cell addresses. */
const ADDRESSES = [
  'table:cell-range-address',
  'table:base-cell-address',
  'table:target-range-address',
  'table:print-ranges',
  'table:end-cell-address',
  'draw:notify-on-update-of-ranges',
  'chart:values-cell-range-address',
  'chart:label-cell-address',
  'calcext:target-range-address',
  'calcext:base-cell-address',
];
const FORMULAS = ['table:expression', 'table:condition', 'calcext:value'];

/** Names sheets and updates all references to rows, in the document and in its charts. */
export function updateReferences(root: Element, charts: readonly Element[], scopes: Decoded['scopes']): void {
  const taken = new Set<string>();
  const sheets = all(root, 'table:table')
    .filter((table) => table.parent?.tag === 'office:spreadsheet')
    .map((table) => {
      const name = uniqueSheetName(table.get('table:name') ?? '', taken, table.source?.get('table:name'));
      taken.add(name.toLowerCase());
      table.set('table:name', name);
      return new OdsSheet(table, name, scopes);
    });
  const rewrite = (): void => [root, ...charts].forEach((one) => rewriteAll(one, sheets));
  rewrite();
  if (sheets.every(({ collapses }) => collapses.isEmpty)) return;
  for (const sheet of sheets) sheet.keepEmptyRows();
  rewrite();
}

function rewriteAll(root: Element, sheets: readonly OdsSheet[]): void {
  const byTable = new Map(sheets.map((sheet) => [sheet.table, sheet]));
  const visit = (element: Element, sheet: OdsSheet | null): void => {
    const source = element.source ?? element;
    const own = byTable.get(element) ?? baseSheet(source, sheets) ?? sheet;
    for (const { tag, value } of source.attributes) {
      if (tag === 'table:formula') {
        element.set(tag, rewriteFormula(value, 'open', rewriter(sheets, own, own?.scopeOf(element) ?? null)));
      } else if (FORMULAS.includes(tag))
        element.set(tag, rewriteFormula(value, 'open', rewriter(sheets, own, null)));
      else if (ADDRESSES.includes(tag))
        element.set(tag, rewriteFormula(value, 'address', area(rewriter(sheets, own, null))));
    }
    for (const child of element.elements()) visit(child, own);
  };
  visit(root, null);
}

/**
 * Returns the sheet for references without a sheet in a validation or a defined name (ODF 1.3 part 3,
 * 19.602).
 */
function baseSheet(source: Element, sheets: readonly OdsSheet[]): OdsSheet | undefined {
  let name: string | null = null;
  const note: Rewrite = ({ sheet, first, last }) => {
    name = sheet;
    return { first, last };
  };
  rewriteFormula(source.get('table:base-cell-address') ?? '', 'address', note);
  return name === null ? undefined : sheets.find(({ oldName }) => oldName === name);
}

/** Returns a rewrite for areas, which grow with their rows even outside of functions. */
function area(rewrite: Rewrite): Rewrite {
  return (reference) => rewrite({ ...reference, isArgument: reference.last !== null });
}

function rewriter(sheets: readonly OdsSheet[], own: OdsSheet | null, from: Scope | null): Rewrite {
  return (reference) => {
    const isOwn = reference.sheet === null || reference.sheet === own?.oldName;
    const target = isOwn ? own : sheets.find(({ oldName }) => oldName === reference.sheet);
    if (!target) return { first: reference.first, last: reference.last };
    const rows = target.resolve(reference, isOwn ? from : null);
    if (rows === null || reference.sheet === null || target.name === target.oldName) return rows;
    return { ...rows, sheet: target.name };
  };
}
