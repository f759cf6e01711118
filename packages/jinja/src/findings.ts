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
  readonly #undefined = new Uses<UndefinedUse>();
  readonly #markup = new Uses<MarkupUse>();
  /** The tags to look for in printed text; those that the template has declared safe are removed. */
  readonly #tags: Set<string>;

  /** @param tags the tags that the data contain, as `tagsIn` returns them; none if the text is not html */
  constructor(tags: Iterable<string> = []) {
    this.#tags = new Set(tags);
  }

  get undefinedUses(): UndefinedUse[] {
    return this.#undefined.list();
  }

  get markupUses(): MarkupUse[] {
    return this.#markup.list();
  }

  /** @param known returns the names that are defined in its place */
  addUndefined(name: string, last: string, at: Position, known: () => readonly string[]): void {
    this.#undefined.add(name, at, (location) => ({ name, last, location, known: known() }));
  }

  /** Looks at text that is printed unescaped. */
  print(text: string, name: string | null, at: () => Position): void {
    if (this.#tags.size === 0) return;
    const tag = tagsIn(text).find((one) => this.#tags.has(one));
    if (tag !== undefined) this.#markup.add(name ?? '', at(), (location) => ({ name, tag, location }));
  }

  /** Looks at the text of a macro or block, whose own values have been looked at. */
  capture(text: string): void {
    if (this.#tags.size === 0) return;
    for (const tag of tagsIn(text)) this.#tags.delete(tag);
  }
}

/** A position in a template. */
export interface Position {
  template: { locate(offset: number): Location };
  offset: number;
}

/** Uses of names, one for each name in a line. */
class Uses<T> {
  readonly #uses = new Map<string, T>();
  /** The names by their positions: in a loop, the line of each is looked for once. */
  readonly #known = new Map<Position['template'], Set<string>>();

  list(): T[] {
    return [...this.#uses.values()];
  }

  add(name: string, { template, offset }: Position, make: (location: Location) => T): void {
    if (this.#uses.size >= MOST) return;
    const known = this.#known.get(template) ?? new Set();
    const use = `${offset} ${name}`;
    if (known.has(use)) return;
    this.#known.set(template, known.add(use));
    const location = template.locate(offset);
    const key = `${location.file} ${location.line} ${name}`;
    if (!this.#uses.has(key)) this.#uses.set(key, make(location));
  }
}
