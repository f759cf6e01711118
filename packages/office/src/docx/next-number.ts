import type { Element } from '../xml/tree.ts';

/** Returns the number after the highest one in an attribute of elements; 1 if there is none. */
export function nextNumber(elements: Iterable<Element>, attribute: string): number {
  let highest = 0;
  for (const element of elements) {
    const number = Number(element.get(attribute));
    if (number > highest) highest = number;
  }
  return highest + 1;
}
