import type { PdfFile } from '../model/index.ts';
import type { PdfDict, PdfValue, Ref } from '../model/values.ts';
import { type Element, isElement, type Structure } from './structure.ts';

/** The elements of form fields (ISO 14289-1, 7.18.4). */

/**
 * Gives a widget its own Form element if it shares one with content or other widgets, as LibreOffice does with
 * fields and their labels. The shared element becomes a Span around them.
 *
 * @param owner the element of the widget
 * @returns the key under which the widget finds its element; null if that is already correct
 */
export function separateWidget(
  file: PdfFile,
  structure: Structure,
  { owner, widget, page }: { owner: Element; widget: Ref; page: Ref },
): number | null {
  if (owner.type !== 'Form' || saysHowPrinted(file, owner.dict)) return null;
  const dict = file.dict(owner.ref);
  const value = file.resolve(dict['/K']);
  const kids = Array.isArray(value) ? value : [dict['/K'] ?? null];
  const place = kids.findIndex((kid) => file.dict(kid)['/Obj'] === widget);
  if (place < 0 || (kids.length === 1 && dict['/S'] !== '/Span')) return null;
  const element = file.add({
    '/Type': '/StructElem',
    '/S': '/Form',
    '/P': owner.ref,
    '/Pg': page,
    '/K': [kids[place] ?? null],
  });
  file.set(owner.ref, { ...dict, '/S': '/Span', '/K': kids.with(place, element) });
  return structure.own(element);
}

/**
 * Turns Form elements without a widget into Spans. LibreOffice 7.4 writes them for the printed value of a field,
 * apart from its widget, and for controls that are not fields.
 */
export function repairPrintedFields(file: PdfFile, structure: Structure): void {
  for (const element of structure.elements) {
    if (element.type !== 'Form' || saysHowPrinted(file, element.dict)) continue;
    const isField = element.kids.some((kid) => !isElement(kid) && file.dict(kid)['/Obj'] !== undefined);
    if (!isField) file.set(element.ref, { ...file.dict(element.ref), '/S': '/Span' });
  }
}

/** An element with a role is the printed form of a field, and contains content. */
function saysHowPrinted(file: PdfFile, dict: PdfDict): boolean {
  const attributes = file.resolve(dict['/A']);
  const all: readonly PdfValue[] = Array.isArray(attributes) ? attributes : [attributes];
  return all.some((entry) => file.dict(entry)['/Role'] !== undefined);
}

/** Describes a field; if it has several widgets, its name is that of the widget's parent. */
export function describeField(file: PdfFile, widget: PdfDict): void {
  const parent = widget['/Parent'];
  if (widget['/T'] !== undefined || typeof parent !== 'string') return;
  const field = file.dict(parent);
  if (field['/TU'] === undefined && field['/T'] !== undefined)
    file.set(parent, { ...field, '/TU': field['/T'] });
}
