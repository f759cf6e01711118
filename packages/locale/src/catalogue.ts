import { parsePluralRule, type PluralRule } from './plural.ts';

/**
 * Stored translations of one locale: the content of a gettext catalogue without the parts that are only for
 * translators.
 */
export interface CatalogueData {
  /** The expression that selects the index of a plural form. */
  plural: string;
  /** Translations by `messageKey`: one, or one for each plural form. */
  messages: Record<string, string[]>;
}

/** Returns the key of a message. A context is included in the same way as in gettext's binary files. */
export function messageKey(context: string | null, message: string): string {
  return context === null ? message : `${context}\u0004${message}`;
}

/** Translations with their fallbacks: those of `de-AT`, then those of `de`. */
export class Catalogue {
  readonly #parts: readonly { plural: PluralRule; messages: ReadonlyMap<string, readonly string[]> }[];

  constructor(data: readonly CatalogueData[]) {
    this.#parts = data.map(({ plural, messages }) => ({
      plural: parsePluralRule(plural),
      messages: new Map(Object.entries(messages)),
    }));
  }

  /** Returns the translation of a message; the message itself if there is none. */
  translate(context: string | null, message: string): string {
    return this.#find(context, message)?.forms[0] ?? message;
  }

  /** Returns the translation for a count; if there is none, the singular for 1 and the plural otherwise. */
  translatePlural(context: string | null, singular: string, plural: string, count: number): string {
    const found = this.#find(context, singular);
    // A value that is not a finite number selects a plural form.
    const n = Number.isFinite(count) ? Math.abs(Math.trunc(count)) : 2;
    return found?.forms[found.plural(n)] ?? (count === 1 ? singular : plural);
  }

  #find(
    context: string | null,
    message: string,
  ): { forms: readonly string[]; plural: PluralRule } | undefined {
    const key = messageKey(context, message);
    for (const { plural, messages } of this.#parts) {
      const forms = messages.get(key);
      if (forms !== undefined) return { forms, plural };
    }
    return undefined;
  }
}
