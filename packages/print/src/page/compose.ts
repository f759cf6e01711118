import { DEFAULT_LOCALE } from '../locale.ts';
import { type DocumentFacts, type DocumentText, prepareDocument } from './document.ts';
import { buildFurniture, type Furniture, type FurnitureInput } from './furniture.ts';
import { glyphFinder } from './glyphs.ts';

/** A document to be made ready for any engine, as it is sent to the thread that does it. */
export interface Composition {
  document: DocumentText;
  /** null: without header and footer. What is left out is told by the document; a locale may be. */
  furniture: (Omit<FurnitureInput, 'title' | 'locale' | 'text'> & { locale: string | null }) | null;
}

/** The same, with what the thread needs besides. */
export interface CompositionTask extends Composition {
  /** See `coverageFile`. */
  coverage?: string | null;
}

export interface Composed extends Furniture {
  html: string;
  facts: DocumentFacts;
  /** Characters that will be printed as empty boxes; see `GlyphFinder.find`. */
  withoutGlyph: string[];
  /** Those that will be, unless a font that the document brings along has them. */
  lacking: string[];
}

/** Makes a document and its header and footer ready. What they load is not loaded here. */
export function compose({ document, furniture, coverage = null }: CompositionTask): Composed {
  const { html, facts } = prepareDocument(document);
  const built =
    furniture === null
      ? { header: null, footer: null }
      : buildFurniture({
          ...furniture,
          title: facts.title,
          locale: furniture.locale ?? dateLanguage(facts),
          text: facts,
        });
  const texts = [html, furniture?.header ?? '', furniture?.footer ?? ''].join('\n');
  const found = coverage === null ? null : glyphFinder(coverage).find(texts);
  const { lacking = [], mayHaveFonts = false } = found ?? {};
  return { html, facts, withoutGlyph: mayHaveFonts ? [] : lacking, lacking, ...built };
}

/** The language of dates in a document: its own, said or guessed, if there are dates in it (decision 0024). */
function dateLanguage({ ownLanguage, language }: DocumentFacts): string {
  const [known] = Intl.DateTimeFormat.supportedLocalesOf(ownLanguage ?? language ?? []);
  return known ?? DEFAULT_LOCALE;
}
