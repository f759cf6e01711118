import type { Decoded } from '../decode.ts';
import type { OfficePackage } from '../package.ts';
import { all, copyElement, distinct, type Element, remove, replace } from '../xml/tree.ts';
import { ADDRESSES, FORMULAS } from './addresses.ts';
import { cellName } from './cell-names.ts';
import { MOST_RANGES } from './copies.ts';
import { LOST, movedDown, type Reference, type Rewrite, rewriteFormula } from './formula.ts';
import { noSheetError, uniqueSheetName } from './names.ts';
import { FormulaNotes } from './notes.ts';
import { moveBreaks } from './ods-breaks.ts';
import type { OdsChart } from './ods-charts.ts';
import { updateSpans } from './ods-spans.ts';
import { separateValidations } from './ods-validations.ts';
import { OdsSheet } from './ods-sheet.ts';
import { moveFrozenRows } from './ods-views.ts';
import { isSpan, spanOf } from './sheet-span.ts';
import { dropOutdated } from './outdated.ts';
import type { FormulaPlace } from './references.ts';

/** OpenDocument spreadsheets: updates all references to rows. */

/** Addresses that mean nothing but the copies of their rows: those of charts and formats are lists. */
const RANGES: Readonly<Record<string, Pick<Reference, 'mostRanges'> & Partial<Reference>>> = {
  'calcext:conditional-format calcext:target-range-address': { mostRanges: 2000 },
  'chart:series chart:values-cell-range-address': { mostRanges: MOST_RANGES, ignores: 'none' },
  'chart:domain table:cell-range-address': { mostRanges: MOST_RANGES, ignores: 'none' },
  'chart:categories table:cell-range-address': { mostRanges: MOST_RANGES, ignores: 'none' },
  'table:named-range table:cell-range-address': { mostRanges: 0 },
};

/**
 * Names sheets and updates all references to rows, in the document and in its charts.
 *
 * @returns sentences about formulas that the author should check
 */
export function updateReferences(
  root: Element,
  charts: readonly Pick<OdsChart, 'document' | 'table'>[],
  decoded: Pick<Decoded, 'scopes' | 'repeated'>,
  file: OfficePackage,
): string[] {
  const taken = new Set<string>();
  const sheets = all(root, 'table:table')
    .filter((table) => table.parent?.tag === 'office:spreadsheet')
    .map((table) => {
      const name = uniqueSheetName(table.get('table:name') ?? '', taken, table.source?.get('table:name'));
      taken.add(name.toLowerCase());
      table.set('table:name', name);
      return new OdsSheet(table, name, decoded);
    });
  if (sheets.length === 0) throw noSheetError();
  const kept = new Set(sheets.map(({ oldName }) => oldName));
  const order = sheetNames(root.source ?? root);
  const removed = new Set(order.filter((name) => !kept.has(name)));
  const notes = new FormulaNotes();
  const owners = separateValidations(root, sheets, (one, { oldName }) => baseOf(one) === oldName);
  for (const sheet of sheets) owners.set(sheet.table, sheet);
  separateFilters(root, sheets, owners);
  const rewriting = { sheets, order, removed, notes, owners };
  const rewrite = (): void => {
    notes.clear();
    rewriteAll(root, null, rewriting);
    for (const { document, table } of charts) rewriteAll(document.root, table, rewriting);
  };
  rewrite();
  if (!sheets.every(({ collapses }) => collapses.isEmpty)) {
    for (const sheet of sheets) sheet.keepEmptyRows();
    rewrite();
  }
  if (removed.size > 0) dropLost(root, removed, notes);
  moveFrozenRows(file, sheets);
  const names = all(root, 'table:named-range', 'table:named-expression').map((name): [string, string] => {
    const area = name.get('table:cell-range-address');
    const text = area === undefined ? name.get('table:expression') : `[${area}]`;
    return [name.get('table:name')?.toLowerCase() ?? '', text ?? ''];
  });
  const cells = sheets.map((sheet) => ({ name: sheet.name, cells: sheet.filledCells() }));
  dropOutdated(cells, new Map(names), 'open');
  sheets.forEach(updateSpans);
  moveBreaks(root, sheets);
  return notes.sentences();
}

/** LibreOffice's name of the filter of a sheet, with the number of the sheet. */
const ANONYMOUS = /^__Anonymous_Sheet_DB__\d+$/;

/** Gives copies of sheets filters and other database ranges of their own. */
function separateFilters(root: Element, sheets: readonly OdsSheet[], owners: Map<Element, OdsSheet>): void {
  const ranges = all(root, 'table:database-range');
  const taken = new Set(ranges.map((range) => range.get('table:name')));
  for (const range of ranges) {
    const name = range.get('table:name') ?? '';
    const target = sheetIn(range.source ?? range, 'table:target-range-address');
    const copies = sheets.filter(({ oldName }) => oldName === target);
    for (const [at, sheet] of copies.entries()) {
      const own = at === 0 ? range : copyElement(range);
      owners.set(own, sheet);
      if (ANONYMOUS.test(name)) own.set('table:name', `__Anonymous_Sheet_DB__${sheets.indexOf(sheet)}`);
      if (at === 0) continue;
      for (let free = at + 1; taken.has(own.get('table:name')) && !ANONYMOUS.test(name); free += 1)
        own.set('table:name', `${name}_${free}`);
      taken.add(own.get('table:name'));
      range.parent?.insertAfter(range, own);
    }
  }
}

function sheetNames(root: Element): string[] {
  const tables = all(root, 'table:table').filter(({ parent }) => parent?.tag === 'office:spreadsheet');
  return tables.flatMap((table) => table.get('table:name') ?? []);
}

/** Removes names, ranges and links that lead to removed sheets; the text of a link stays. */
function dropLost(root: Element, removed: ReadonlySet<string>, notes: FormulaNotes): void {
  const named = all(root, ...NAMED);
  const values = (element: Element): string => element.attributes.map(({ value }) => value).join(' ');
  const formulas = all(root, 'table:table-cell', 'table:content-validation', 'calcext:condition');
  const used = new Set(formulas.flatMap((one) => values(one).match(/[\p{L}_][\p{L}\p{N}_.]*/gu) ?? []));
  for (const element of named) {
    const name = element.get('table:name') ?? '';
    const isLost = values(element).includes(LOST) && !values(element.source ?? element).includes(LOST);
    if (!isLost || (used.has(name) && element.tag !== 'table:database-range')) continue;
    remove(element);
    notes.addDropped(nameIn(element));
  }
  for (const link of all(root, 'text:a', 'draw:a')) {
    const [, quoted, plain] = /^#\$?(?:'((?:[^']|'')+)'|([^.']+))\./.exec(link.get('xlink:href') ?? '') ?? [];
    const name = quoted?.replaceAll("''", "'") ?? plain;
    if (name === undefined || !removed.has(name)) continue;
    notes.addDropped(`a link (${link.textContent().slice(0, 40)})`);
    replace(link, ...link.children);
  }
}

const NAMED = ['table:named-range', 'table:named-expression', 'table:database-range'];

function nameIn(named: Element): string {
  return `the name ${named.get('table:name') ?? ''}`;
}

interface Rewriting {
  sheets: readonly OdsSheet[];
  /** Names of the template's sheets. */
  order: readonly string[];
  /** Names of the template's sheets that the result lacks. */
  removed: ReadonlySet<string>;
  notes: FormulaNotes;
  /** The sheet to which tables, and validations of copied sheets, belong. */
  owners: ReadonlyMap<Element, OdsSheet>;
}

/** @param table the sheet that shows the document, if it is a chart */
function rewriteAll(root: Element, table: Element | null, rewriting: Rewriting): void {
  const { sheets, notes, owners } = rewriting;
  const visit = (element: Element, sheet: OdsSheet | null): void => {
    if (element.tag === 'calcext:sparklines') {
      for (const line of distinct(element.elements())) repeatSparkline(line, sheet, rewriting);
      return;
    }
    const source = element.source ?? element;
    const own = owners.get(element) ?? baseSheet(source, sheets, sheet) ?? sheet;
    for (const { tag, value } of source.attributes) {
      const isFormula = FORMULAS.has(tag);
      if (!isFormula && !ADDRESSES.has(tag)) continue;
      // A row that stays empty for formulas that refer to it has none itself.
      if (isFormula && element.get(tag) === undefined) continue;
      const base = tag === 'table:formula' || own === null ? null : basePlace(source, own);
      const place = tag === 'table:formula' ? (own?.placeOf(element) ?? null) : (base?.place ?? null);
      const rewrite = movedDown(rewriter(rewriting, own, place), base?.tagRows ?? 0);
      const where = (): string =>
        NAMED.includes(source.tag)
          ? nameIn(source)
          : place?.column == null
            ? `${source.name} (${value})`
            : cellName(own?.oldName ?? null, `${place.column}${place.row}`);
      element.set(
        tag,
        isFormula
          ? notes.rewrite(value, 'open', rewrite, where)
          : notes.rewrite(
              value,
              'address',
              BASES.has(tag)
                ? (reference) => rewrite({ ...reference, isFixed: [false, false] })
                : area(rewriter(rewriting, own, null), `${source.tag} ${tag}`),
              where,
            ),
      );
    }
    for (const child of element.elements()) visit(child, own);
  };
  visit(root, (table && owners.get(table)) ?? null);
}

/** Addresses of a sparkline, which is a chart in one cell. */
const SPARKLINE = ['calcext:cell-address', 'calcext:data-range'];

/** Puts a sparkline into its cell in each pass that repeats the cell. */
function repeatSparkline(line: Element, own: OdsSheet | null, rewriting: Rewriting): void {
  const source = line.source ?? line;
  const cell = source.get('calcext:cell-address') ?? '';
  const [, column = null, digits = ''] = /\.\$?([A-Z]+)\$?(\d+)$/.exec(cell) ?? [];
  const row = Number(digits);
  const copies = (own?.map.passesOf(row, row) ?? [null]).map((scope, i) => {
    const copy = i === 0 ? line : copyElement(line);
    const rewrite = area(rewriter(rewriting, own, { row, column, scope }), '');
    for (const tag of SPARKLINE)
      copy.set(
        tag,
        rewriting.notes.rewrite(source.get(tag) ?? '', 'address', rewrite, () => cell),
      );
    return copy;
  });
  line.parent?.insertAfter(line, ...copies.slice(1));
  for (const copy of copies) if (copy.get('calcext:cell-address')?.includes(LOST)) remove(copy);
}

/** Attributes with the cell to which the relative references of a formula belong. */
const BASES: ReadonlySet<string> = new Set(['table:base-cell-address', 'calcext:base-cell-address']);

/**
 * Returns the place of the formula of a validation or conditional format, which is that of its base cell, in
 * the first pass, and how many rows of tags are above the first cell that remains.
 */
function basePlace(source: Element, own: OdsSheet): { place: FormulaPlace; tagRows: number } | null {
  const base = source.get('table:base-cell-address') ?? source.get('calcext:base-cell-address') ?? '';
  const first = /\.\$?[A-Z]+\$?(\d+)$/.exec(base)?.[1];
  if (first === undefined) return null;
  const place = own.placeAt(own.map.baseRow(Number(first)));
  return { place, tagRows: place.row - Number(first) };
}

/**
 * Returns the sheet for references without a sheet in a validation or a defined name (ODF 1.3 part 3,
 * 19.602).
 */
function baseSheet(
  source: Element,
  sheets: readonly OdsSheet[],
  around: OdsSheet | null,
): OdsSheet | undefined {
  const name = baseOf(source);
  // A copied sheet has names of its own.
  if (name === null || around?.oldName === name) return undefined;
  return sheets.find(({ oldName }) => oldName === name);
}

/** Returns the name of the sheet of a base cell. */
function baseOf(source: Element): string | null {
  return sheetIn(source, 'table:base-cell-address');
}

/** Returns the name of the sheet in an address. */
function sheetIn(source: Element, attribute: string): string | null {
  let name: string | null = null;
  const note: Rewrite = ({ sheet, first, last }) => {
    name = sheet;
    return { first, last };
  };
  rewriteFormula(source.get(attribute) ?? '', 'address', note);
  return name;
}

/** Returns a rewrite for areas, which grow with their rows even outside of functions. */
function area(rewrite: Rewrite, place: string): Rewrite {
  const ranges = RANGES[place] ?? { mostRanges: null };
  return (reference) => rewrite({ ...reference, isArgument: reference.last !== null, ...ranges });
}

function rewriter(
  { sheets, order, removed }: Rewriting,
  own: OdsSheet | null,
  place: FormulaPlace | null,
): Rewrite {
  return (reference) => {
    if (isSpan(reference)) return spanOf(reference, sheets, order);
    const isOwn = reference.sheet === null || reference.sheet === own?.oldName;
    const target = isOwn ? own : sheets.find(({ oldName }) => oldName === reference.sheet);
    if (!target) {
      const isGone = !isOwn && removed.has(reference.sheet ?? '');
      return isGone ? null : { first: reference.first, last: reference.last };
    }
    const rows = target.target(reference, isOwn ? place : null);
    if (rows === null || reference.sheet === null || target.name === target.oldName) return rows;
    return { ...rows, sheet: target.name };
  };
}
