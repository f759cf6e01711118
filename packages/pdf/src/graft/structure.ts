import { append, largest } from '../model/lists.ts';
import { readNumbers, writeNames, writeNumbers } from '../model/name-tree.ts';
import type { Target } from './target.ts';
import { isDict, isRef, isString } from '../model/values.ts';
import type { PdfDict, PdfValue, Ref } from '../model/values.ts';
import type { Part } from './part.ts';

/** Maximum length of a chain of parents: a longer one is a cycle. */
const MAX_LEVELS = 1000;

/**
 * The tags of all documents under one root (ISO 32000-1, 14.7). Pages and annotations refer to their elements
 * by a number in the parent tree; each document's numbers are moved past those of the documents before it.
 */
export class Structure {
  readonly #target: Target;
  #root: Ref | undefined;
  readonly #kids: PdfValue[] = [];
  readonly #parents: [number, PdfValue][] = [];
  readonly #ids = new Map<string, PdfValue>();
  readonly #namespaces: PdfValue[] = [];
  #roles: PdfDict = {};
  #classes: PdfDict = {};
  #nextKey = 0;

  constructor(target: Target) {
    this.#target = target;
  }

  add(part: Part): void {
    const { source, importer } = part;
    const rootRef = source.catalog['/StructTreeRoot'];
    const root = source.dict(rootRef);
    const parents = new Map<number, PdfValue>();
    for (const [key, value] of readNumbers(source, root['/ParentTree'])) {
      if (Number.isSafeInteger(key) && key >= 0) parents.set(key, value);
    }
    const used = part.whole ? this.#addAll(part, rootRef, parents) : this.#addUsed(part, rootRef, parents);
    for (const key of used) {
      const owner = source.resolve(parents.get(key));
      const copy = Array.isArray(owner)
        ? owner.map((entry) => importer.copyOf(entry) ?? null)
        : (importer.copyOf(parents.get(key)) ?? null);
      if (copy !== null) this.#parents.push([this.#nextKey + key, copy]);
    }
    this.#roles = { ...this.#imported(part, root['/RoleMap']), ...this.#roles };
    this.#classes = { ...this.#imported(part, root['/ClassMap']), ...this.#classes };
    append(
      this.#namespaces,
      source.array(root['/Namespaces']).map((entry) => importer.import(entry)),
    );
    this.#nextKey += largest(used, -1) + 1;
  }

  /**
   * Adds the tags of a whole document unchanged.
   *
   * @returns the keys in use, as in the source
   */
  #addAll(part: Part, rootRef: PdfValue | undefined, parents: ReadonlyMap<number, PdfValue>): Set<number> {
    const { source, importer } = part;
    const kids = toArray(part, source.dict(rootRef)['/K']).filter((kid) => isElement(part, kid));
    if (kids.length === 0) return this.#renumber(part, parents);
    this.#root ??= this.#target.allocate();
    if (isRef(rootRef)) importer.bind(rootRef, this.#root);
    append(
      this.#kids,
      kids.map((kid) => importer.import(kid)),
    );
    for (const copy of importer.targets()) {
      const value = this.#target.get(copy);
      if (isDict(value) && typeof value['/S'] === 'string' && value['/P'] !== undefined)
        this.#addId(value['/ID'], copy);
    }
    return this.#renumber(part, parents);
  }

  /**
   * Adds the tags of some pages with their ancestors.
   *
   * @returns as `#addAll`
   */
  #addUsed(part: Part, rootRef: PdfValue | undefined, parents: ReadonlyMap<number, PdfValue>): Set<number> {
    const { source, importer } = part;
    const used = this.#renumber(part, parents);
    const elements = elementsOf(
      part,
      [...used].map((key) => parents.get(key)),
    );
    if (elements.size === 0) return used;
    this.#root ??= this.#target.allocate();
    if (isRef(rootRef)) importer.bind(rootRef, this.#root);
    for (const element of elements) {
      // A destination may have led to it already.
      if (importer.copyOf(element) === undefined) importer.bind(element, this.#target.allocate());
    }
    for (const element of elements) this.#addElement(part, element, elements, this.#root);
    for (const kid of toArray(part, source.dict(rootRef)['/K'])) {
      const copy = isRef(kid) && elements.has(kid) ? importer.copyOf(kid) : undefined;
      if (copy !== undefined) this.#kids.push(copy);
    }
    return used;
  }

  #addId(id: PdfValue | undefined, copy: Ref): void {
    if (isString(id) && !this.#ids.has(id)) this.#ids.set(id, copy);
  }

  finish(catalog: PdfDict): void {
    if (this.#root === undefined) return;
    const ids = [...this.#ids].map(([key, value]): [string, PdfValue] => [key, value]);
    const add = (node: PdfDict): Ref => this.#target.add(node);
    this.#target.set(this.#root, {
      '/Type': '/StructTreeRoot',
      '/K': this.#top(this.#root),
      '/ParentTree': this.#target.add(writeNumbers(this.#parents, add)),
      '/ParentTreeNextKey': this.#nextKey,
      '/IDTree': ids.length > 0 ? this.#target.add(writeNames(ids, add)) : null,
      '/RoleMap': Object.keys(this.#roles).length > 0 ? this.#roles : null,
      '/ClassMap': Object.keys(this.#classes).length > 0 ? this.#classes : null,
      '/Namespaces': this.#namespaces.length > 0 ? this.#namespaces : null,
    });
    catalog['/StructTreeRoot'] = this.#root;
  }

  /**
   * Readers expect a single element at the top (ISO 32000-2, 14.8.4.3); several become children of a Document
   * element.
   */
  #top(root: Ref): PdfValue {
    if (this.#kids.length < 2) return this.#kids;
    const top = this.#target.add({
      '/Type': '/StructElem',
      '/S': '/Document',
      '/P': root,
      '/K': this.#kids,
    });
    for (const kid of this.#kids) if (isRef(kid)) this.#target.edit(kid)['/P'] = top;
    return [top];
  }

  #imported(part: Part, value: PdfValue | undefined): PdfDict {
    const copy = part.importer.import(part.source.dict(value));
    return isDict(copy) ? copy : {};
  }

  /**
   * Shifts the parent tree keys of the imported pages; a key without an element is removed, because it would refer
   * to another document's.
   *
   * @returns the keys in use, as in the source
   */
  #renumber(part: Part, parents: ReadonlyMap<number, PdfValue>): Set<number> {
    const used = new Set<number>();
    const first = new Set(part.importer.targets());
    const repeated = part.pages.map(([, copy]) => copy).filter((copy) => !first.has(copy));
    for (const ref of [...first, ...repeated]) {
      const value = this.#target.get(ref);
      if (!isDict(value)) continue;
      for (const key of ['/StructParents', '/StructParent']) {
        const number = value[key];
        if (typeof number !== 'number') continue;
        // A page that occurs twice has its tags once: an element is on one page.
        const known = parents.has(number) && first.has(ref);
        if (known) used.add(number);
        if (known && this.#nextKey === 0) continue;
        const renumbered = known ? this.#nextKey + number : null;
        this.#target.edit(ref)[key] = renumbered;
      }
    }
    return used;
  }

  #addElement(part: Part, element: Ref, elements: ReadonlySet<Ref>, root: Ref): void {
    const { source, importer } = part;
    const copy = importer.copyOf(element);
    if (copy === undefined) return;
    const { '/K': content, '/P': parent, '/Pg': page, '/Ref': related, ...rest } = source.dict(element);
    const kids = toArray(part, content).flatMap((kid): PdfValue[] => {
      if (typeof kid === 'number') return importer.copyOf(page) === undefined ? [] : [kid];
      if (isRef(kid) && elements.has(kid)) return [importer.copyOf(kid) ?? null];
      const value = source.dict(kid);
      if (value['/Type'] === '/MCR') {
        return importer.copyOf(value['/Pg'] ?? page) === undefined ? [] : [importer.import(value)];
      }
      if (value['/Type'] === '/OBJR') {
        return importer.copyOf(value['/Obj']) === undefined ? [] : [importer.import(value)];
      }
      return [];
    });
    const imported = importer.import(rest);
    const dict: PdfDict = {
      ...(isDict(imported) ? imported : {}),
      '/P': importer.copyOf(parent) ?? root,
      '/Pg': importer.copyOf(page) ?? null,
      '/K': kids.length === 1 ? (kids[0] ?? null) : kids.length === 0 ? null : kids,
      '/Ref': copiesIn(part, related),
    };
    this.#target.set(copy, dict);
    this.#addId(dict['/ID'], copy);
  }
}

function copiesIn(part: Part, related: PdfValue | undefined): PdfValue {
  const copies = part.source
    .array(related)
    .map((entry) => part.importer.copyOf(entry))
    .filter((copy) => copy !== undefined);
  return copies.length > 0 ? copies : null;
}

/** The children of an element: none, one or an array. */
function toArray(part: Part, value: PdfValue | undefined): PdfValue[] {
  const resolved = part.source.resolve(value);
  if (Array.isArray(resolved)) return resolved;
  return value === undefined || resolved === null ? [] : [value];
}

function isElement(part: Part, value: PdfValue): boolean {
  return isRef(value) && typeof part.source.dict(value)['/S'] === 'string';
}

/** The elements that own content of the selected pages, and their ancestors. */
function elementsOf(part: Part, owners: readonly (PdfValue | undefined)[]): Set<Ref> {
  const elements = new Set<Ref>();
  for (const owner of owners) {
    const list = part.source.resolve(owner);
    for (const start of Array.isArray(list) ? list : [owner]) {
      let next: PdfValue | undefined = start;
      for (let level = 0; isRef(next) && !elements.has(next) && level < MAX_LEVELS; level++) {
        const dict = part.source.dict(next);
        if (typeof dict['/S'] !== 'string') break;
        elements.add(next);
        next = dict['/P'];
      }
    }
  }
  return elements;
}
