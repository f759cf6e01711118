/** Characters of source whose compiled forms are kept. */
const MAX_CHARACTERS = 8_000_000;

/** Compiled templates by their source; the least recently used go when there is too much of it. */
export class TemplateCache<Compiled> {
  readonly #entries = new Map<string, { compiled: Compiled; size: number }>();
  #size = 0;

  /** The compiled form of a text of that kind, made by `compile` if it is not there. */
  get(kind: string, text: string, compile: () => Compiled): Compiled {
    // The text itself is the key: no two texts share it, and comparing is cheaper than hashing it well.
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
