/** XML in memory: elements in order, with every space, comment and prefix as written. */

export interface Attribute {
  /** As written. */
  name: string;
  /** Name with this code's prefix (namespaces.ts); the name as written for an unknown namespace. */
  tag: string;
  value: string;
}

/** Text of a document, with entities resolved. */
export class Text {
  readonly kind = 'text';
  text: string;
  parent: Element | null = null;

  constructor(text: string) {
    this.text = text;
  }
}

/** A comment or a processing instruction, as written. */
export class Verbatim {
  readonly kind = 'verbatim';
  readonly markup: string;
  parent: Element | null = null;

  constructor(markup: string) {
    this.markup = markup;
  }
}

/**
 * A node that is neither XML nor text: a tag of the template language, or its result. See tags.ts and
 * marks.ts.
 */
export abstract class Foreign {
  readonly kind = 'foreign';
  parent: Element | null = null;

  /** Returns an equal node for another place in a tree. */
  abstract copy(): Foreign;
}

export type Node = Element | Text | Verbatim | Foreign;

export class Element {
  readonly kind = 'element';
  /** As written. */
  readonly name: string;
  /** Name with this code's prefix, as `Attribute.tag`. */
  readonly tag: string;
  attributes: Attribute[];
  children: Node[] = [];
  parent: Element | null = null;
  /** The template's element of which this one is a copy. */
  source: Element | null = null;

  constructor(name: string, tag: string, attributes: Attribute[] = []) {
    this.name = name;
    this.tag = tag;
    this.attributes = attributes;
  }

  get(tag: string): string | undefined {
    for (const attribute of this.attributes) if (attribute.tag === tag) return attribute.value;
    return undefined;
  }

  /**
   * Sets an attribute by this code's prefix; a new one is written with the prefix that is in scope at this
   * element.
   */
  set(tag: string, value: string): void {
    const known = this.attributes.find((attribute) => attribute.tag === tag);
    if (known) known.value = value;
    else this.attributes.push({ name: writtenName(tag, this, true), tag, value });
  }

  unset(tag: string): void {
    this.attributes = this.attributes.filter((attribute) => attribute.tag !== tag);
  }

  append(...nodes: Node[]): void {
    for (const node of nodes) {
      node.parent = this;
      this.children.push(node);
    }
  }

  insertBefore(reference: Node | null, ...nodes: Node[]): void {
    const at = reference === null ? this.children.length : this.children.indexOf(reference);
    for (const node of nodes) node.parent = this;
    this.children.splice(at, 0, ...nodes);
  }

  insertAfter(reference: Node, ...nodes: Node[]): void {
    for (const node of nodes) node.parent = this;
    this.children.splice(this.children.indexOf(reference) + 1, 0, ...nodes);
  }

  replaceChildren(...nodes: Node[]): void {
    this.children = [];
    this.append(...nodes);
  }

  /** Returns the child elements, of one tag if given. */
  elements(tag?: string): Element[] {
    const found: Element[] = [];
    for (const child of this.children) {
      if (child.kind === 'element' && (tag === undefined || child.tag === tag)) found.push(child);
    }
    return found;
  }

  first(tag: string): Element | undefined {
    for (const child of this.children) if (child.kind === 'element' && child.tag === tag) return child;
    return undefined;
  }

  /** Returns all text within, in order. */
  textContent(): string {
    let text = '';
    for (const child of this.children) {
      if (child.kind === 'text') text += child.text;
      else if (child.kind === 'element') text += child.textContent();
    }
    return text;
  }
}

export function remove(node: Node): void {
  const { parent } = node;
  if (parent === null) return;
  const at = parent.children.indexOf(node);
  if (at !== -1) parent.children.splice(at, 1);
  node.parent = null;
}

export function replace(node: Node, ...nodes: Node[]): void {
  const { parent } = node;
  if (parent === null) return;
  for (const next of nodes) next.parent = parent;
  parent.children.splice(parent.children.indexOf(node), 1, ...nodes);
  node.parent = null;
}

/** A node to insert after an existing one, before one that it precedes, or at the end of an element. */
export interface Insertion {
  node: Node;
  before: Element | undefined;
  after: Element | undefined;
}

/**
 * Inserts many nodes at once, because single insertions would each move all following nodes.
 *
 * @param end receives the nodes without a neighbour
 */
export function insertBeside(end: Element, insertions: readonly Insertion[]): void {
  const following = new Map<Node, Node[]>();
  const leading = new Map<Node, Node[]>();
  const parents = new Set<Element>();
  for (const { node, before, after } of insertions) {
    const beside = before ?? after;
    if (beside === undefined || beside.parent === null) end.append(node);
    else {
      parents.add(beside.parent);
      node.parent = beside.parent;
      const places = before === undefined ? leading : following;
      const known = places.get(beside);
      if (known === undefined) places.set(beside, [node]);
      else known.push(node);
    }
  }
  for (const parent of parents) {
    parent.children = parent.children.flatMap((child) => [
      ...(leading.get(child) ?? []),
      child,
      ...(following.get(child) ?? []),
    ]);
  }
}

/** Iterates over the elements within `root`, itself first, in document order. */
export function* walk(root: Element): Generator<Element> {
  yield root;
  // The copy allows callers to replace the elements they receive.
  for (const child of root.children.slice()) if (child.kind === 'element') yield* walk(child);
}

/** Returns the elements of several tags within `root`, by tag: a large document is walked only once for all of them. */
export function allByTag<Tag extends string>(root: Element, ...tags: Tag[]): Record<Tag, Element[]> {
  const found = new Map<string, Element[]>(tags.map((tag) => [tag, []]));
  const visit = (element: Element): void => {
    found.get(element.tag)?.push(element);
    for (const child of element.children) if (child.kind === 'element') visit(child);
  };
  visit(root);
  return Object.fromEntries(found) as Record<Tag, Element[]>;
}

/** Returns the elements of the given tags within `root`. */
export function all(root: Element, ...tags: string[]): Element[] {
  const found: Element[] = [];
  const wanted = new Set(tags);
  const visit = (element: Element): void => {
    if (wanted.has(element.tag)) found.push(element);
    for (const child of element.children) if (child.kind === 'element') visit(child);
  };
  visit(root);
  return found;
}

/** Returns the nearest ancestor (or the node itself) whose tag is one of `tags`. */
export function closest(node: Node | null, tags: ReadonlySet<string>): Element | null {
  for (let at = node; at !== null; at = at.parent) if (at.kind === 'element' && tags.has(at.tag)) return at;
  return null;
}

/** Returns a copy without children. */
export function shallowCopy(element: Element): Element {
  const copy = new Element(
    element.name,
    element.tag,
    element.attributes.map((attribute) => ({ ...attribute })),
  );
  copy.source = element.source ?? element;
  return copy;
}

export function deepCopy(node: Node): Node {
  switch (node.kind) {
    case 'text':
      return new Text(node.text);
    case 'verbatim':
      return new Verbatim(node.markup);
    case 'foreign':
      return node.copy();
    case 'element': {
      const copy = shallowCopy(node);
      for (const child of node.children) copy.append(deepCopy(child));
      return copy;
    }
  }
}

export function copyElement(element: Element): Element {
  return deepCopy(element) as Element;
}

/** Returns the first element of each source: others are copies of an earlier run, and are removed. */
export function distinct(elements: readonly Element[]): Element[] {
  const seen = new Set<Element>();
  return elements.filter((element) => {
    const source = element.source ?? element;
    if (seen.has(source)) remove(element);
    return !seen.has(source) && seen.add(source);
  });
}

/**
 * Returns the written name of a tag at `near`: with the prefix in scope there, or else with this code's
 * prefix (the caller declares it). An attribute cannot use the default namespace.
 */
export function writtenName(tag: string, near: Element | null, isAttribute = false): string {
  const colon = tag.indexOf(':');
  if (colon === -1) return tag;
  const prefix = tag.slice(0, colon);
  if (prefix === 'xml') return tag;
  for (let at = near; at !== null; at = at.parent) {
    const bound = bindings.get(at)?.get(prefix);
    if (bound !== undefined && !(isAttribute && bound === ''))
      return bound === '' ? tag.slice(colon + 1) : `${bound}:${tag.slice(colon + 1)}`;
    if (at.source !== null) {
      const ofSource = bindings.get(at.source)?.get(prefix);
      if (ofSource !== undefined && !(isAttribute && ofSource === '')) {
        return ofSource === '' ? tag.slice(colon + 1) : `${ofSource}:${tag.slice(colon + 1)}`;
      }
    }
  }
  return tag;
}

/** Prefixes bound at an element: this code's prefix → as written. Filled by the parser and by `declare`. */
export const bindings = new WeakMap<Element, Map<string, string>>();
