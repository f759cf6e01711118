import { LETTER } from '../model/page-geometry.ts';
import { isDict, isRef } from '../model/values.ts';
import type { PdfDict, PdfValue, Ref } from '../model/values.ts';
import { type FoundObject, type Scan, valueOf } from './scan.ts';

/** A node of a page tree that is being repaired. */
interface TreeNode {
  ref: Ref;
  dict: PdfDict;
  /** Whether it is an inner node; otherwise it is a page. */
  isNode: boolean;
  kids: Ref[];
  /** Its index among the nodes. */
  above: number | undefined;
  pages: number;
}

/**
 * Accepted leaves of the tree: possible pages; or, for a tree without any, every object, as other readers accept
 * them.
 */
type Leaves = 'pages' | 'anything';

/** Attributes that pages inherit (ISO 32000-1, table 30). */
const INHERITED = ['/Resources', '/MediaBox', '/CropBox', '/Rotate'];

/** Maximum length of a chain of parents: a longer one is a cycle. */
const MAX_LEVELS = 100;

/** The objects found in a damaged document, with a repaired page tree. */
export class FoundDocument {
  readonly objects: ReadonlyMap<number, FoundObject>;
  /** New objects, and changed ones. */
  readonly changed = new Map<number, { generation: number; value: PdfDict }>();
  readonly #pages: readonly Ref[];
  #lastId = 0;

  constructor({ objects }: Scan) {
    this.objects = objects;
    this.#pages = [...objects.values()].filter(({ type }) => type === '/Page').map(refOf);
    for (const id of objects.keys()) this.#lastId = Math.max(this.#lastId, id);
  }

  /**
   * Returns the catalog of a repaired page tree: the one in the trailer, otherwise the last one.
   *
   * @returns undefined if there are no pages
   */
  rootOf(named: PdfValue | undefined): Ref | undefined {
    const catalogs = [...this.objects.values()].filter(({ type }) => type === '/Catalog').map(refOf);
    const candidates = [...(named === undefined ? [] : [named]), ...catalogs.toReversed()];
    const root = this.#treeAmong(candidates, 'pages');
    if (root !== undefined) return root;
    if (this.#pages.length === 0) return this.#treeAmong(candidates, 'anything');
    return this.#gather(candidates.find((candidate) => !isEmpty(this.#dict(candidate))) ?? {});
  }

  /** The first catalog whose tree has pages. */
  #treeAmong(candidates: readonly PdfValue[], leaves: Leaves): Ref | undefined {
    for (const candidate of candidates) {
      const catalog = this.#dict(candidate);
      const tree = catalog['/Pages'];
      if (!isRef(tree) || this.#order(tree, leaves) === 0) continue;
      const labels = this.#soundLabels(catalog['/PageLabels']);
      if (isRef(candidate) && labels === undefined) return candidate;
      const value = { ...catalog, ...labels };
      if (!isRef(candidate)) return this.#add(value);
      this.#change(candidate, value);
      return candidate;
    }
    return undefined;
  }

  /**
   * The readable page labels (ISO 32000-1, 12.4.2) as a flat list: qpdf stops at a tree with invalid entries.
   *
   * @returns the catalog's entry; undefined if there is none
   */
  #soundLabels(tree: PdfValue | undefined): PdfDict | undefined {
    if (tree === undefined) return undefined;
    const labels = new Map<number, PdfValue>();
    const seen = new Set<PdfValue>();
    const stack: PdfValue[] = [tree];
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      if (seen.has(node)) continue;
      seen.add(node);
      const dict = this.#dict(node);
      stack.push(...(this.#array(dict['/Kids'])?.toReversed() ?? []));
      const entries = this.#array(dict['/Nums']) ?? [];
      for (let at = 0; at + 1 < entries.length; at += 2) {
        const [page, label = null] = [entries[at], entries[at + 1]];
        if (Number.isSafeInteger(page) && isDict(this.#value(label))) labels.set(Number(page), label);
      }
    }
    const sorted = [...labels].filter(([page]) => page >= 0).toSorted(([a], [b]) => a - b);
    return { '/PageLabels': sorted.length === 0 ? null : { '/Nums': sorted.flat() } };
  }

  /**
   * Removes missing and duplicate nodes from a page tree.
   *
   * @returns the number of pages
   */
  #order(root: Ref, leaves: Leaves): number {
    const nodes = this.#nodesOf(root, leaves);
    // Children follow their parents in the list, so they are counted first.
    for (const { above, pages } of nodes.toReversed()) {
      const parent = above === undefined ? undefined : nodes[above];
      if (parent !== undefined) parent.pages += pages;
    }
    for (const { ref, dict, isNode, kids, above, pages } of nodes) {
      const value: PdfDict = isNode
        ? { ...dict, '/Type': '/Pages', '/Kids': kids, '/Count': pages }
        : this.#soundPage(dict);
      delete value['/Parent'];
      const parent = above === undefined ? undefined : nodes[above];
      if (parent !== undefined) value['/Parent'] = parent.ref;
      this.#change(ref, value);
    }
    return nodes[0]?.pages ?? 0;
  }

  #nodesOf(root: Ref, leaves: Leaves): TreeNode[] {
    const seen = new Set<PdfValue>();
    const nodes: TreeNode[] = [];
    const stack: { kid: PdfValue; above: number | undefined }[] = [{ kid: root, above: undefined }];
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      const { kid, above } = next;
      if (isRef(kid) && seen.has(kid)) continue;
      seen.add(kid);
      let dict = this.#dict(kid);
      const kids = dict['/Type'] === '/Page' ? undefined : this.#array(dict['/Kids']);
      const isStream = this.#isStream(kid);
      if (kids === undefined && !mayBePage(dict)) {
        if (leaves === 'pages' || above === undefined || isEmpty(dict)) continue;
        if (isStream) dict = { '/Contents': kid };
      }
      const ref = isRef(kid) && !isStream ? kid : this.#add(dict);
      if (above !== undefined) nodes[above]?.kids.push(ref);
      const isNode = kids !== undefined;
      const here = nodes.push({ ref, dict, isNode, kids: [], above, pages: isNode ? 0 : 1 }) - 1;
      for (const below of kids?.toReversed() ?? []) stack.push({ kid: below, above: here });
    }
    return nodes;
  }

  /** All pages in file order, if the page tree is lost. */
  #gather(catalog: PdfValue): Ref {
    const tree = this.#add({});
    for (const page of this.#pages) {
      const dict = this.#dict(page);
      const sound: PdfDict = { ...this.#inherited(dict), ...this.#soundPage(dict), '/Parent': tree };
      // The inherited size may be lost, and a page must have one (ISO 32000-1, 7.7.3.3).
      sound['/MediaBox'] ??= [...LETTER];
      this.#change(page, sound);
    }
    this.#change(tree, { '/Type': '/Pages', '/Kids': [...this.#pages], '/Count': this.#pages.length });
    const { '/PageLabels': labels, ...others } = this.#dict(catalog);
    const value: PdfDict = {
      ...others,
      ...this.#soundLabels(labels),
      '/Type': '/Catalog',
      '/Pages': tree,
    };
    if (!isRef(catalog)) return this.#add(value);
    this.#change(catalog, value);
    return catalog;
  }

  /** The inherited attributes of a page, as far as its ancestors exist. */
  #inherited(page: PdfDict): PdfDict {
    const values: PdfDict = {};
    let node = this.#dict(page['/Parent']);
    for (let level = 0; level < MAX_LEVELS && Object.keys(node).length > 0; level++) {
      for (const key of INHERITED) values[key] ??= node[key] ?? null;
      node = this.#dict(node['/Parent']);
    }
    return values;
  }

  /** Returns whether the content of a page consists only of streams. */
  #soundPage(page: PdfDict): PdfDict {
    const contents = this.#array(page['/Contents']);
    const sound: PdfDict = { ...page, '/Type': '/Page' };
    if (contents !== undefined) sound['/Contents'] = contents.filter((entry) => this.#isStream(entry));
    else if (!this.#isStream(page['/Contents'])) delete sound['/Contents'];
    return sound;
  }

  #isStream(value: PdfValue | undefined): boolean {
    return isRef(value) && this.objects.get(Number.parseInt(value, 10))?.data !== undefined;
  }

  #add(value: PdfDict): Ref {
    const ref: Ref = `${++this.#lastId} 0 R`;
    this.#change(ref, value);
    return ref;
  }

  #change(ref: Ref, value: PdfDict): void {
    const [id = 0, generation = 0] = ref.split(' ').map(Number);
    this.changed.set(id, { generation, value });
  }

  #value(value: PdfValue | undefined): PdfValue {
    if (!isRef(value)) return value ?? null;
    const found = this.objects.get(Number.parseInt(value, 10));
    return found === undefined ? null : valueOf(found);
  }

  #dict(value: PdfValue | undefined): PdfDict {
    const resolved = this.#value(value);
    return isDict(resolved) ? resolved : {};
  }

  #array(value: PdfValue | undefined): PdfValue[] | undefined {
    const resolved = this.#value(value);
    return Array.isArray(resolved) ? resolved : undefined;
  }
}

function isEmpty(dict: PdfDict): boolean {
  return Object.keys(dict).length === 0;
}

/** Some writers omit or misspell the type of a page. */
function mayBePage(dict: PdfDict): boolean {
  const type = dict['/Type'];
  return type === '/Page' || (type !== '/Pages' && ('/MediaBox' in dict || '/Contents' in dict));
}

function refOf({ id, generation }: FoundObject): Ref {
  return `${id} ${generation} R`;
}
