import { copyElement, type Element } from './tree.ts';

/** Taking elements from one document to another, with the namespaces that they are written with. */

/** A copy of an element that stands alone below `near`, of another document. */
export function adopted(element: Element, near: Element): Element {
  const copy = copyElement(element);
  declareNamespaces(copy, element, near);
  return copy;
}

/** Declares on a copied element what its own document declares around it. */
export function declareNamespaces(copy: Element, original: Element, near: Element): void {
  const own = new Set(copy.attributes.map(({ name }) => name));
  const around = declarations(near);
  for (const [name, value] of declarations(original)) {
    if (own.has(name) || around.get(name) === value) continue;
    copy.attributes.push({ name, tag: name, value });
  }
}

/** Namespaces that are declared where an element stands, by the attributes that do. */
function declarations(element: Element): Map<string, string> {
  const found = new Map<string, string>();
  for (let at: Element | null = element; at !== null; at = at.parent) {
    for (const from of at.source ? [at, at.source] : [at])
      for (const { name, value } of from.attributes)
        if (/^xmlns(?::|$)/.test(name) && !found.has(name)) found.set(name, value);
  }
  return found;
}
