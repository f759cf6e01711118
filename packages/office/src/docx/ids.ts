import { type Element, remove } from '../xml/tree.ts';

/** Numbers by which elements of a Word document are known, and which the copies of a loop share at first. */

/** Returns the number after the highest one in an attribute of elements; 1 if there is none. */
export function nextNumber(elements: Iterable<Element>, attribute: string): number {
  let highest = 0;
  for (const element of elements) {
    const number = Number(element.get(attribute));
    if (number > highest) highest = number;
  }
  return highest + 1;
}

/** Returns the number of an element. */
export function idOf(element: Element): string {
  return element.get('w:id') ?? '';
}

/**
 * Gives elements with the number of an earlier one numbers of their own.
 *
 * @param next the first of the new numbers
 * @returns the new numbers in order, by the one that was repeated
 */
export function renewIds(elements: readonly Element[], next: number): Map<string, string[]> {
  const renewed = new Map<string, string[]>();
  for (const element of elements) {
    const id = idOf(element);
    const own = renewed.get(id);
    if (own === undefined) renewed.set(id, []);
    else {
      const number = String(next);
      next += 1;
      own.push(number);
      element.set('w:id', number);
    }
  }
  return renewed;
}

/** Gives elements that belong to others the new numbers of these, in order; removes those that are left over. */
export function followIds(
  elements: readonly Element[],
  renewed: ReadonlyMap<string, readonly string[]>,
): void {
  const counts = new Map<string, number>();
  for (const element of elements) {
    const id = idOf(element);
    const count = counts.get(id) ?? 0;
    counts.set(id, count + 1);
    if (count === 0) continue;
    const other = renewed.get(id)?.[count - 1];
    if (other === undefined) remove(element);
    else element.set('w:id', other);
  }
}
