import type { PdfFile } from '../model/index.ts';
import { IdTable } from '../model/integers.ts';
import { idOf } from '../model/syntax.ts';
import {
  isDict,
  isName,
  isRef,
  isString,
  textOf,
  type PdfDict,
  type PdfValue,
  type Ref,
} from '../model/values.ts';
import { MAX_LEVELS } from './trees.ts';

/** An element of the structure tree (ISO 32000-1, 14.7.2). */
export class Element {
  readonly ref: Ref;
  /** The element as it is stored. */
  readonly dict: PdfDict;
  /** Its standard type, without the slash. */
  readonly type: string;
  readonly parent: Element | null;
  /** Elements and content: an identifier, or a dictionary. */
  readonly kids: (Element | PdfValue)[];
  /** 1-based. */
  readonly page: number | null;
  /** Number of ancestors. */
  readonly depth: number;
  readonly #count: number;

  /**
   * @param kids as stored; it creates its own
   * @param count position among the elements of its type so far
   */
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

  /** Its name in messages: the type, and its position among those of the document. */
  get label(): string {
    return `${this.type} ${this.#count}`;
  }
}

/**
 * Returns whether a marked-content identifier belongs to an element of the tree; undefined if its entry cannot be
 * an element.
 */
export type Owned = (mcid: number) => boolean | undefined;

/** Maximum depth; no document has deeper trees. */
const MAX_DEPTH = MAX_LEVELS;

/** Types of ISO 32000-1, 14.8.4. */
const STANDARD = new Set(
  (
    'Document Part Art Sect Div BlockQuote Caption TOC TOCI Index NonStruct Private P H H1 H2 H3 H4 H5 H6 L LI Lbl ' +
    'LBody Table TR TH TD THead TBody TFoot Span Quote Note Reference BibEntry Code Link Annot Ruby RB RT RP Warichu ' +
    'WT WP Figure Formula Form'
  ).split(' '),
);

/** Types of dictionaries in an element that refer to its content (ISO 32000-1, 14.7.4). */
const CONTENT = new Set<PdfValue>(['/MCR', '/OBJR']);

/** The equivalents of types of PDF 2.0 in PDF 1.7, which PDF/UA-1 requires. */
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
  /** In reading order. */
  readonly elements: Element[] = [];
  readonly root: Ref;
  /** The parents of kids that should be elements but cannot be read; null is the root. */
  readonly unread: (Element | null)[] = [];
  /** Custom types without a mapping to a standard one, and the types that replace them. */
  readonly unknown = new Map<string, string>();
  /** Whether it has more levels than permitted. */
  isDeep = false;
  readonly #file: PdfFile;
  readonly #pages = new Map<PdfValue, number>();
  readonly #roles: PdfDict;
  readonly #counts = new Map<string, number>();
  /** The parent tree: the elements of pages, forms and annotations. */
  readonly #owners = new Map<number, PdfValue>();
  /** Places among the elements by object number, 1-based. */
  readonly #places = new IdTable();
  /** By the names in the document. */
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

  /** The elements by marked-content identifier for a page or a form; null for one without a key. */
  owned(key: PdfValue | undefined): Owned | null {
    if (typeof key !== 'number') return null;
    const entries = this.#file.array(this.#owners.get(key));
    return (mcid) => {
      const entry = entries[mcid];
      if (isRef(entry) && this.#at(entry) !== null) return true;
      return isDict(this.#file.resolve(entry)) ? false : undefined;
    };
  }

  /**
   * The element of some content or of an annotation.
   *
   * @param mcid null for an annotation
   */
  owner(key: PdfValue | undefined, mcid: number | null): Element | null {
    const value = typeof key === 'number' ? this.#owners.get(key) : undefined;
    const entry = mcid === null ? value : this.#file.array(value)[mcid];
    return isRef(entry) ? this.#at(entry) : null;
  }

  /** Gives an annotation its own key for an element. */
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

  /** Writes the additions to the parent tree. */
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
    // The values to be read, each with its parent and its place among the kids.
    const values = this.#file.items(tree['/K']).reverse();
    const parents: (Element | null)[] = values.map(() => null);
    const places = values.map(() => 0);
    for (let value = values.pop(); value !== undefined; value = values.pop()) {
      const parent = parents.pop() ?? null;
      const place = places.pop() ?? 0;
      const dict = this.#file.resolve(value);
      const depth = parent === null ? 0 : parent.depth + 1;
      // The root counts as a level.
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
      const kids = this.#file.items(dict['/K']);
      const element = this.#element(value, dict, parent, kids);
      if (parent !== null) parent.kids[place] = element;
      for (let at = kids.length - 1; at >= 0; at--) {
        const kid = kids[at] ?? null;
        // A marked-content identifier.
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

  /** The element of a reference; null if it refers to something else. */
  #at(ref: Ref): Element | null {
    const element = this.elements[this.#places.get(idOf(ref)) - 1];
    // Of several generations of an object number, only one exists.
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

/**
 * Returns whether a name is a type of PDF 1.7.
 *
 * @param name with its slash
 */
export function isStandardType(name: string): boolean {
  return STANDARD.has(name.slice(1));
}

/** Whether it is an element; otherwise it is content. */
export function isElement(kid: Element | PdfValue): kid is Element {
  return kid instanceof Element;
}

/** Whether it has a text that describes it. */
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

/** The place of an element in messages. */
export function placeOf(element: Element): { page: number | null; element: string } {
  return { page: pageOf(element), element: element.label };
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
