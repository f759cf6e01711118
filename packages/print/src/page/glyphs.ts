import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { textOf } from './language.ts';

/** Characters that have a glyph in the fonts layer: ranges of code points, first and last, in order. */
export type Coverage = readonly (readonly [number, number])[];

/** Returns the path of the fonts layer's coverage file; null if there is no such layer. */
export function coverageFile(layerRoot: string): string | null {
  const places = layerRoot.split(path.delimiter).map((root) => path.resolve(root, 'fonts', 'coverage.json'));
  return places.find((file) => existsSync(file)) ?? null;
}

/** Maximum number of reported characters. */
const NAMED = 10;
/** Invisible characters need no glyph; half a surrogate pair is not a character. */
const INVISIBLE = '\\p{Default_Ignorable_Code_Point}\\p{White_Space}\\p{Cc}\\p{Cf}\\p{Cs}';
/** Signs of a document's own fonts, which may contain any character. */
const OWN_FONTS = /@font-face|@import|<link\b/i;
/** In html notation, decimal or hexadecimal. */
const REFERENCE = /&#(?:x([0-9a-f]{1,6})|(\d{1,7}));?/gi;

/** Finds characters that no font of the fonts layer has. */
export class GlyphFinder {
  readonly #without: RegExp;
  /** A bit for each code point that the fonts have. */
  readonly #covered = new Uint8Array(0x110000 / 8);

  /** @param coverage the characters of the fonts */
  constructor(coverage: Coverage) {
    for (const [first, last] of coverage) {
      for (let code = first; code <= last; code += 1) {
        const byte = code >> 3;
        this.#covered[byte] = (this.#covered[byte] ?? 0) | (1 << (code & 7));
      }
    }
    const escaped = (code: number): string => `\\u{${code.toString(16)}}`;
    const ranges = coverage.map(([first, last]) => `${escaped(first)}-${escaped(last)}`).join('');
    this.#without = new RegExp(`[^${INVISIBLE}${ranges}]`, 'gu');
  }

  /**
   * The first characters of a document that no font of the fonts layer has, which become empty boxes on paper
   * unless the document has its own fonts.
   *
   * @param html its attributes, styles and scripts do not count
   */
  find(html: string): { lacking: string[]; mayHaveFonts: boolean } {
    if (this.#isPlain(html)) return { lacking: [], mayHaveFonts: false };
    const text = decoded(textOf(html, html.length));
    const found = new Set<string>();
    for (const [character] of text.matchAll(this.#without)) {
      found.add(character);
      if (found.size === NAMED) break;
    }
    return { lacking: [...found], mayHaveFonts: OWN_FONTS.test(html) };
  }

  /** The characters of the text in XML that no font has, each once; see `lacking`. */
  lackingIn(xml: string): string[] {
    return this.#isPlain(xml) ? [] : this.lacking(decoded(xml.replaceAll(/<[^<>]*>/g, ' ')));
  }

  /** The characters of a text that no font has, each once; characters for private use are not reported. */
  lacking(text: string): string[] {
    const found = new Set(Array.from(text.matchAll(this.#without), ([character]) => character));
    return [...found].filter((character) => !/\p{Co}/u.test(character));
  }

  /** A single pass is sufficient for nearly every document. */
  #isPlain(markup: string): boolean {
    return this.#isCovered(markup) && markup.search(REFERENCE) === -1;
  }

  /**
   * Whether the fonts have every character of a text. A loop takes a tenth of the time of a regular expression.
   */
  #isCovered(text: string): boolean {
    for (let at = 0; at < text.length; at += 1) {
      if (text.charCodeAt(at) < 0x80) continue;
      const code = text.codePointAt(at) ?? 0;
      if (((this.#covered[code >> 3] ?? 0) & (1 << (code & 7))) === 0) return false;
      if (code > 0xffff) at += 1;
    }
    return true;
  }
}

/** A text, references to characters resolved. */
function decoded(text: string): string {
  return text.replace(REFERENCE, (reference, hex?: string, decimal?: string) => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : reference;
  });
}

const finders = new Map<string, GlyphFinder>();

/**
 * The finder for the fonts of a layer, whose coverage is read once.
 *
 * @param file see `coverageFile`
 */
export function glyphFinder(file: string): GlyphFinder {
  let finder = finders.get(file);
  if (finder === undefined) {
    finder = new GlyphFinder(JSON.parse(readFileSync(file, 'utf8')) as Coverage);
    finders.set(file, finder);
  }
  return finder;
}
