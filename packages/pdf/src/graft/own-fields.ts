/** Maximum number of names in all lists of one document. */
const MAX_LISTED = 1 << 20;

/**
 * The fields of one document, for actions that reach all fields of a file: with the fields of other documents in the
 * file, such actions need a list of those that they reached before.
 */
export class OwnFields {
  readonly #top: readonly string[];
  readonly #leaves: readonly string[];
  readonly #nothing: () => string;
  #left = MAX_LISTED;

  /**
   * @param top new names of the top-level fields; each stands for all fields below it
   * @param leaves new full names of the fields without others below them
   * @param nothing returns a name that no field has
   */
  constructor(top: readonly string[], leaves: readonly string[], nothing: () => string) {
    this.#top = top;
    this.#leaves = leaves;
    this.#nothing = nothing;
  }

  /** Returns the names that stand for all fields; undefined if the lists would become too long. */
  all(): readonly string[] | undefined {
    return this.#take(this.#top.length) ? this.#listed(this.#top) : undefined;
  }

  /** Returns the names of all other fields than these and those below them, as `all` does. */
  except(names: ReadonlySet<string>): readonly string[] | undefined {
    if (!this.#take(this.#leaves.length)) return undefined;
    const others = this.#leaves.filter((leaf) => {
      const parts = leaf.split('.');
      return !parts.some((_, index) => names.has(parts.slice(0, index + 1).join('.')));
    });
    return this.#listed(others);
  }

  /** A list that reaches these fields. An empty one reaches all fields of the file in some readers. */
  #listed(names: readonly string[]): readonly string[] {
    return names.length > 0 ? names : [this.#nothing()];
  }

  #take(count: number): boolean {
    if (count > this.#left) return false;
    this.#left -= count;
    return true;
  }
}
