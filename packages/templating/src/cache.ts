/** Characters of source whose compiled forms stay in the cache. */
const MAX_CHARACTERS = 8_000_000;

/**
 * Compiled templates by their source; when the sources exceed the limit, the cache removes the least recently
 * used entries.
 */
export class TemplateCache<Compiled> {
  readonly #entries = new Map<string, { compiled: Compiled; size: number }>();
  #size = 0;

  /** Returns the compiled form of a text of that kind; calls `compile` when it is not in the cache. */
  get(kind: string, text: string, compile: () => Compiled): Compiled {
    // The text itself is the key: no two texts collide, and a comparison is cheaper than a good hash.
    const key = `${kind}\n${text}`;
    const known = this.#entries.get(key);
    if (known !== undefined) {
      this.#entries.delete(key);
      this.#entries.set(key, known);
      return known.compiled;
    }
    const compiled = compile();
    this.#entries.set(key, { compiled, size: key.length });
    this.#size += key.length;
    this.#evict();
    return compiled;
  }

  #evict(): void {
    for (const [key, { size }] of this.#entries) {
      if (this.#size <= MAX_CHARACTERS || this.#entries.size === 1) return;
      this.#entries.delete(key);
      this.#size -= size;
    }
  }
}
