import { DEFAULT_LOCALE } from '../locale.ts';
import { type DocumentFacts, type DocumentText, prepareDocument, withoutEmbedded } from './document.ts';
import { type FurnitureInput, furniturePart } from './furniture.ts';
import type { Pieces } from './pieces.ts';
import { glyphFinder } from './glyphs.ts';
import { replacedFamilies } from './replaced-families.ts';

/** A document to be prepared for any engine, in the form that is sent to the thread. */
export interface Composition {
  document: DocumentText;
  /** null: without header and footer. Omitted parts are taken from the document; a locale may be omitted. */
  furniture:
    | (Omit<FurnitureInput, 'title' | 'locale' | 'text' | 'header' | 'footer'> & {
        locale: string | null;
        header: FurnitureTexts;
        footer: FurnitureTexts;
      })
    | null;
}

/** A filled header or footer, with the pages that have it (by-page.ts). */
export interface FurnitureText {
  pages: string;
  /** Html or plain text. */
  text: string;
}
/** The header or footer texts of a document; null for the default one. */
export type FurnitureTexts = readonly FurnitureText[] | null;

/** A header or footer ready for engines; null if there is nothing to show. */
export interface ComposedPart {
  pages: string;
  pieces: Pieces | null;
}

/** The same, with the additional inputs of the thread. */
export interface CompositionTask extends Composition {
  /** See `coverageFile`. */
  coverage?: string | null;
}

export interface Composed {
  header: ComposedPart[];
  footer: ComposedPart[];
  html: string;
  asWritten: string | null;
  facts: DocumentFacts;
  /** Characters that will be printed as empty boxes; see `GlyphFinder.find`. */
  withoutGlyph: string[];
  /** Those that will be, unless one of the document's own fonts has them. */
  lacking: string[];
  /** A sentence about families that others stand for; null for none. */
  replacedFamilies: string | null;
}

/** Prepares a document and its header and footer. Their resources are not loaded here. */
export function compose({ document, furniture, coverage = null }: CompositionTask): Composed {
  const { html, asWritten, facts } = prepareDocument(document);
  const input = furniture && {
    ...furniture,
    title: facts.title,
    locale: furniture.locale ?? dateLanguage(facts),
    text: facts,
  };
  const parts = (place: 'header' | 'footer'): ComposedPart[] => {
    if (input === null) return [];
    const given = input[place] ?? [{ pages: 'default', text: null }];
    return given.map(({ pages, text }) => ({ pages, pieces: furniturePart(place, text, input) }));
  };
  const given = [...(furniture?.header ?? []), ...(furniture?.footer ?? [])].map(({ text }) => text);
  const texts = withoutEmbedded([html, ...given].join('\n'));
  const found = coverage === null ? null : glyphFinder(coverage).find(texts);
  const { lacking = [], mayHaveFonts = false } = found ?? {};
  const withoutGlyph = mayHaveFonts ? [] : lacking;
  return {
    html,
    asWritten,
    facts,
    withoutGlyph,
    lacking,
    replacedFamilies: facts.mayNameFonts ? replacedFamilies(texts) : null,
    header: parts('header'),
    footer: parts('footer'),
  };
}

/** The declared or detected language of a document, for dates, if it contains any (decision 0024). */
function dateLanguage({ ownLanguage, language }: DocumentFacts): string {
  const [known] = Intl.DateTimeFormat.supportedLocalesOf(ownLanguage ?? language ?? []);
  return known ?? DEFAULT_LOCALE;
}
