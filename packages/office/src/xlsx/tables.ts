import { renameColumns, renameTable } from '../calc/structured.ts';
import { ownedParts } from '../ooxml/clone.ts';
import { relatedParts } from '../ooxml/related.ts';
import type { OfficePackage } from '../package.ts';
import { all, type Element } from '../xml/tree.ts';
import { cellText } from './charts.ts';
import { columnOf, templateColumns } from './prepare.ts';
import { setText } from './sheet-parts.ts';
import type { Sheet } from './sheet.ts';

/** Tables of a workbook (ECMA-376, 18.5): their areas, names and columns, and the formulas that name them. */

/** Formulas of tables. */
const FORMULAS = ['x:calculatedColumnFormula', 'x:totalsRowFormula'];

export class Tables {
  private readonly file: OfficePackage;
  /** The part of each id, and of each name in lower case; that of defined names is empty. */
  private readonly ids = new Map<number, string>();
  private readonly names = new Map<string, string>();
  /** The new names of the tables of a copied sheet, by the path of the table. */
  private readonly copied = new Map<string, { before: string; now: string }>();
  /** Renamed columns: table, then new name by old name in lower case. */
  private readonly columns = new Map<string, ReadonlyMap<string, string>>();

  /**
   * @param sheets paths of all sheets of the result, in order: the first table with an id or a name keeps it
   * @param defined defined names, which tables must not have
   */
  constructor(file: OfficePackage, sheets: readonly string[], defined: readonly Element[]) {
    this.file = file;
    for (const name of defined) this.names.set(name.get('name')?.toLowerCase() ?? '', '');
    for (const path of sheets.flatMap((sheet) => this.of(sheet))) {
      const { root } = file.xml(path);
      this.take(root, path);
    }
  }

  /** Returns the paths of the tables of a sheet. */
  private of(sheet: string): string[] {
    return relatedParts(this.file, sheet, 'table');
  }

  private take(root: Element, path: string): void {
    const id = Number(root.get('id') ?? 0);
    if (!this.ids.has(id)) this.ids.set(id, path);
    for (const name of [root.get('name'), root.get('displayName')]) {
      const key = name?.toLowerCase() ?? '';
      if (!this.names.has(key)) this.names.set(key, path);
    }
  }

  /** Updates a table's area, the names of columns with tags, and in a copied sheet its id and name. */
  rewrite(root: Element, path: string, sheet: Sheet): void {
    for (const element of [root, ...all(root, 'x:autoFilter', 'x:sortState', 'x:sortCondition')]) {
      const area = element.get('ref');
      if (area !== undefined) element.set('ref', sheet.cells(area) || area);
    }
    const columns = nameColumns(root, sheet, this.file);
    if (this.ids.get(Number(root.get('id'))) !== path) {
      const free = [...this.ids.keys()].reduce((highest, id) => Math.max(highest, id), 0) + 1;
      root.set('id', String(free));
    }
    const before = root.get('displayName') ?? '';
    for (const attribute of ['name', 'displayName']) {
      const name = root.get(attribute) ?? '';
      let free = name;
      for (let i = 2; this.isTaken(free, path); i += 1) free = `${name}_${i}`;
      if (free !== name) root.set(attribute, free);
    }
    this.take(root, path);
    const now = root.get('displayName') ?? '';
    if (now !== before) this.copied.set(path, { before, now });
    if (columns.size > 0) this.columns.set(now, columns);
  }

  private isTaken(name: string, path: string): boolean {
    const owner = this.names.get(name.toLowerCase());
    return owner !== undefined && owner !== path;
  }

  /**
   * Renames tables in the formulas of copied sheets, and columns in all formulas.
   *
   * @param sheets of the result, which are written back if they change
   */
  follow(
    sheets: readonly { root: Element; path: string; part: { prolog: string } }[],
    defined: readonly Element[],
  ): void {
    if (this.columns.size === 0 && this.copied.size === 0) return;
    sheets.forEach(({ root, path, part }, place) => {
      const own = this.of(path).flatMap((table) => this.copied.get(table) ?? []);
      const rename = (formula: Element): void => {
        const text = formula.textContent();
        let now = text;
        for (const { before, now: name } of own) now = renameTable(now, before, name);
        for (const [table, columns] of this.columns) now = renameColumns(now, table, columns);
        if (now !== text) setText(formula, now);
      };
      all(root, 'x:f').forEach(rename);
      this.file.setXml(path, { prolog: part.prolog, root });
      for (const name of defined) if (name.get('localSheetId') === String(place)) rename(name);
      for (const owned of ownedParts(this.file, path).filter((one) => one.endsWith('.xml') && one !== path)) {
        const table = this.file.xml(owned);
        const formulas = all(table.root, ...FORMULAS);
        formulas.forEach(rename);
        if (formulas.length > 0) this.file.setXml(owned, table);
      }
    });
  }
}

/** @returns new names by old ones in lower case */
function nameColumns(root: Element, sheet: Sheet, file: OfficePackage): ReadonlyMap<string, string> {
  const renamed = new Map<string, string>();
  const match = /^([A-Z]+)(\d+):/.exec(root.get('ref') ?? '');
  if (match === null || root.get('headerRowCount') === '0') return renamed;
  const header = all(sheet.root, 'x:row').find((row) => row.get('r') === match[2]);
  const start = columnOf(
    header?.elements('x:c').find((cell) => cell.get('r') === `${match[1]}${match[2]}`) ?? root,
  );
  const taken = new Set<string>();
  const before = templateColumns(file, root.get('id') ?? '');
  all(root, 'x:tableColumn').forEach((column, i) => {
    const cell = header?.elements('x:c').find((one) => columnOf(one) === start + i);
    const text = cell?.first('x:is') ? cellText(cell, file) : null;
    let name = text ?? column.get('name') ?? '';
    for (let n = 2; taken.has(name.toLowerCase()); n += 1) name = `${text ?? ''}${n}`;
    taken.add(name.toLowerCase());
    if (text === null) return;
    const old = before?.[i] ?? column.get('name') ?? '';
    if (old !== name) renamed.set(old.toLowerCase(), name);
    column.set('name', name);
  });
  return renamed;
}
