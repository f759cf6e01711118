import type { PdfFile } from '../model/index.ts';
import { IdTable } from '../model/integers.ts';
import { idOf } from '../model/syntax.ts';
import { isDict, isName, isRef, isString, textOf, type PdfDict, type PdfValue, type Ref } from '../values.ts';
import { MAX_LEVELS } from './trees.ts';

/** An element of the structure tree (ISO 32000-1, 14.7.2). */
export class Element {
  readonly ref: Ref;
  /** As the file has it. */
  readonly dict: PdfDict;
  /** Its type of those that the standard has, without the slash. */
  readonly type: string;
  readonly parent: Element | null;
  /** Elements, and content: a number, or a dictionary. */
  readonly kids: (Element | PdfValue)[];
  /** From 1. */
  readonly page: number | null;
  /** Elements above it. */
  readonly depth: number;
  readonly #count: number;

  /** @param kids as the file has them, of which it makes its own @param count how many of its type there are up to here */
  constructor(
    { ref, dict, type, page }: Pick<Element, 'ref' | 'dict' | 'type' | 'page'>,
    parent: Element | null,
    kids: PdfValue[],
    count: number,
  ) {
    this.ref = ref;
    this.dict = dict;
    this.type = type;
    this.page = page;
    this.parent = parent;
    this.kids = kids;
    this.depth = parent === null ? 0 : parent.depth + 1;
    this.#count = count;
  }

  /** How it is named to people: its type, and the how manyth of the document it is. */
  get label(): string {
    return `${this.type} ${this.#count}`;
  }
}

/**
 * Whether a number of marked content leads to an element of the tree; undefined: it leads to nothing that could be one.
 */
export type Owned = (mcid: number) => boolean | undefined;

/** Deeper trees are no documents. */
const MAX_DEPTH = MAX_LEVELS;

/** Types of ISO 32000-1, 14.8.4. */
const STANDARD = new Set(
  (
    'Document Part Art Sect Div BlockQuote Caption TOC TOCI Index NonStruct Private P H H1 H2 H3 H4 H5 H6 L LI Lbl ' +
    'LBody Table TR TH TD THead TBody TFoot Span Quote Note Reference BibEntry Code Link Annot Ruby RB RT RP Warichu ' +
    'WT WP Figure Formula Form'
  ).split(' '),
);

/** Types of dictionaries that stand in an element and say which content is its own (ISO 32000-1, 14.7.4). */
const CONTENT = new Set<PdfValue>(['/MCR', '/OBJR']);

/** What types of PDF 2.0 are among those of PDF 1.7, which PDF/UA-1 knows. */
const NEWER: Readonly<Record<string, string>> = {
  Aside: 'Sect',
  DocumentFragment: 'Div',
  Em: 'Span',
  Strong: 'Span',
  Sub: 'Span',
  Title: 'P',
  FENote: 'Note',
};

/** The tags of a document. */
export class Structure {
  /** In the order of reading. */
  readonly elements: Element[] = [];
  readonly root: Ref;
  /** What stands in these where an element should, but cannot be read as one; null: the root. */
  readonly unread: (Element | null)[] = [];
  /** Types that are none of the standard's and stand for none, and what they are taken for. */
  readonly unknown = new Map<string, string>();
  /** It has more levels than trees may have. */
  isDeep = false;
  readonly #file: PdfFile;
  readonly #pages = new Map<PdfValue, number>();
  readonly #roles: PdfDict;
  readonly #counts = new Map<string, number>();
  /** What the numbers of pages, forms and annotations lead to. */
  readonly #owners = new Map<number, PdfValue>();
  /** By the numbers of their objects their places among the elements, counted from 1. */
  readonly #places = new IdTable();
  /** By the names that the document has. */
  readonly #types = new Map<PdfValue | undefined, string>();

  constructor(file: PdfFile, root: Ref) {
    this.root = root;
    this.#file = file;
    for (const [index, page] of file.pages().entries()) this.#pages.set(page, index + 1);
    const tree = file.dict(root);
    this.#roles = file.dict(tree['/RoleMap']);
    this.#read(tree);
    readNumbers(file, tree['/ParentTree'], this.#owners);
  }

  /** What the numbers of marked content of a page or a form lead to; null for one without a key. */
  owned(key: PdfValue | undefined): Owned | null {
    if (typeof key !== 'number') return null;
    const entries = this.#file.array(this.#owners.get(key));
    return (mcid) => {
      const entry = entries[mcid];
      if (isRef(entry) && this.#at(entry) !== null) return true;
      return isDict(this.#file.resolve(entry)) ? false : undefined;
    };
  }

  /** The element that content or an annotation belongs to. @param mcid of an annotation: null */
  owner(key: PdfValue | undefined, mcid: number | null): Element | null {
    const value = typeof key === 'number' ? this.#owners.get(key) : undefined;
    const entry = mcid === null ? value : this.#file.array(value)[mcid];
    return isRef(entry) ? this.#at(entry) : null;
  }

  /** Gives an annotation a key of its own that leads to an element. */
  own(element: Ref): number {
    const tree = this.#file.dict(this.root);
    const next = tree['/ParentTreeNextKey'];
    let key = typeof next === 'number' ? next : 0;
    for (const taken of this.#owners.keys()) key = Math.max(key, taken + 1);
    this.#owners.set(key, element);
    this.#added.push([key, element]);
    return key;
  }

  readonly #added: [number, Ref][] = [];

  /** Writes what was added to the tree of numbers. */
  finish(): void {
    if (this.#added.length === 0) return;
    const file = this.#file;
    const tree = file.dict(this.root);
    const all = [...this.#owners].sort(([a], [b]) => a - b).flat();
    const next = (this.#added.at(-1)?.[0] ?? 0) + 1;
    const numbers = file.add({ '/Nums': all });
    file.set(this.root, { ...tree, '/ParentTree': numbers, '/ParentTreeNextKey': next });
  }

  #read(tree: PdfDict): void {
    // What is to be read: a value, the element that it stands in, and its place among the kids of that one.
    const values = kidsOf(this.#file, tree['/K']).reverse();
    const parents: (Element | null)[] = values.map(() => null);
    const places = values.map(() => 0);
    for (let value = values.pop(); value !== undefined; value = values.pop()) {
      const parent = parents.pop() ?? null;
      const place = places.pop() ?? 0;
      const dict = this.#file.resolve(value);
      const depth = parent === null ? 0 : parent.depth + 1;
      // The root is a level too.
      if (depth >= MAX_LEVELS && isDict(dict)) this.isDeep = true;
      if (
        !isRef(value) ||
        !isDict(dict) ||
        !isName(dict['/S']) ||
        this.#at(value) !== null ||
        depth > MAX_DEPTH
      ) {
        if (isDict(dict) && !CONTENT.has(dict['/Type'] ?? null)) this.unread.push(parent);
        continue;
      }
      const kids = kidsOf(this.#file, dict['/K']);
      const element = this.#element(value, dict, parent, kids);
      if (parent !== null) parent.kids[place] = element;
      for (let at = kids.length - 1; at >= 0; at--) {
        const kid = kids[at] ?? null;
        // The number of a piece of content.
        if (typeof kid === 'number') continue;
        values.push(kid);
        parents.push(element);
        places.push(at);
      }
    }
  }

  #element(ref: Ref, dict: PdfDict, parent: Element | null, kids: PdfValue[]): Element {
    const type = this.#typeOf(dict['/S']);
    const count = (this.#counts.get(type) ?? 0) + 1;
    this.#counts.set(type, count);
    const page = this.#pages.get(dict['/Pg'] ?? null) ?? null;
    const element = new Element({ ref, dict, type, page }, parent, kids, count);
    this.#places.set(idOf(ref), this.elements.push(element));
    return element;
  }

  /** The element of a reference; null for one to anything else. */
  #at(ref: Ref): Element | null {
    const element = this.elements[this.#places.get(idOf(ref)) - 1];
    // Of one number and two generations but one is there.
    return element?.ref === ref ? element : null;
  }

  #typeOf(value: PdfValue | undefined): string {
    const known = this.#types.get(value);
    if (known !== undefined) return known;
    const type = this.#newType(value);
    this.#types.set(value, type);
    return type;
  }

  #newType(value: PdfValue | undefined): string {
    let name = isName(value) ? value.slice(1) : '';
    for (let step = 0; step < 16 && !STANDARD.has(name); step++) {
      const next = this.#file.resolve(this.#roles[`/${name}`]);
      if (!isName(next)) break;
      name = next.slice(1);
    }
    if (STANDARD.has(name)) return name;
    const known = NEWER[name] ?? 'NonStruct';
    if (isName(value)) this.unknown.set(value, `/${known}`);
    return known;
  }
}

/** Whether a name is that of a type of PDF 1.7. @param name with its slash */
export function isStandardType(name: string): boolean {
  return STANDARD.has(name.slice(1));
}

/** An element, or what of one is content. */
export function isElement(kid: Element | PdfValue): kid is Element {
  return kid instanceof Element;
}

/** Whether it says in words what it shows. */
export function hasAlternate({ dict }: Element): boolean {
  return ['/Alt', '/ActualText'].some((key) => {
    const value = dict[key];
    return isString(value) && textOf(value).trim() !== '';
  });
}

/** The page of the first content below an element. */
export function pageOf(element: Element): number | null {
  const stack: Element[] = [element];
  for (let next = stack.pop(), left = MAX_DEPTH; next !== undefined && left > 0; next = stack.pop(), left--) {
    if (next.page !== null) return next.page;
    for (const kid of next.kids.toReversed()) if (isElement(kid)) stack.push(kid);
  }
  return null;
}

/** Where an element is, as people are told. */
export function placeOf(element: Element): { page: number | null; element: string } {
  return { page: pageOf(element), element: element.label };
}

/** The children of an element, none, one or an array, in an array of their own. */
function kidsOf(file: PdfFile, value: PdfValue | undefined): PdfValue[] {
  const resolved = file.resolve(value);
  if (Array.isArray(resolved)) return resolved.slice();
  return value === undefined || resolved === null ? [] : [value];
}

function readNumbers(file: PdfFile, root: PdfValue | undefined, found: Map<number, PdfValue>): void {
  const seen = new Set<PdfValue>();
  const stack: PdfValue[] = [root ?? null];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (isRef(next) && seen.has(next)) continue;
    seen.add(next);
    const node = file.dict(next);
    const pairs = file.array(node['/Nums']);
    for (let at = 0; at + 1 < pairs.length; at += 2) {
      const key = pairs[at];
      if (typeof key === 'number') found.set(key, pairs[at + 1] ?? null);
    }
    for (const kid of file.array(node['/Kids']).toReversed()) stack.push(kid);
  }
}
