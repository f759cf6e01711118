import { Encodings, Font, type IFontNames } from '@pdf-lib/standard-fonts';
import type { Encoding } from '../conformance/programs/names.ts';
import { isName, type PdfValue } from '../model/values.ts';

/** The standard fonts, whose metrics files need not contain (ISO 32000-1, 9.6.2.2), as Adobe published them. */

export interface StandardFont {
  /** The width of a glyph in thousandths of the size; undefined for one that the font lacks. */
  widthOf: (glyph: string | undefined) => number | undefined;
  /** Its own encoding, if that is not StandardEncoding. */
  encoding: Encoding | undefined;
  /** The characters of glyphs whose names do not tell them. */
  symbols: ReadonlyMap<string, string>;
}

/** Returns the standard font that readers use for a name; undefined for a value that is no name. */
export function standardFont(name: PdfValue): StandardFont | undefined {
  return isName(name) ? load(familyOf(name.replace(/^.*?\/(?:[A-Z]{6}\+)?/u, ''))) : undefined;
}

function familyOf(name: string): IFontNames {
  if (/dingbats/iu.test(name)) return 'ZapfDingbats';
  if (/symbol/iu.test(name)) return 'Symbol';
  if (/courier|mono/iu.test(name)) return 'Courier';
  const isBold = /bold|black|heavy/iu.test(name);
  const isSlanted = /italic|oblique/iu.test(name);
  if (!/times|serif|roman/iu.test(name)) return isBold ? 'Helvetica-Bold' : 'Helvetica';
  if (isBold) return isSlanted ? 'Times-BoldItalic' : 'Times-Bold';
  return isSlanted ? 'Times-Italic' : 'Times-Roman';
}

function load(family: IFontNames): StandardFont {
  // Most fonts state their widths, and the metrics are compressed.
  let font: Font | undefined;
  const widthOf: StandardFont['widthOf'] = (glyph) =>
    glyph === undefined ? undefined : ((font ??= Font.load(family)).getWidthOfGlyph(glyph) ?? undefined);
  if (family !== 'Symbol' && family !== 'ZapfDingbats')
    return { widthOf, encoding: undefined, symbols: new Map() };
  const own = Encodings[family];
  const encoding: (string | undefined)[] = [];
  const symbols = new Map<string, string>();
  for (const point of own.supportedCodePoints) {
    const { code, name } = own.encodeUnicodeCodePoint(point);
    encoding[code] = name;
    symbols.set(name, String.fromCodePoint(point));
  }
  return { widthOf, encoding, symbols };
}
