import { cellName } from '../calc/cell-names.ts';
import { columnName, rewriteFormula } from '../calc/formula.ts';
import type { FormulaNotes } from '../calc/notes.ts';
import { ownedParts } from '../ooxml/clone.ts';
import { mainPart } from '../ooxml/related.ts';
import type { OfficePackage } from '../package.ts';
import type { Element } from '../xml/tree.ts';
import { moveComments } from './comments.ts';
import { type ChartedSheets, updateChart } from './charts.ts';
import { setText } from './sheet-parts.ts';
import type { Sheet } from './sheet.ts';
import type { Tables } from './tables.ts';

/** Charts, and those of Excel 2016 and later, such as waterfalls. */
const CHARTS = ['c:chartSpace', 'cx:chartSpace'];

/** The sheets of a filled workbook, for the parts that belong to them. */
export interface FilledSheets extends ChartedSheets {
  tables: Tables;
}

/**
 * Updates the parts of a sheet that refer to its rows: drawings, charts, tables, comments. Each is processed
 * once, filled or not.
 *
 * @param sheet null for a sheet that contains only a chart
 */
export function rewriteDependents(path: string, sheet: Sheet | null, sheets: FilledSheets): void {
  const { file } = sheets;
  if (sheet !== null) moveComments(file, path, sheet);
  for (const part of ownedParts(file, path).slice(1)) {
    if (!part.endsWith('.xml')) continue;
    const document = file.xml(part);
    const { root } = document;
    if (CHARTS.includes(root.tag)) updateChart({ root, own: sheet }, sheets);
    else if (sheet === null || !rewritePart(root, part, sheet, sheets)) continue;
    file.setXml(part, document);
  }
}

/** @returns whether the part is of a kind that refers to rows */
function rewritePart(root: Element, part: string, sheet: Sheet, sheets: FilledSheets): boolean {
  switch (root.tag) {
    case 'xdr:wsDr':
      for (const anchor of root.elements()) moveAnchor(anchor, sheet, sheets.notes);
      return true;
    case 'x:table':
      sheets.tables.rewrite(root, part, sheet);
      return true;
    case 'x:pivotTableDefinition':
      movePivot(root, sheet);
      return true;
    default:
      return false;
  }
}

/** Moves an anchor with its first cell; one between two cells keeps its height. */
function moveAnchor(anchor: Element, sheet: Sheet, notes: FormulaNotes): void {
  const from = anchor.first('xdr:from')?.first('xdr:row');
  if (!from) return;
  const before = Number(from.textContent()) + 1;
  const column = Number(anchor.first('xdr:from')?.first('xdr:col')?.textContent() ?? 0) + 1;
  if (anchor.first('xdr:pic') && sheet.map.each(before, before).length > 1)
    notes.addSingle(cellName(sheet.oldName, `${columnName(column)}${before}`));
  const after = newRow(before, sheet);
  for (const edge of [from, anchor.first('xdr:to')?.first('xdr:row')]) {
    if (edge) setText(edge, String(Number(edge.textContent()) + after - before));
  }
}

/** Returns the place of a row; that of the next one if it has disappeared. */
function newRow(row: number, { map }: Sheet): number {
  return map.one(row, null)?.first ?? map.range(row, 1_048_576, null)?.[0] ?? row;
}

/** Moves a pivot table with its first row: Excel writes its cells anew. */
function movePivot(root: Element, sheet: Sheet): void {
  for (const location of root.elements('x:location')) {
    const area = rewriteFormula(location.get('ref') ?? '', 'excel', ({ first, last }) => {
      const after = newRow(first, sheet);
      return { first: after, last: last === null ? null : last + after - first };
    });
    location.set('ref', area);
  }
}

/** Updates the source areas of pivot tables, and makes them refresh when the file is opened (18.10.1.67). */
export function refreshPivots(file: OfficePackage, sheetNamed: (oldName: string) => Sheet | undefined): void {
  const relations = file.relationships(mainPart(file)).list();
  for (const { type, path } of relations) {
    if (type !== 'pivotCacheDefinition' || path === null || !file.has(path)) continue;
    const document = file.xml(path);
    const source = document.root.first('x:cacheSource')?.first('x:worksheetSource');
    if (source === undefined) continue;
    const sheet = sheetNamed(source.get('sheet') ?? '');
    const area = sheet?.cells(source.get('ref') ?? '') ?? '';
    if (sheet && area !== '') {
      source.set('ref', area);
      source.set('sheet', sheet.name);
    }
    document.root.set('refreshOnLoad', '1');
    file.setXml(path, document);
  }
}
