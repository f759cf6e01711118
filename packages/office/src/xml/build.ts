import { addressOf } from './namespaces.ts';
import { bindings, Element, type Node, Text, writtenName } from './tree.ts';

/** Returns a new element for a place below `near`; it declares the namespaces that are not in scope there. */
export function make(
  near: Element,
  tag: string,
  attributes: Readonly<Record<string, string | number | undefined>> = {},
  ...children: (Node | string)[]
): Element {
  const element = new Element(writtenName(tag, near), tag);
  element.parent = near;
  declare(element, tag, near);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined) continue;
    declare(element, name, near, true);
    element.attributes.push({ name: writtenName(name, element, true), tag: name, value: String(value) });
  }
  for (const child of children) element.append(typeof child === 'string' ? new Text(child) : child);
  element.parent = null;
  return element;
}

function declare(element: Element, tag: string, near: Element, isAttribute = false): void {
  const colon = tag.indexOf(':');
  if (colon === -1) return;
  const prefix = tag.slice(0, colon);
  if (prefix === 'xml' || isBound(prefix, element, isAttribute) || isBound(prefix, near, isAttribute)) return;
  element.attributes.push({ name: `xmlns:${prefix}`, tag: `xmlns:${prefix}`, value: addressOf(prefix) });
  const own = bindings.get(element) ?? new Map<string, string>();
  own.set(prefix, prefix);
  bindings.set(element, own);
}

function isBound(prefix: string, from: Element, isAttribute: boolean): boolean {
  for (let at: Element | null = from; at !== null; at = at.parent) {
    const bound =
      bindings.get(at)?.get(prefix) ?? (at.source ? bindings.get(at.source)?.get(prefix) : undefined);
    if (bound !== undefined && !(isAttribute && bound === '')) return true;
  }
  return false;
}
