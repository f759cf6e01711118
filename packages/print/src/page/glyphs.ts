import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { textOf } from './language.ts';

/** Characters for which the product's fonts have a glyph: ranges of code points, first and last, in order. */
export type Coverage = readonly (readonly [number, number])[];

/** Returns the path of the fonts layer's coverage file; null if there is no such layer. */
export function coverageFile(layerRoot: string): string | null {
  const places = layerRoot.split(path.delimiter).map((root) => path.resolve(root, 'fonts', 'coverage.json'));
  return places.find((file) => existsSync(file)) ?? null;
}

/** As many characters are named. */
const NAMED = 10;
/** What is not drawn needs no glyph; half a surrogate pair is no character. */
const INVISIBLE = '\\p{Default_Ignorable_Code_Point}\\p{White_Space}\\p{Cc}\\p{Cf}\\p{Cs}';
/** Documents with fonts of their own may have any character in them. */
const OWN_FONTS = /@font-face|@import|<link\b/i;
/** In the notation of html, decimal or hexadecimal. */
const REFERENCE = /&#(?:x([0-9a-f]{1,6})|(\d{1,7}));?/gi;

/** Finds characters that no font of the product has. */
export class GlyphFinder {
  readonly #without: RegExp;
  /** A bit for each code point that the fonts have. */
  readonly #covered = new Uint8Array(0x110000 / 8);

  /** @param coverage what the fonts have */
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
   * The characters of a document that no font of the product has, the first ones of them: empty boxes on paper, unless
   * the document brings fonts along.
   *
   * @param html what stands in its attributes, styles and scripts does not count
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

  /** The characters of a text that no font has, each once; those for private use are nobody's to judge. */
  lacking(text: string): string[] {
    const found = new Set(Array.from(text.matchAll(this.#without), ([character]) => character));
    return [...found].filter((character) => !/\p{Co}/u.test(character));
  }

  /** One pass over the whole decides for nearly every document. */
  #isPlain(markup: string): boolean {
    return this.#isCovered(markup) && markup.search(REFERENCE) === -1;
  }

  /** Whether the fonts have every character of a text: a loop, as it takes a tenth of the time of an expression. */
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

/** The finder for the fonts of a layer, read once. @param file see `coverageFile` */
export function glyphFinder(file: string): GlyphFinder {
  let finder = finders.get(file);
  if (finder === undefined) {
    finder = new GlyphFinder(JSON.parse(readFileSync(file, 'utf8')) as Coverage);
    finders.set(file, finder);
  }
  return finder;
}
