import { append } from '../model/lists.ts';
import type { Target } from './target.ts';
import { isDict, isRef, textOf } from '../model/values.ts';
import type { PdfDict, PdfValue, Ref } from '../model/values.ts';
import type { Targets } from './destinations.ts';
import type { Part } from './part.ts';

interface Entry {
  /** The entry in the source. */
  item: PdfDict;
  /** Whether its own target is kept; otherwise it stays only for its descendants. */
  leads: boolean;
  below: Entry[];
}

/** Deeper entries are left out: no reader shows so many levels. */
const MAX_LEVELS = 64;

const LINKS = ['/Parent', '/Prev', '/Next', '/First', '/Last', '/Count'];

/** The outlines of all documents, one after the other (ISO 32000-1, 12.3.3). */
export class Outlines {
  readonly #target: Target;
  #root: Ref | undefined;
  /** Items with actions of the last document, with their names for people. */
  #acting = new Map<Ref, string>();
  readonly #top: { ref: Ref; visible: number }[] = [];

  constructor(target: Target) {
    this.#target = target;
  }

  /** @returns the items that have actions, with their names for people */
  add(part: Part, targets: Targets): ReadonlyMap<Ref, string> {
    const root = part.source.dict(part.source.catalog['/Outlines']);
    const entries = collect(part, targets, root['/First'], new Set(), 0);
    this.#acting = new Map();
    if (entries.length === 0) return this.#acting;
    this.#root ??= this.#target.allocate();
    const parent = this.#root;
    const before = this.#top.at(-1)?.ref;
    const refs = this.#write(part, targets, entries, parent, before);
    if (before !== undefined) this.#target.edit(before)['/Next'] = refs[0]?.ref ?? null;
    append(this.#top, refs);
    return this.#acting;
  }

  finish(catalog: PdfDict): void {
    if (this.#root === undefined) return;
    this.#target.set(this.#root, {
      '/Type': '/Outlines',
      '/First': this.#top[0]?.ref ?? null,
      '/Last': this.#top.at(-1)?.ref ?? null,
      '/Count': this.#top.reduce((sum, { visible }) => sum + 1 + visible, 0),
    });
    catalog['/Outlines'] = this.#root;
  }

  #write(
    part: Part,
    targets: Targets,
    entries: readonly Entry[],
    parent: Ref,
    before: Ref | undefined,
  ): { ref: Ref; visible: number }[] {
    const refs = entries.map(() => this.#target.allocate());
    return entries.map((entry, index) => {
      const ref = refs[index] ?? '';
      const kids = this.#write(part, targets, entry.below, ref, undefined);
      const visible = kids.reduce((sum, kid) => sum + 1 + kid.visible, 0);
      const open = typeof entry.item['/Count'] === 'number' && entry.item['/Count'] > 0;
      const copy: PdfDict = {
        ...this.#content(part, targets, entry),
        '/Parent': parent,
        '/Prev': index === 0 ? (before ?? null) : (refs[index - 1] ?? null),
        '/Next': refs[index + 1] ?? null,
      };
      if (kids.length > 0) {
        copy['/First'] = kids[0]?.ref ?? null;
        copy['/Last'] = kids.at(-1)?.ref ?? null;
        copy['/Count'] = open ? visible : -visible;
      }
      this.#target.set(ref, copy);
      if (copy['/A'] !== undefined)
        this.#acting.set(ref, `outline item ${textOf(part.source.resolve(entry.item['/Title']))}`);
      return { ref, visible: open ? visible : 0 };
    });
  }

  /** The title and action of the entry. */
  #content(part: Part, targets: Targets, entry: Entry): PdfDict {
    const item = { ...entry.item };
    for (const key of LINKS) delete item[key];
    // The structure element belongs to the tags, which are imported separately.
    item['/SE'] = part.importer.copyOf(item['/SE']) ?? null;
    if (!entry.leads) {
      delete item['/Dest'];
      delete item['/A'];
    }
    const copy = part.importer.import(item);
    const result = isDict(copy) ? copy : {};
    targets.rewrite(result);
    return result;
  }
}

function collect(
  part: Part,
  targets: Targets,
  first: PdfValue | undefined,
  seen: Set<Ref>,
  level: number,
): Entry[] {
  const entries: Entry[] = [];
  if (level === MAX_LEVELS) return entries;
  let next = first;
  while (isRef(next) && !seen.has(next)) {
    seen.add(next);
    const item = part.source.dict(next);
    next = item['/Next'];
    if (Object.keys(item).length === 0) break;
    const below = collect(part, targets, item['/First'], seen, level + 1);
    const leads =
      part.whole ||
      part.importer.copyOf(targets.pageOf(item)) !== undefined ||
      (part.keepsDocument && leadsOut(part, item));
    if (leads || below.length > 0) entries.push({ item, leads, below });
  }
  return entries;
}

/** Whether an entry has an action that does not lead to a page of its document, such as one to a web page. */
function leadsOut(part: Part, item: PdfDict): boolean {
  const kind = part.source.resolve(part.source.dict(item['/A'])['/S']);
  return kind !== null && kind !== '/GoTo';
}
