import type { Location } from './errors.ts';

/** The use of a name that is not defined: it is printed as nothing, iterated as an empty list, or counted as 0. */
export interface UndefinedUse {
  /** As the template writes it, as far as that is a path: `order.lines[0].price`. */
  name: string;
  /** The last part of the name. */
  last: string;
  location: Location;
  /** The names that are defined in its place. */
  known: readonly string[];
}

/** Text of the data that looks like a tag, and was printed without being escaped or declared safe. */
export interface MarkupUse {
  /** As the template writes it; null for an expression that is no path. */
  name: string | null;
  /** The tag, or its beginning. */
  tag: string;
  location: Location;
}

/** Most uses of either kind that are kept. */
const MOST = 200;

// bounded: at most 80 characters after each `<`
const TAGS = /<[a-z!/?][^<>]{0,80}/giu;

/** Returns everything in a text that looks like a tag, without its end. */
export function tagsIn(text: string): string[] {
  return text.includes('<') ? (text.match(TAGS) ?? []) : [];
}

/** Receives what a rendering notices about its template and data, each use once. */
export class Findings {
  readonly #undefined = new Map<string, UndefinedUse>();
  readonly #markup = new Map<string, MarkupUse>();
  /** The tags to look for in printed text; those that the template has declared safe are removed. */
  readonly #tags: Set<string>;

  /** @param tags the tags that the data contain, as `tagsIn` returns them; none if the text is not html */
  constructor(tags: Iterable<string> = []) {
    this.#tags = new Set(tags);
  }

  get undefinedUses(): UndefinedUse[] {
    return [...this.#undefined.values()];
  }

  get markupUses(): MarkupUse[] {
    return [...this.#markup.values()];
  }

  addUndefined(use: UndefinedUse): void {
    add(this.#undefined, `${use.location.file} ${use.location.line} ${use.name}`, use);
  }

  /** Looks at text that is printed unescaped. @param where returns its place */
  print(text: string, name: string | null, where: () => Location): void {
    if (this.#tags.size === 0) return;
    const tag = tagsIn(text).find((one) => this.#tags.has(one));
    if (tag === undefined) return;
    const location = where();
    add(this.#markup, `${location.file} ${location.line} ${name ?? ''}`, { name, tag, location });
  }

  /** Looks at the text of a macro or block, whose own values have been looked at. */
  capture(text: string): void {
    if (this.#tags.size === 0) return;
    for (const tag of tagsIn(text)) this.#tags.delete(tag);
  }
}

function add<T>(uses: Map<string, T>, key: string, use: T): void {
  if (uses.size < MOST && !uses.has(key)) uses.set(key, use);
}
