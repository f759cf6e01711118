import type { Element } from '../xml/tree.ts';

/**
 * Returns a count of OpenDocument: how often a cell, column or row is repeated, or how many of them a cell spans; 1 if
 * there is none, or an invalid one.
 */
export function countOf(element: Element, attribute: string): number {
  const count = Number(element.get(attribute) ?? 1);
  return Number.isSafeInteger(count) && count > 0 ? count : 1;
}
