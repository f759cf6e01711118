import { listed } from '@platen/core/listed';
import { cellName } from '../calc/cell-names.ts';
import { finishDrawingText } from '../drawing/finish.ts';
import type { Finishing } from '../formats/index.ts';
import { foreignIn } from '../foreign.ts';
import { isChart, ownedParts } from '../ooxml/clone.ts';
import { emptyUnusedStrings } from '../leftovers.ts';
import { bindLinks } from '../ooxml/links.ts';
import type { OfficePackage } from '../package.ts';
import { groupFilled, type PlannedPart } from '../plan.ts';
import { all, copyElement, type Element, remove, replace, Text } from '../xml/tree.ts';
import { Break } from '../marks.ts';
import { collectLinks } from './links.ts';
import { finishCell } from './cells.ts';
import { isRange, updateChart, visitRanges } from './charts.ts';
import { refreshPivots, rewriteDependents } from './dependents.ts';
import { besideCells, rewriteSheetParts, setText } from './sheet-parts.ts';
import { type CellPicture, SheetPictures } from './pictures.ts';
import { layoutOf, prepareSheet } from './prepare.ts';
import { MOST_RANGES } from '../calc/copies.ts';
import type { Reference } from '../calc/formula.ts';
import { isSpan, spanOf } from '../calc/sheet-span.ts';
import { noSheetError } from '../calc/names.ts';
import { FormulaNotes } from '../calc/notes.ts';
import { dropOutdated } from '../calc/outdated.ts';
import { type Resolve, Sheet } from './sheet.ts';
import { repeatSparklines } from './sparklines.ts';
import { CellStyles } from './styles.ts';
import { Tables } from './tables.ts';
import { sheetEntries, Workbook } from './workbook.ts';

/** A sheet of the filled workbook with its own parts. */
interface FilledSheet {
  path: string;
  part: { prolog: string };
  sheet: Sheet | null;
  root: Element;
  paths: ReadonlyMap<string, string>;
  others: { part: PlannedPart; path: string; root: Element }[];
}

/** Turns filled sheets into a valid workbook, with all references to rows updated. */
export function finishXlsx(finishing: Finishing): void {
  const { file, plan, decoded } = finishing;
  const { common, instances } = groupFilled(plan, decoded.parts);
  const entries = sheetEntries(file);
  const workbook = new Workbook(file);
  const nameOf = (path: string): string => entries.find((entry) => entry.path === path)?.name ?? 'Sheet';
  const filledOf = (unit: string): typeof instances => instances.filter((instance) => instance.unit === unit);
  const wanted = plan.repeats
    ? instances
    : entries.map(({ path }) => filledOf(path)[0] ?? { unit: path, parts: [] });
  const placed = workbook.arrange(
    wanted.map(({ unit, parts }) => ({
      template: unit,
      name: parts.find(({ part }) => part.path === namePath(unit))?.root.get('name') ?? nameOf(unit),
    })),
  );
  const sheets = wanted.map(({ unit, parts }, i): FilledSheet => {
    const paths = placed[i]?.paths ?? new Map<string, string>();
    const path = paths.get(unit) ?? unit;
    const main = parts.find(({ part }) => part.path === unit);
    const document = main ? { root: main.root, prolog: main.part.prolog } : readWhole(finishing, unit, path);
    const layout = layoutOf(file, unit);
    const names = { old: nameOf(unit), now: placed[i]?.name ?? nameOf(unit) };
    return {
      path,
      part: document,
      root: document.root,
      sheet: layout ? new Sheet(document.root, layout, names, decoded) : null,
      paths,
      others: parts
        .filter(({ part }) => part.path !== unit && part.path !== namePath(unit))
        .map(({ part, root }) => ({ part, root, path: paths.get(part.path) ?? part.path })),
    };
  });
  if (sheets.length === 0) throw noSheetError();
  const kept = new Set(wanted.map(({ unit }) => unit));
  const removed = entries.filter(({ path }) => !kept.has(path)).map(({ name }) => name.toLowerCase());
  finishSheets(sheets, finishing, workbook, {
    order: entries.map(({ name }) => name),
    removed: new Set(removed),
  });
  for (const { part, root } of common) {
    finishDrawingText(root, part.path, file, () => undefined);
    file.setXml(part.path, { prolog: part.prolog, root });
  }
}

/** Returns the path under which a sheet's name is filled as a part. */
export function namePath(sheet: string): string {
  return `${sheet}#name`;
}

/** Reads a sheet without tags, whose formulas may refer to rows of other sheets. */
function readWhole({ file }: Finishing, unit: string, path: string): { root: Element; prolog: string } {
  const { root, prolog } = file.xml(path);
  if (root.tag === 'x:worksheet') prepareSheet(root, unit, file);
  // Like a filled sheet, it is a copy that records its source.
  return { root: copyElement(root), prolog };
}

/** Names of the template's sheets. */
interface TemplateNames {
  /** All of them, in order. */
  order: readonly string[];
  /** Those that the result lacks, in lower case. */
  removed: ReadonlySet<string>;
}

function finishSheets(
  sheets: readonly FilledSheet[],
  finishing: Finishing,
  workbook: Workbook,
  { order, removed }: TemplateNames,
): void {
  const { file } = finishing;
  const styles = new CellStyles(file, workbook.is1904);
  const cut: string[] = [];
  const pictures = sheets.map(({ root, sheet }) =>
    finishCells(root, styles, (cell) => cut.push(cellName(sheet?.name ?? null, cell))),
  );
  if (cut.length > 0)
    finishing.warn(
      `Cut after 32,767 characters, which is as much as a cell of Excel holds: ${listed(cut, 8, ' cells')}.`,
    );
  styles.save();
  const notes = new FormulaNotes();
  const resolve = resolver(sheets, { removed, order });
  const rewriting = { resolve, notes };
  const charts = [
    ...sheets.flatMap(({ path, sheet }) => chartsOf(file, path).map((root) => ({ root, own: sheet }))),
    ...finishing.charts.map((root) => ({ root, own: null })),
  ];
  const rewrite = (): void => {
    notes.clear();
    for (const { sheet } of sheets) {
      if (!sheet) continue;
      sheet.rewriteCells(rewriting);
      rewriteSheetParts(sheet, rewriting);
      repeatSparklines(sheet, rewriting);
    }
    for (const name of workbook.definedNames()) {
      const own = sheets[Number(name.get('localSheetId') ?? Number.NaN)]?.sheet ?? null;
      const text = notes.rewrite(
        originals.get(name) ?? '',
        'excel',
        // A name for one repeated row means the whole column, as in a chart.
        (reference) =>
          resolve(
            { ...reference, isArgument: true, ...rangesOfName(name, originals.get(name) ?? '') },
            null,
            own,
          ),
        () => `the name ${name.get('name')}`,
      );
      setText(name, text);
    }
    for (const chart of charts) visitRanges(chart, rewriting);
  };
  const originals = new Map(workbook.definedNames().map((name) => [name, name.textContent()]));
  rewrite();
  if (sheets.some(({ sheet }) => sheet?.collapses.isEmpty === false)) {
    for (const { sheet } of sheets) sheet?.keepEmptyRows();
    rewrite();
  }
  dropOutdated(
    sheets.flatMap(({ sheet }) => (sheet ? [{ name: sheet.name, cells: sheet.filledCells() }] : [])),
    new Map(
      workbook.definedNames().map((name) => [name.get('name')?.toLowerCase() ?? '', name.textContent()]),
    ),
    'excel',
  );
  const tables = new Tables(
    file,
    sheets.map(({ path }) => path),
    workbook.definedNames(),
  );
  const charted = { file, sheetNamed: named(sheets, 'name'), ...rewriting, tables };
  for (const root of finishing.charts) updateChart({ root, own: null }, charted);
  sheets.forEach((filled, i) => {
    const { path, root, others, sheet } = filled;
    // Several selected sheets are a group, in which typing changes all of them.
    if (finishing.plan.repeats && i !== workbook.activeTab)
      for (const view of besideCells(root, 'x:sheetView')) view.unset('tabSelected');
    collectLinks(root);
    bindLinks(root, path, file);
    for (const other of others) {
      finishDrawingText(other.root, other.path, file, () => undefined);
      bindLinks(other.root, other.path, file);
      file.setXml(other.path, { prolog: other.part.prolog, root: other.root });
    }
    rewriteDependents(path, sheet, charted);
    new SheetPictures(file, path, finishing.registry).add(root, pictures[i] ?? []);
    dropEmptyRows(root);
    for (const left of foreignIn(root)) {
      if (left instanceof Break) replace(left, new Text('\n'));
      else remove(left);
    }
    file.setXml(path, { prolog: filled.part.prolog, root });
  });
  tables.follow(sheets, workbook.definedNames());
  refreshPivots(file, named(sheets, 'oldName'));
  if (removed.size > 0) {
    const roots = sheets.map(({ root }) => root);
    for (const name of workbook.dropLostNames(originals, roots)) notes.addDropped(`the name ${name}`);
  }
  if (!finishing.isPassedOn)
    emptyUnusedStrings(file, new Set(sheets.flatMap(({ root }) => sharedIndexes(root))));
  workbook.recalculate(!finishing.isPassedOn);
  workbook.save();
  notes.sentences().forEach(finishing.warn);
}

/** Returns the numbers of the shared strings that the cells of a sheet have. */
function sharedIndexes(root: Element): number[] {
  return all(root, 'x:c')
    .filter((cell) => cell.get('t') === 's')
    .map((cell) => Number(cell.first('x:v')?.textContent() ?? -1));
}

/** Returns how many ranges a name may be: print areas and the like are one. */
function rangesOfName(name: Element, text: string): Partial<Reference> {
  if (name.get('name')?.startsWith('_xlnm.') === true) return { mostRanges: null };
  return isRange(text) ? { mostRanges: MOST_RANGES } : {};
}

/** @param onCut receives the cells whose text was cut */
function finishCells(root: Element, styles: CellStyles, onCut: (cell: string) => void): CellPicture[] {
  const pictures: CellPicture[] = [];
  for (const cell of all(root, 'x:c')) {
    if (cell.first('x:is') || foreignIn(cell).length > 0) {
      pictures.push(...finishCell(cell, styles, () => onCut(cell.get('r') ?? '')));
    }
    // The cell lost its text in a loop over columns, or through a tag for the whole sheet.
    if (cell.get('t') === 'inlineStr' && !cell.first('x:is')) cell.unset('t');
  }
  return pictures;
}

/** Removes rows that were written out for counting and have neither content nor formatting. */
function dropEmptyRows(root: Element): void {
  const data = root.first('x:sheetData');
  if (data === undefined) return;
  data.children = data.children.filter(
    (row) => row.kind !== 'element' || row.attributes.length !== 1 || row.children.length > 0,
  );
}

/** Returns the charts of a sheet. */
function chartsOf(file: OfficePackage, path: string): Element[] {
  return ownedParts(file, path)
    .filter((part) => isChart(file, part))
    .map((part) => file.xml(part).root);
}

/** Returns a function that finds sheets by name; the first one when several have that name. */
function named(
  sheets: readonly FilledSheet[],
  which: 'oldName' | 'name',
): (name: string) => Sheet | undefined {
  const byName = new Map<string, Sheet>();
  for (const { sheet } of sheets) {
    const key = sheet?.[which].toLowerCase();
    if (sheet && key !== undefined && !byName.has(key)) byName.set(key, sheet);
  }
  return (name) => byName.get(name.toLowerCase());
}

function resolver(sheets: readonly FilledSheet[], { order, removed }: TemplateNames): Resolve {
  const sheetNamed = named(sheets, 'oldName');
  const filled = sheets.flatMap(({ sheet }) => sheet ?? []);
  return (reference, place, own) => {
    if (isSpan(reference)) return spanOf(reference, filled, order);
    const isOwn = reference.sheet === null || reference.sheet.toLowerCase() === own?.oldName.toLowerCase();
    const target = isOwn ? own : sheetNamed(reference.sheet ?? '');
    if (target === null || target === undefined) {
      const isGone = !isOwn && removed.has(reference.sheet?.toLowerCase() ?? '');
      return isGone ? null : { first: reference.first, last: reference.last };
    }
    const rows = target.target(reference, isOwn ? place : null);
    if (rows === null) return null;
    return reference.sheet === null || target.name === target.oldName
      ? rows
      : { ...rows, sheet: target.name };
  };
}
