import { destinationArray, readNames } from '../model/name-tree.ts';
import type { PdfFile } from '../model/index.ts';
import { isName, isRef, isString, textOf } from '../model/values.ts';
import type { PdfDict, PdfValue, Ref } from '../model/values.ts';

export interface OutlineItem {
  title: string;
  /** 1-based; null for an entry without a target page in the document. */
  page: number | null;
  items: OutlineItem[];
}

/** Maximum depth; readers show about a dozen levels. */
const MAX_LEVELS = 200;

/** The bookmarks of a document, each once, in their order. */
export function readOutline(objects: PdfFile): OutlineItem[] {
  const numbers = new Map(
    objects
      .pages()
      .map((ref, index) => [ref, index + 1] as const)
      .toReversed(),
  );
  const destinations = new Destinations(objects, numbers);
  const top: OutlineItem[] = [];
  const seen = new Set<Ref>();
  const root = objects.dict(objects.catalog['/Outlines']);
  const stack = [{ next: root['/First'], into: top, level: 1 }];
  for (let place = stack.pop(); place !== undefined; place = stack.pop()) {
    let { next } = place;
    while (isRef(next) && !seen.has(next)) {
      seen.add(next);
      const dict = objects.dict(next);
      const item = {
        title: textOf(objects.resolve(dict['/Title'])),
        page: destinations.pageOf(dict),
        items: [],
      };
      place.into.push(item);
      if (place.level < MAX_LEVELS) {
        stack.push({ next: dict['/First'], into: item.items, level: place.level + 1 });
      }
      next = dict['/Next'];
    }
  }
  return top;
}

/** The targets of entries; named destinations are read on first use. */
class Destinations {
  readonly #objects: PdfFile;
  readonly #numbers: ReadonlyMap<Ref, number>;
  #names: ReadonlyMap<string, PdfValue> | undefined;

  constructor(objects: PdfFile, numbers: ReadonlyMap<Ref, number>) {
    this.#objects = objects;
    this.#numbers = numbers;
  }

  pageOf(entry: PdfDict): number | null {
    const action = this.#objects.dict(entry['/A']);
    const value = entry['/Dest'] ?? (action['/S'] === '/GoTo' ? action['/D'] : undefined);
    const [page] = destinationArray(this.#objects, this.#named(this.#objects.resolve(value)));
    // A number is a page index, which only remote destinations should have.
    if (typeof page === 'number') return page >= 0 && page < this.#numbers.size ? page + 1 : null;
    return isRef(page) ? (this.#numbers.get(page) ?? null) : null;
  }

  #named(value: PdfValue): PdfValue {
    if (isName(value)) return this.#objects.dict(this.#objects.catalog['/Dests'])[value] ?? null;
    if (!isString(value)) return value;
    this.#names ??= new Map(
      readNames(this.#objects, this.#objects.dict(this.#objects.catalog['/Names'])['/Dests']),
    );
    return this.#names.get(value) ?? null;
  }
}
