import type { Decoded, Scope } from './decode.ts';
import type { Element } from './xml/tree.ts';

/** Follows elements of a template into the passes of its loops, to keep references within their pass. */

/** The passes around an element of a filled part, the outermost first. */
export type Passes = readonly Scope[];

/** Returns the passes around an element of a filled part. */
export function passesOf(element: Element, scopes: Decoded['scopes']): Passes {
  let scope: Scope | null | undefined;
  for (let at: Element | null = element; at !== null && scope === undefined; at = at.parent)
    scope = scopes.get(at);
  const passes: Scope[] = [];
  for (let at: Scope | null | undefined = scope; at != null; at = at.parent) passes.unshift(at);
  return passes;
}

/** The copies of one named element of a template, by the name that each has now. */
export class NamedCopies {
  readonly #copies = new Map<Scope | null, string>();
  /** The passes of any copy: all have the same loops. */
  #sample: Passes = [];

  add(name: string, passes: Passes): void {
    this.#sample = passes;
    for (const pass of [null, ...passes]) if (!this.#copies.has(pass)) this.#copies.set(pass, name);
  }

  /**
   * Returns the name of the copy that a reference means: the first one in the innermost pass around the reference
   * whose loop repeats the copies as well. Returns undefined if that pass has none, because a condition removed it.
   */
  nameFor(reference: Passes): string | undefined {
    const { length } = this.#sample;
    let common = 0;
    while (common < length && reference[common]?.loop === this.#sample[common]?.loop) common += 1;
    return this.#copies.get(reference[common - 1] ?? null);
  }
}
