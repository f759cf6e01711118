import type { Element, Foreign } from './xml/tree.ts';

/** Returns the foreign nodes in a tree, in document order. */
export function foreignIn(root: Element): Foreign[] {
  const found: Foreign[] = [];
  const visit = (element: Element): void => {
    for (const child of element.children) {
      if (child.kind === 'foreign') found.push(child);
      else if (child.kind === 'element') visit(child);
    }
  };
  visit(root);
  return found;
}
