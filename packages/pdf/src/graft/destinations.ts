import { append } from '../model/lists.ts';
import { destinationArray, namedDestinations, UniqueNames, writeNames } from '../model/name-tree.ts';
import type { Target } from './target.ts';
import { isDict, isName, isRef, isString, nameText, pdfText } from '../model/values.ts';
import type { PdfDict, PdfValue, Ref } from '../model/values.ts';
import type { Part } from './part.ts';

/**
 * Named destinations (ISO 32000-1, 12.3.2.3): names of the catalog's /Dests, strings of the name tree. Names become
 * strings, because some readers look for both in one of the two places. If two documents use the same one, the later one
 * is renamed, with all references in its document.
 */
export class Destinations {
  readonly #target: Target;
  readonly #names = new UniqueNames();
  readonly #tree: [string, PdfValue][] = [];

  constructor(target: Target) {
    this.#target = target;
  }

  add(part: Part): Targets {
    const { source, importer } = part;
    const targets = new Targets(part, this.#target);
    for (const [name, value] of namedDestinations(source)) {
      const destination = destinationArray(source, value);
      const page = targets.define(name, destination);
      if (!part.whole && importer.copyOf(page) === undefined) continue;
      const unique = this.#names.take(isName(name) ? pdfText(nameText(name)) : name);
      targets.rename(name, unique);
      const isNumbered = typeof destination[0] === 'number';
      const copy = importer.import(isNumbered ? destination : value);
      this.#tree.push([unique, isNumbered && Array.isArray(copy) ? targets.withPage(copy) : copy]);
    }
    return targets;
  }

  /** References to names, and to pages by number, are rewritten after all imports of the part. */
  rewriteReferences(part: Part, targets: Targets): void {
    const copies = new Set([
      ...part.importer.targets(),
      ...part.importer.repeated,
      ...part.pages.map(([, copy]) => copy),
    ]);
    for (const ref of copies) {
      const value = this.#target.get(ref);
      if (targets.rewrite(value)) this.#target.set(ref, value);
    }
  }

  finish(names: PdfDict): void {
    if (this.#tree.length > 0) {
      names['/Dests'] = this.#target.add(writeNames(this.#tree, (node) => this.#target.add(node)));
    }
  }
}

/** The targets of one document's destinations. */
export class Targets {
  readonly #part: Part;
  readonly #target: Target;
  readonly #pages = new Map<string, Ref | undefined>();
  readonly #renamed = new Map<string, string>();

  constructor(part: Part, target: Target) {
    this.#part = part;
    this.#target = target;
  }

  define(name: string, destination: readonly PdfValue[]): Ref | undefined {
    const page = this.#pageOf(destination);
    if (!this.#pages.has(name)) this.#pages.set(name, page);
    return page;
  }

  rename(name: string, unique: string): void {
    if (!this.#renamed.has(name)) this.#renamed.set(name, unique);
  }

  /** The source page of an outline entry or a link; undefined for other targets. */
  pageOf(item: PdfDict): Ref | undefined {
    const { source } = this.#part;
    const action = source.dict(item['/A']);
    const leads = item['/Dest'] ?? (action['/S'] === '/GoTo' ? action['/D'] : undefined);
    const destination = source.resolve(leads);
    if (isName(destination) || isString(destination)) return this.#pages.get(destination);
    return this.#pageOf(destinationArray(source, destination));
  }

  /**
   * A destination whose page is a number, as many programs write it although only destinations in other files should
   * have one, with the page itself.
   *
   * @param destination an array of the target
   */
  withPage(destination: readonly PdfValue[]): PdfValue[] {
    const [number, ...view] = destination;
    const page = typeof number === 'number' ? this.#part.allPages[number] : undefined;
    return [this.#part.importer.copyOf(page) ?? null, ...view];
  }

  #pageOf(destination: readonly PdfValue[]): Ref | undefined {
    const page = destination[0];
    if (typeof page === 'number') return this.#part.allPages[page];
    return isRef(page) ? page : undefined;
  }

  /**
   * Puts the new names, and the pages instead of their numbers, into every link and go-to action of a value.
   *
   * @returns whether it has any
   */
  rewrite(value: PdfValue): boolean {
    let found = false;
    const stack: PdfValue[] = [value];
    while (stack.length > 0) {
      const next = stack.pop();
      if (Array.isArray(next)) append(stack, next);
      if (!isDict(next)) continue;
      for (const key of next['/S'] === '/GoTo' ? ['/Dest', '/D'] : ['/Dest']) {
        const changed = next[key] === undefined ? undefined : this.#changed(next[key]);
        if (changed === undefined) continue;
        next[key] = changed;
        found = true;
      }
      append(stack, Object.values(next));
    }
    return found;
  }

  /** What a destination must be in the target; undefined if it stays. */
  #changed(destination: PdfValue): PdfValue | undefined {
    const renamed = typeof destination === 'string' ? this.#renamed.get(destination) : undefined;
    if (renamed !== undefined) return renamed;
    const array = this.#target.resolve(destination);
    return Array.isArray(array) && typeof array[0] === 'number' ? this.withPage(array) : undefined;
  }
}
