import { TemplateError } from '@platen/jinja';
import type { Partials } from '../protocol.ts';
import { fitsPattern, type Reference } from '../references/reference.ts';

/**
 * Follows partials to find the data they use. A partial is analysed each time a text names it, because the
 * variables it sees differ.
 */

/** Limits of analysed texts: in total, and nested in one another. */
const MAX_LOOKED_INTO = 500;
const MAX_DEPTH = 20;

export class Inclusions {
  readonly #texts: ReadonlyMap<string, string>;
  #left = MAX_LOOKED_INTO;
  #depth = 0;

  constructor(partials: Partials) {
    this.#texts = new Map(Object.entries(partials));
  }

  /** Calls `look` with each text that the reference may mean. */
  follow({ names, patterns }: Pick<Reference, 'names' | 'patterns'>, look: (text: string) => void): void {
    for (const [name, text] of this.#texts) {
      if (!names.includes(name) && !patterns.some((pattern) => fitsPattern(name, pattern))) continue;
      if (this.#left <= 0 || this.#depth >= MAX_DEPTH) return;
      this.#left -= 1;
      this.#depth += 1;
      try {
        look(text);
      } catch (error) {
        // The match of an expression may be a text of another language.
        const isSyntax = error instanceof TemplateError || (error instanceof Error && 'token' in error);
        if (!isSyntax) throw error;
      } finally {
        this.#depth -= 1;
      }
    }
  }
}
