import { rewriteFormula } from '../calc/formula.ts';
import { ownedParts } from '../ooxml/clone.ts';
import { mainPart } from '../ooxml/related.ts';
import type { OfficePackage } from '../package.ts';
import { all, type Element } from '../xml/tree.ts';
import { moveComments } from './comments.ts';
import { moveAnchor, newRow, rewriteControl } from './controls.ts';
import { type ChartedSheets, updateChart } from './charts.ts';
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
  if (sheet !== null) {
    moveComments(file, path, sheet, sheets);
    for (const anchor of all(sheet.root, 'x:anchor')) moveAnchor(anchor, sheet, sheets);
  }
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
      // Those of newer objects, such as slicers, are within alternatives.
      for (const anchor of all(root, 'xdr:twoCellAnchor', 'xdr:oneCellAnchor'))
        moveAnchor(anchor, sheet, sheets);
      return true;
    case 'x14:formControlPr':
      rewriteControl(root, sheet, sheets);
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
