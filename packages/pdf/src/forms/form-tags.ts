import type { PdfFile } from '../model/index.ts';
import { readNumbers, writeNumbers } from '../model/name-tree.ts';
import { isRef, type PdfValue, type Ref } from '../model/values.ts';

/** Marked content: its identifier, and the page or the form with it. */
export interface TaggedContent {
  holder: Ref;
  mcid: number;
}

/** The structure elements of new fields (ISO 32000-1, 14.7.4.3 and 14.8.4.5). */
export class FormTags {
  readonly #file: PdfFile;
  readonly #root: Ref | null;
  readonly #owners: Map<number, PdfValue>;
  #next: number;

  constructor(file: PdfFile) {
    this.#file = file;
    const root = file.catalog['/StructTreeRoot'];
    this.#root = isRef(root) ? root : null;
    const tree = file.dict(root);
    this.#owners = new Map(readNumbers(file, tree['/ParentTree']));
    const said = tree['/ParentTreeNextKey'];
    this.#next = typeof said === 'number' ? said : 0;
    for (const key of this.#owners.keys()) this.#next = Math.max(this.#next, key + 1);
  }

  /**
   * Adds the element of a widget to that of marked content.
   *
   * @param content without an element, that of the widget is the last one of the document
   * @returns the key under which the widget finds its element; null for a document without structure
   */
  add(page: Ref, widget: Ref, content: TaggedContent | null): number | null {
    const parent = this.#owner(content) ?? this.#top();
    if (this.#root === null || parent === null) return null;
    const file = this.#file;
    const element = file.add({
      '/Type': '/StructElem',
      '/S': '/Form',
      '/P': parent,
      '/Pg': page,
      '/K': [{ '/Type': '/OBJR', '/Obj': widget, '/Pg': page }],
    });
    const { '/A': attributes, ...above } = file.dict(parent);
    // Chromium takes a control for the printed form of a field, which has no widget.
    const isPrinted = above['/S'] === '/Form';
    file.set(parent, {
      ...above,
      ...(isPrinted ? { '/S': '/Span' } : attributes === undefined ? {} : { '/A': attributes }),
      '/K': [...file.items(above['/K']), element],
    });
    const key = this.#next++;
    this.#owners.set(key, element);
    if (file.dict(page)['/Tabs'] === undefined) file.set(page, { ...file.dict(page), '/Tabs': '/S' });
    return key;
  }

  /** Writes the additions to the parent tree. */
  finish(): void {
    const file = this.#file;
    if (this.#root === null) return;
    const parents = file.add(writeNumbers([...this.#owners], (node) => file.add(node)));
    const tree = { ...file.dict(this.#root), '/ParentTree': parents, '/ParentTreeNextKey': this.#next };
    file.set(this.#root, tree);
  }

  #owner(content: TaggedContent | null): Ref | null {
    const key = content === null ? null : this.#file.dict(content.holder)['/StructParents'];
    if (content === null || typeof key !== 'number') return null;
    const owner = this.#file.array(this.#owners.get(key))[content.mcid];
    return isRef(owner) ? owner : null;
  }

  #top(): Ref | null {
    const [first] = this.#root === null ? [] : this.#file.items(this.#file.dict(this.#root)['/K']);
    return isRef(first) ? first : null;
  }
}
