import { relatedPart } from '../ooxml/related.ts';
import type { OfficePackage } from '../package.ts';
import type { XmlDocument } from '../xml/parse.ts';
import { all, copyElement, type Element, remove } from '../xml/tree.ts';

/**
 * What Word keeps about comments outside of their text: which comment each one answers, lasting ids and times
 * ([MS-DOCX] 2.5.2.1, 2.5.3.1, 2.5.4.1). Comments are known there by the id of their last paragraph.
 */

/** Type of the relationship to each part, with the tag and the key of its entries. */
const PARTS = {
  commentsExtended: ['w15:commentEx', 'w15:paraId'],
  commentsIds: ['w16cid:commentId', 'w16cid:paraId'],
  commentsExtensible: ['w16cex:commentExtensible', 'w16cex:durableId'],
} as const;
const PARENT = 'w15:paraIdParent';
const DURABLE = 'w16cid:durableId';

type PartType = keyof typeof PARTS;

/** A copy of a comment. */
export interface CommentCopy {
  /** Ids of the last paragraphs of the comment and of its copy. */
  from: string;
  to: string;
  /** That of the copy which it answers, if it is an answer. */
  parent: string | undefined;
}

export class CommentThreads {
  readonly #file: OfficePackage;
  readonly #parts = new Map<PartType, { path: string; document: XmlDocument }>();

  constructor(file: OfficePackage) {
    this.#file = file;
    for (const type of Object.keys(PARTS) as PartType[]) {
      const path = relatedPart(file, type);
      if (path !== undefined) this.#parts.set(type, { path, document: file.xml(path) });
    }
  }

  /** Returns the paragraph of the comment that a comment answers. */
  parents(): Map<string, string> {
    const parents = new Map<string, string>();
    for (const [id, entry] of this.#entries('commentsExtended')) {
      const parent = entry.get(PARENT);
      if (parent !== undefined) parents.set(id, parent);
    }
    return parents;
  }

  /** Adds copies of comments. */
  add(copies: readonly CommentCopy[]): void {
    const extended = this.#entries('commentsExtended');
    const ids = this.#entries('commentsIds');
    const extensible = this.#entries('commentsExtensible');
    const nextId = freeIds(
      Array.from(ids.values(), (entry) => entry.get(DURABLE) ?? '').concat([...extensible.keys()]),
    );
    for (const { from, to, parent } of copies) {
      const entry = extended.get(from);
      if (entry !== undefined) insert(entry, { 'w15:paraId': to, [PARENT]: parent });
      const id = ids.get(from);
      if (id === undefined) continue;
      const durable = nextId();
      insert(id, { 'w16cid:paraId': to, [DURABLE]: durable });
      const times = extensible.get(id.get(DURABLE) ?? '');
      if (times !== undefined) insert(times, { 'w16cex:durableId': durable });
    }
  }

  /** Removes comments. @param paragraphs the ids of their last paragraphs */
  remove(paragraphs: ReadonlySet<string>): void {
    for (const [id, entry] of this.#entries('commentsExtended')) {
      if (paragraphs.has(id)) remove(entry);
      else if (paragraphs.has(entry.get(PARENT) ?? '')) entry.unset(PARENT);
    }
    const extensible = this.#entries('commentsExtensible');
    for (const [id, entry] of this.#entries('commentsIds')) {
      if (!paragraphs.has(id)) continue;
      remove(entry);
      const times = extensible.get(entry.get(DURABLE) ?? '');
      if (times !== undefined) remove(times);
    }
  }

  save(): void {
    for (const { path, document } of this.#parts.values()) this.#file.setXml(path, document);
  }

  /** Returns the entries of a part by their key. */
  #entries(type: PartType): Map<string, Element> {
    const root = this.#parts.get(type)?.document.root;
    const [tag, key] = PARTS[type];
    return new Map((root ? all(root, tag) : []).map((entry) => [entry.get(key) ?? '', entry]));
  }
}

/** Adds a copy of an entry with other attributes at the end of its part. */
function insert(entry: Element, attributes: Readonly<Record<string, string | undefined>>): void {
  const copy = copyElement(entry);
  for (const [tag, value] of Object.entries(attributes)) {
    if (value === undefined) copy.unset(tag);
    else copy.set(tag, value);
  }
  entry.parent?.append(copy);
}

/** Returns a function that returns ids which are not taken, of eight hexadecimal digits below 80000000. */
export function freeIds(taken: Iterable<string>): () => string {
  const ids = new Set(Array.from(taken, (id) => id.toUpperCase()));
  let next = 1;
  return () => {
    for (;;) {
      const id = (next++).toString(16).toUpperCase().padStart(8, '0');
      if (!ids.has(id)) return id;
    }
  };
}
