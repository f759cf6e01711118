import type { PdfFile } from '../model/index.ts';
import { isDict, isRef, type PdfDict, type PdfValue, type Ref } from '../model/values.ts';

/** The order in which the tags of a document read its marked content (ISO 32000-2, 14.7 and 14.8.2.5). */

/** The places of marked content by its identifier, on one page. */
export type MarkOrder = ReadonlyMap<number, number>;

/** Maximum number of structure elements that are read, and their maximum depth. */
const MAX_ELEMENTS = 2_000_000;
const MAX_LEVELS = 1000;

interface Step {
  value: PdfValue;
  page: PdfValue;
  level: number;
}

/** The places of all marked content by page; empty for a document without tags. */
export function tagOrder(file: PdfFile): ReadonlyMap<Ref, MarkOrder> {
  const orders = new Map<Ref, Map<number, number>>();
  const add = (page: PdfValue, mark: PdfValue): void => {
    if (typeof mark !== 'number' || !isRef(page)) return;
    const order = orders.get(page) ?? new Map<number, number>();
    if (!order.has(mark)) order.set(mark, order.size);
    orders.set(page, order);
  };
  const root = file.dict(file.catalog['/StructTreeRoot']);
  const stack: Step[] = kidsOf(file, root, null, 0);
  const seen = new Set<Ref>();
  for (
    let step = stack.pop(), left = MAX_ELEMENTS;
    step !== undefined && left > 0;
    step = stack.pop(), left--
  ) {
    const { value, page, level } = step;
    if (isRef(value)) {
      if (seen.has(value)) continue;
      seen.add(value);
    }
    const element = file.resolve(value);
    if (!isDict(element)) {
      add(page, element);
      continue;
    }
    const own = element['/Pg'] ?? page;
    // Marked content of another stream than that of the page has numbers of its own.
    if (element['/MCID'] !== undefined) {
      if (element['/Stm'] === undefined) add(own, file.resolve(element['/MCID']));
    } else if (level < MAX_LEVELS) for (const kid of kidsOf(file, element, own, level + 1)) stack.push(kid);
  }
  return orders;
}

/** The children of an element, the last one first. */
function kidsOf(file: PdfFile, element: PdfDict, page: PdfValue, level: number): Step[] {
  return file
    .items(element['/K'])
    .map((value) => ({ value, page, level }))
    .reverse();
}
