import { copyElement, type Element } from './tree.ts';

/** Copies elements from one document to another, with their namespaces. */

/** Returns a copy of an element for a place below `near` in another document. */
export function adopted(element: Element, near: Element): Element {
  const copy = copyElement(element);
  declareNamespaces(copy, element, near);
  return copy;
}

/** Declares the namespaces of the original document on a copied element. */
export function declareNamespaces(copy: Element, original: Element, near: Element): void {
  const own = new Set(copy.attributes.map(({ name }) => name));
  const around = declarations(near);
  for (const [name, value] of declarations(original)) {
    if (own.has(name) || around.get(name) === value) continue;
    copy.attributes.push({ name, tag: name, value });
  }
}

/** Returns the namespaces in scope at an element, by the attributes that declare them. */
function declarations(element: Element): Map<string, string> {
  const found = new Map<string, string>();
  for (let at: Element | null = element; at !== null; at = at.parent) {
    for (const from of at.source ? [at, at.source] : [at])
      for (const { name, value } of from.attributes)
        if (/^xmlns(?::|$)/.test(name) && !found.has(name)) found.set(name, value);
  }
  return found;
}
