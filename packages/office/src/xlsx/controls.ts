import { cellName } from '../calc/cell-names.ts';
import { columnName } from '../calc/formula.ts';
import { all, type Element } from '../xml/tree.ts';
import { setText } from './sheet-parts.ts';
import type { Rewriting, Sheet } from './sheet.ts';

/** What floats over the cells of a sheet: drawings, form controls and embedded objects, with the cells that they name. */

/** The cells of a control: in its properties ([MS-XLSX] 2.6.52), and in VML (part 4 of ECMA-376, 19.4.2.22). */
const FORMULAS = ['fmlaLink', 'fmlaRange', 'fmlaGroup', 'fmlaTxbx'];
const VML_FORMULAS = ['xvml:FmlaLink', 'xvml:FmlaRange', 'xvml:FmlaGroup', 'xvml:FmlaTxbx'];

/** Moves an anchor with its first cell; one between two cells keeps its height. */
export function moveAnchor(anchor: Element, sheet: Sheet, { notes }: Pick<Rewriting, 'notes'>): void {
  const edge = (name: string, child: string): Element | undefined =>
    anchor
      .elements()
      .find(({ tag }) => tag.endsWith(`:${name}`))
      ?.first(child);
  const from = edge('from', 'xdr:row');
  if (!from) return;
  const end = edge('to', 'xdr:row');
  const before = Number(from.textContent()) + 1;
  const column = Number(edge('from', 'xdr:col')?.textContent() ?? 0) + 1;
  const cell = cellName(sheet.oldName, `${columnName(column)}${before}`);
  const isSingle = anchor.tag === 'x:anchor' || anchor.first('xdr:pic') !== undefined;
  if (isSingle && sheet.map.each(before, before).length > 1) notes.addSingle(cell);
  const last = Number(end?.textContent() ?? before - 1) + 1;
  const hasContent = (sheet.map.stillRow(before, 1) ?? before) <= last;
  if (hasContent && sheet.map.range(before, last, null) === null) notes.addStaying(cell);
  const after = newRow(before, sheet);
  for (const row of [from, end]) if (row) setText(row, String(Number(row.textContent()) + after - before));
}

/** Returns the place of a row; that of the next one if it has disappeared. */
export function newRow(row: number, { map }: Sheet): number {
  return map.one(row, null)?.first ?? map.range(row, 1_048_576, null)?.[0] ?? row;
}

/** Updates the cells that a form control shows and sets. */
export function rewriteControl(properties: Element, sheet: Sheet, rewriting: Rewriting): void {
  for (const tag of FORMULAS) {
    const formula = properties.get(tag);
    if (formula !== undefined) properties.set(tag, rewritten(formula, sheet, rewriting));
  }
}

/** Moves the form controls and objects of a drawing of VML; notes are moved with their comments. */
export function moveVml(root: Element, sheet: Sheet, rewriting: Rewriting): void {
  for (const data of all(root, 'xvml:ClientData')) {
    if (data.get('ObjectType') === 'Note') continue;
    const anchor = data.first('xvml:Anchor');
    const row = Number(anchor?.textContent().split(',')[2] ?? Number.NaN) + 1;
    if (anchor && row > 0) setText(anchor, shiftedAnchor(anchor.textContent(), newRow(row, sheet) - row));
    for (const formula of data.elements())
      if (VML_FORMULAS.includes(formula.tag))
        setText(formula, rewritten(formula.textContent(), sheet, rewriting));
  }
}

/** Shifts an anchor: column, offset, row, offset of the upper left corner, then of the lower right one. */
export function shiftedAnchor(anchor: string, rows: number): string {
  return anchor
    .split(',')
    .map((value, i) => (i % 4 === 2 ? ` ${Number(value) + rows}` : value))
    .join(',');
}

function rewritten(formula: string, sheet: Sheet, { resolve, notes }: Rewriting): string {
  return notes.rewrite(
    formula,
    'excel',
    (reference) => resolve({ ...reference, isArgument: reference.last !== null }, null, sheet),
    () => `the control for ${formula} on ${sheet.oldName}`,
  );
}
