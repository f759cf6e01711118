import { cidWidths } from '../../cid-widths.ts';
import type { PdfFile } from '../../model/index.ts';
import { isDict, isName, isRef, type PdfDict, type PdfValue } from '../../values.ts';
import { STANDARD_WIDTHS } from './standard-widths.ts';

/** A character code in a shown text. */
export interface Code {
  bytes: Buffer;
  /** The advance to the next glyph in font sizes; to the right, or downwards (negative) in vertical fonts. */
  advance: number;
}

/** The properties of a font that determine the positions of its glyphs. */
export interface ShownFont {
  isVertical: boolean;
  codes(bytes: Buffer): Code[];
}

/** The default width of composite fonts (ISO 32000-2, table 115), and of fonts without widths. */
const DEFAULT_WIDTH = 1000;
const UNKNOWN_WIDTH = 500;

export function shownFont(file: PdfFile, value: PdfValue | undefined): ShownFont {
  const font = file.dict(value);
  return font['/Subtype'] === '/Type0' ? compositeFont(file, font) : simpleFont(file, font);
}

function simpleFont(file: PdfFile, font: PdfDict): ShownFont {
  const first = Number(file.resolve(font['/FirstChar'])) || 0;
  const widths = file.array(font['/Widths']).map((width) => file.resolve(width));
  const missing = file.resolve(file.dict(font['/FontDescriptor'])['/MissingWidth']);
  const [scale] = file.array(font['/FontMatrix']).map((entry) => file.resolve(entry));
  const unit = font['/Subtype'] === '/Type3' && typeof scale === 'number' ? scale : 0.001;
  const standard = widths.length === 0 ? standardWidths(font['/BaseFont'] ?? null) : undefined;
  const widthOf = (code: number): number => {
    const width = standard === undefined ? widths[code - first] : standard[code - 32];
    if (typeof width === 'number') return width;
    return typeof missing === 'number' ? missing : widths.length === 0 ? UNKNOWN_WIDTH : 0;
  };
  return {
    isVertical: false,
    codes: (bytes) =>
      Array.from(bytes, (code, at) => ({
        bytes: bytes.subarray(at, at + 1),
        advance: widthOf(code) * unit,
      })),
  };
}

/** The metrics of the standard font that readers use for a name. */
function standardWidths(name: PdfValue): readonly number[] | undefined {
  if (!isName(name)) return undefined;
  const plain = name.replace(/^.*?\/(?:[A-Z]{6}\+)?/u, '');
  if (/symbol|dingbats/iu.test(plain)) return undefined;
  if (/courier|mono/iu.test(plain)) return Array.from({ length: 224 }, () => 600);
  const isBold = /bold|black|heavy/iu.test(plain);
  const isSlanted = /italic|oblique/iu.test(plain);
  const times = isBold
    ? isSlanted
      ? 'Times-BoldItalic'
      : 'Times-Bold'
    : isSlanted
      ? 'Times-Italic'
      : 'Times-Roman';
  return STANDARD_WIDTHS[/times|serif|roman/iu.test(plain) ? times : isBold ? 'Helvetica-Bold' : 'Helvetica'];
}

function compositeFont(file: PdfFile, font: PdfDict): ShownFont {
  const descendant = file.dict(file.array(font['/DescendantFonts'])[0]);
  const encoding = file.resolve(font['/Encoding']);
  const named = isName(encoding) ? encoding : file.dict(encoding)['/CMapName'];
  const name = isName(named) ? named : '';
  const isVertical = name.endsWith('V') || (isDict(encoding) && file.resolve(encoding['/WMode']) === 1);
  const map = isRef(font['/Encoding']) ? file.streamData(font['/Encoding'])?.data : undefined;
  const lengthAt = map === undefined ? lengthsOf(name) : lengthsIn(Buffer.from(map).toString('latin1'));
  const initial = file.resolve(descendant['/DW']);
  const usual = typeof initial === 'number' ? initial : DEFAULT_WIDTH;
  const widths =
    /Identity/u.test(name) || map !== undefined
      ? cidWidths(file, descendant['/W'])
      : new Map<number, number>();
  const down = file.resolve(file.array(descendant['/DW2'])[1] ?? null);
  const drop = typeof down === 'number' ? down : -DEFAULT_WIDTH;
  return {
    isVertical,
    codes: (bytes) => {
      const codes: Code[] = [];
      for (let at = 0; at < bytes.length;) {
        const length = Math.min(lengthAt(bytes, at), bytes.length - at);
        const code = bytes.readUIntBE(at, length);
        // In a custom encoding, codes of one byte are assumed to be half as wide.
        const width = widths.get(code) ?? (length === 1 ? usual / 2 : usual);
        codes.push({ bytes: bytes.subarray(at, at + length), advance: (isVertical ? drop : width) / 1000 });
        at += length;
      }
      return codes;
    },
  };
}

type LengthAt = (bytes: Buffer, at: number) => number;

/** The code lengths of predefined CMaps (ISO 32000-2, table 116). */
function lengthsOf(name: string): LengthAt {
  if (/RKSJ/u.test(name)) {
    return (bytes, at) => {
      const byte = bytes[at] ?? 0;
      return (byte >= 0x81 && byte <= 0x9f) || byte >= 0xe0 ? 2 : 1;
    };
  }
  if (/EUC|GBK|GBpc|B5|Big5|ETen|HKscs|KSC|CNS/iu.test(name))
    return (bytes, at) => ((bytes[at] ?? 0) >= 0x80 ? 2 : 1);
  if (/UTF32/u.test(name)) return () => 4;
  if (/UTF16/u.test(name)) return (bytes, at) => (((bytes[at] ?? 0) & 0xfc) === 0xd8 ? 4 : 2);
  if (/UTF8/u.test(name)) {
    return (bytes, at) => {
      const byte = bytes[at] ?? 0;
      return byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    };
  }
  return () => 2;
}

/** The code lengths of an embedded CMap, by its codespace ranges. */
function lengthsIn(cmap: string): LengthAt {
  const ranges = Array.from(
    cmap.matchAll(/begincodespacerange([\s<>\da-f]*)endcodespacerange/giu),
    ([, text = '']) =>
      Array.from(text.matchAll(/<([\da-f]+)>\s*<([\da-f]+)>/giu), ([, from = '', to = '']) => ({
        from: Buffer.from(from, 'hex'),
        to: Buffer.from(to, 'hex'),
      })),
  )
    .flat()
    .filter(({ from, to }) => from.length > 0 && from.length === to.length && from.length <= 4)
    .slice(0, 100);
  return (bytes, at) => {
    const fitting = ranges.find(({ from, to }) =>
      from.every((low, index) => {
        const byte = bytes[at + index];
        return byte !== undefined && byte >= low && byte <= (to[index] ?? 0);
      }),
    );
    return fitting?.from.length ?? Math.min(2, ...ranges.map(({ from }) => from.length));
  };
}
