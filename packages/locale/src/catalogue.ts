import { parsePluralRule, type PluralRule } from './plural.ts';

/** Translations of one locale, as they are kept: what a catalogue of gettext says, without what is only for translators. */
export interface CatalogueData {
  /** The expression that gives the number of a plural form. */
  plural: string;
  /** Translations by `messageKey`: one, or one for each plural form. */
  messages: Record<string, string[]>;
}

/** The key of a message; with a context, as gettext's binary files have it. */
export function messageKey(context: string | null, message: string): string {
  return context === null ? message : `${context}\u0004${message}`;
}

/** Translations with those to fall back on: those of `de-AT`, then those of `de`. */
export class Catalogue {
  readonly #parts: readonly { plural: PluralRule; messages: ReadonlyMap<string, readonly string[]> }[];

  constructor(data: readonly CatalogueData[]) {
    this.#parts = data.map(({ plural, messages }) => ({
      plural: parsePluralRule(plural),
      messages: new Map(Object.entries(messages)),
    }));
  }

  /** The translation of a message, or the message. */
  translate(context: string | null, message: string): string {
    return this.#find(context, message)?.forms[0] ?? message;
  }

  /** The translation for a count. */
  translatePlural(context: string | null, singular: string, plural: string, count: number): string {
    const found = this.#find(context, singular);
    // Whatever is no number is several.
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
