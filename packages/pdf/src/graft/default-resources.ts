import { isDict, isRef, isString, stringBytes, type PdfDict, type PdfValue } from '../model/values.ts';
import { UniqueNames } from '../model/name-tree.ts';
import type { Part } from './part.ts';
import type { Target } from './target.ts';

/** Deeper values are not compared and count as different. */
const MAX_LEVELS = 4;
/** So do those that consist of more values. */
const MAX_VALUES = 10_000;

/**
 * The default resources that the forms of all documents provide for the appearances of their fields (ISO 32000-2,
 * table 224), mostly fonts. If two documents use the same name for different resources, the later one is renamed,
 * also in the fields that use it.
 */
export class DefaultResources {
  readonly #target: Target;
  readonly #kinds = new Map<string, { entries: PdfDict; names: UniqueNames }>();
  readonly #others: PdfDict = {};

  constructor(target: Target) {
    this.#target = target;
  }

  /** @returns new names of fonts, by the names that fields of this document use */
  add({ source, importer }: Part, resources: PdfDict): Map<string, string> {
    const renamed = new Map<string, string>();
    for (const [kind, value] of Object.entries(resources)) {
      const offered = source.resolve(value);
      if (!isDict(offered)) {
        this.#others[kind] ??= importer.import(offered);
        continue;
      }
      const known = this.#kinds.get(kind) ?? { entries: {}, names: new UniqueNames() };
      this.#kinds.set(kind, known);
      for (const [name, entry] of Object.entries(offered)) {
        const copy = importer.import(entry);
        if (this.#isSame(known.entries[name], copy)) continue;
        const unique = known.names.take(name);
        known.entries[unique] = copy;
        if (unique !== name && kind === '/Font') renamed.set(name, unique);
      }
    }
    return renamed;
  }

  /** @returns null where no document has any */
  all(): PdfDict | null {
    const kinds = [...this.#kinds].map(([kind, { entries }]): [string, PdfValue] => [kind, entries]);
    const all = { ...this.#others, ...Object.fromEntries(kinds) };
    return Object.keys(all).length > 0 ? all : null;
  }

  #isSame(one: PdfValue | undefined, other: PdfValue): boolean {
    const [first, second] = [this.#plain(one ?? null, 0), this.#plain(other, 0)];
    return first !== undefined && JSON.stringify(first) === JSON.stringify(second);
  }

  /** The value with everything that it refers to; undefined if that is large, or contains a stream. */
  #plain(value: PdfValue, level: number, left = { values: MAX_VALUES }): PdfValue | undefined {
    left.values -= 1;
    if (level > MAX_LEVELS || left.values < 0) return undefined;
    const resolved = isRef(value) ? this.#target.resolve(value) : value;
    if (!isDict(resolved) && !Array.isArray(resolved)) return resolved;
    if (isDict(resolved) && resolved['/Length'] !== undefined) return undefined;
    const entries = Object.entries(resolved).map(
      ([key, entry]) => [key, this.#plain(entry, level + 1, left)] as const,
    );
    if (entries.some(([, entry]) => entry === undefined)) return undefined;
    return Object.fromEntries(entries.map(([key, entry]) => [key, entry ?? null]));
  }
}

/** A default appearance (12.7.4.3) with the new names of its fonts. */
export function renamedAppearance(
  appearance: PdfValue | undefined,
  renamed: ReadonlyMap<string, string>,
): PdfValue {
  if (!isString(appearance) || renamed.size === 0) return appearance ?? null;
  const text = stringBytes(appearance).toString('latin1');
  const changed = text.replace(/\/[^\s()<>[\]{}/%]+/g, (name) => renamed.get(name) ?? name);
  return changed === text ? appearance : `b:${Buffer.from(changed, 'latin1').toString('hex')}`;
}
