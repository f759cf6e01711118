import { TemplateError } from '@platen/jinja';
import type { Partials } from '../protocol.ts';
import { fitsPattern, type Reference } from '../references/reference.ts';

/** Partials that are looked into for the data they use: each as often as it is named, since what it sees differs. */

/** Texts that are looked into in all, and within one another. */
const MAX_LOOKED_INTO = 500;
const MAX_DEPTH = 20;

export class Inclusions {
  readonly #texts: ReadonlyMap<string, string>;
  #left = MAX_LOOKED_INTO;
  #depth = 0;

  constructor(partials: Partials) {
    this.#texts = new Map(Object.entries(partials));
  }

  /** Gives `look` each text that may be meant. */
  follow({ names, patterns }: Pick<Reference, 'names' | 'patterns'>, look: (text: string) => void): void {
    for (const [name, text] of this.#texts) {
      if (!names.includes(name) && !patterns.some((pattern) => fitsPattern(name, pattern))) continue;
      if (this.#left <= 0 || this.#depth >= MAX_DEPTH) return;
      this.#left -= 1;
      this.#depth += 1;
      try {
        look(text);
      } catch (error) {
        // One that an expression may come to can be of another language.
        const isSyntax = error instanceof TemplateError || (error instanceof Error && 'token' in error);
        if (!isSyntax) throw error;
      } finally {
        this.#depth -= 1;
      }
    }
  }
}
