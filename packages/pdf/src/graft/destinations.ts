import { append } from '../lists.ts';
import { destinationArray, readNames, UniqueNames, writeNames } from '../name-tree.ts';
import type { Target } from './target.ts';
import { isDict, isName, isRef, isString, nameText, pdfText } from '../values.ts';
import type { PdfDict, PdfValue, Ref } from '../values.ts';
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
    const catalog = source.catalog;
    const targets = new Targets(part);
    const entries: [string, PdfValue][] = [
      ...Object.entries(source.dict(catalog['/Dests'])),
      ...readNames(source, source.dict(catalog['/Names'])['/Dests']),
    ];
    for (const [name, value] of entries) {
      const page = targets.define(name, destinationArray(source, value));
      if (!part.whole && importer.copyOf(page) === undefined) continue;
      const unique = this.#names.take(isName(name) ? pdfText(nameText(name)) : name);
      targets.rename(name, unique);
      this.#tree.push([unique, targets.withPage(importer.import(value), page)]);
    }
    return targets;
  }

  /** References to names are rewritten after all imports of the part. */
  rewriteReferences(part: Part, targets: Targets): void {
    if (!targets.named) return;
    const copies = new Set([...part.importer.targets(), ...part.pages.map(([, copy]) => copy)]);
    for (const ref of copies) {
      if (this.#target.isStream(ref)) continue;
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
  readonly #pages = new Map<string, Ref | undefined>();
  readonly #renamed = new Map<string, string>();

  constructor(part: Part) {
    this.#part = part;
  }

  get named(): boolean {
    return this.#renamed.size > 0;
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

  /** A destination array whose page is a number (which only remote ones should have) gets the page itself. */
  withPage(destination: PdfValue, page: Ref | undefined): PdfValue {
    const array = isDict(destination) ? destination['/D'] : destination;
    if (Array.isArray(array) && typeof array[0] === 'number') {
      array[0] = this.#part.importer.copyOf(page) ?? null;
    }
    return destination;
  }

  #pageOf(destination: readonly PdfValue[]): Ref | undefined {
    const page = destination[0];
    if (typeof page === 'number') return this.#part.allPages[page];
    return isRef(page) ? page : undefined;
  }

  /** Puts the new names into every link and go-to action of a value. @returns whether it has any. */
  rewrite(value: PdfValue): boolean {
    let found = false;
    const stack: PdfValue[] = [value];
    while (stack.length > 0) {
      const next = stack.pop();
      if (Array.isArray(next)) append(stack, next);
      if (!isDict(next)) continue;
      for (const key of next['/S'] === '/GoTo' ? ['/Dest', '/D'] : ['/Dest']) {
        const name = next[key];
        const renamed = typeof name === 'string' ? this.#renamed.get(name) : undefined;
        if (renamed !== undefined) {
          next[key] = renamed;
          found = true;
        }
      }
      append(stack, Object.values(next));
    }
    return found;
  }
}
