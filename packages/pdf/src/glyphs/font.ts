import { isPlatenError } from '@platen/core/errors';
import { cidWidths } from '../content/cid-widths.ts';
import { codeMapOf } from '../conformance/cmaps.ts';
import { readFontProgram } from '../conformance/font-program.ts';
import { characterOf, type Encoding, NOTDEF, STANDARD } from '../conformance/programs/names.ts';
import { encodingOf } from '../conformance/simple-encoding.ts';
import { readToUnicode } from '../conformance/to-unicode.ts';
import type { PdfFile } from '../model/index.ts';
import { isDict, isName, isRef, type PdfDict, type PdfValue } from '../model/values.ts';
import { decoderOf, type LengthAt, lengthsOf, narrowCidOf } from './predefined.ts';
import { type StandardFont, standardFont } from './standard-fonts.ts';

/** A character code in a shown text. */
export interface Code {
  bytes: Buffer;
  /** The advance to the next glyph in font sizes; to the right, or downwards (negative) in vertical fonts. */
  advance: number;
  /** The characters that it shows; undefined if the document does not tell. */
  text: string | undefined;
}

/** A font as far as it determines the positions and the characters of its glyphs. */
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

type TextOf = (code: number, bytes: Buffer) => string | undefined;

/** The characters of the codes that a ToUnicode map lists (9.10.3). */
function toUnicodeOf(file: PdfFile, font: PdfDict): ReadonlyMap<number, string> {
  const ref = font['/ToUnicode'];
  const stream = isRef(ref) ? readable(() => file.streamData(ref)) : undefined;
  if (stream === undefined) return new Map();
  return readToUnicode(Buffer.from(stream.data).toString('latin1'));
}

/** Returns undefined for data that is damaged. */
function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (isPlatenError(error) && error.code.startsWith('pdf_')) return undefined;
    throw error;
  }
}

/** U+FFFD stands for an unknown character, and U+0000 for none; a text without characters identifies none either. */
function known(text: string | undefined): string | undefined {
  const plain = text?.replaceAll('\0', '');
  return plain === '' || plain?.includes('\ufffd') === true ? undefined : plain;
}

function simpleFont(file: PdfFile, font: PdfDict): ShownFont {
  const first = Number(file.resolve(font['/FirstChar'])) || 0;
  const widths = file.array(font['/Widths']).map((width) => file.resolve(width));
  const missing = file.resolve(file.dict(font['/FontDescriptor'])['/MissingWidth']);
  const [scale] = file.array(font['/FontMatrix']).map((entry) => file.resolve(entry));
  const unit = font['/Subtype'] === '/Type3' && typeof scale === 'number' ? scale : 0.001;
  const standard = font['/Subtype'] === '/Type3' ? undefined : standardFont(font['/BaseFont'] ?? null);
  let encoding: Encoding | undefined;
  const nameOf = (code: number): string | undefined =>
    (encoding ??= encodingOf(file, font, ownEncoding(file, font, standard)))[code];
  const widthOf = (code: number): number => {
    const width = widths.length === 0 ? standard?.widthOf(nameOf(code)) : widths[code - first];
    if (typeof width === 'number') return width;
    return typeof missing === 'number' ? missing : widths.length === 0 ? UNKNOWN_WIDTH : 0;
  };
  const map = toUnicodeOf(file, font);
  const namedText = (name: string | undefined): string | undefined =>
    (name === undefined ? undefined : standard?.symbols.get(name)) ?? characters(name);
  const texts = Array.from({ length: 256 }, (_, code) => known(map.get(code)) ?? namedText(nameOf(code)));
  return {
    isVertical: false,
    codes: (bytes) =>
      Array.from(bytes, (code, at) => ({
        bytes: bytes.subarray(at, at + 1),
        advance: widthOf(code) * unit,
        text: texts[code],
      })),
  };
}

/** The encoding of a font program, which fonts without another one use (table 112). */
function ownEncoding(file: PdfFile, font: PdfDict, standard: StandardFont | undefined): Encoding {
  if (font['/Subtype'] === '/Type3') return [];
  const program = readable(() => readFontProgram(file, file.dict(font['/FontDescriptor'])));
  const own = program !== undefined && 'named' in program ? program.named?.encoding : undefined;
  if (own !== undefined || standard?.encoding === undefined) return own ?? STANDARD;
  // Readers use the standard font for one that is not embedded.
  return program !== undefined && 'isMissing' in program ? standard.encoding : [];
}

/** Ligatures of the Expert sets, whose names are those of their letters. */
const LIGATURE = /^ff[il]?$/u;

/** The characters that a glyph name stands for: of variants and ligatures too (Adobe Glyph List specification, 2). */
function characters(name: string | undefined): string | undefined {
  if (name === undefined || name === NOTDEF) return undefined;
  const parts = (name.split('.')[0] ?? '').split('_').map((part) => {
    if (LIGATURE.test(part)) return [part];
    const several = /^uni((?:[\dA-F]{4}){2,})$/u.exec(part)?.[1];
    const codes = several?.match(/.{4}/gu)?.map((hex) => Number.parseInt(hex, 16)) ?? [characterOf(part)];
    return codes.map((code) =>
      code === undefined || code > 0x10_ffff ? undefined : String.fromCodePoint(code),
    );
  });
  const texts = parts.flat();
  return texts.includes(undefined) ? undefined : texts.join('');
}

function compositeFont(file: PdfFile, font: PdfDict): ShownFont {
  const descendant = file.dict(file.array(font['/DescendantFonts'])[0]);
  const encoding = file.resolve(font['/Encoding']);
  const named = isName(encoding) ? encoding : file.dict(encoding)['/CMapName'];
  const name = isName(named) ? named : '';
  const isVertical = name.endsWith('V') || (isDict(encoding) && file.resolve(encoding['/WMode']) === 1);
  const ref = isRef(font['/Encoding']) ? font['/Encoding'] : undefined;
  const map = ref === undefined ? undefined : readable(() => file.streamData(ref)?.data);
  const lengthAt = map === undefined ? lengthsOf(name) : lengthsIn(Buffer.from(map).toString('latin1'));
  const initial = file.resolve(descendant['/DW']);
  const usual = typeof initial === 'number' ? initial : DEFAULT_WIDTH;
  const isIdentity = /Identity/u.test(name);
  const widths = cidWidths(file, descendant['/W']);
  const cids = map === undefined || ref === undefined ? undefined : readable(() => codeMapOf(file, ref));
  const down = file.resolve(file.array(descendant['/DW2'])[1] ?? null);
  const drop = typeof down === 'number' ? down : -DEFAULT_WIDTH;
  const textOf = compositeText(file, font, isIdentity ? '' : name);
  const decode = decoderOf(name);
  const narrow = narrowCidOf(name);
  const isPredefined = map === undefined && !isIdentity;
  const cidOf = (code: number, own: Buffer): number | undefined =>
    isPredefined ? narrow(decode?.(own)) : (cids?.cid(code) ?? code);
  return {
    isVertical,
    codes: (bytes) => {
      const codes: Code[] = [];
      for (let at = 0; at < bytes.length;) {
        const length = Math.min(lengthAt(bytes, at), bytes.length - at);
        const code = bytes.readUIntBE(at, length);
        const own = bytes.subarray(at, at + length);
        const width = widths.get(cidOf(code, own) ?? Number.NaN) ?? usual;
        const advance = (isVertical ? drop : width) / 1000;
        codes.push({ bytes: own, advance, text: textOf(code, own) });
        at += length;
      }
      return codes;
    },
  };
}

/** @param name of a predefined CMap; empty for others */
function compositeText(file: PdfFile, font: PdfDict, name: string): TextOf {
  const map = toUnicodeOf(file, font);
  const isUnicode = isName(font['/ToUnicode']) && /Identity/u.test(font['/ToUnicode']);
  const decode = decoderOf(name);
  return (code, bytes) => {
    const listed = known(map.get(code));
    if (listed !== undefined) return listed;
    if (isUnicode && code <= 0x10_ffff) return String.fromCodePoint(code);
    return decode?.(bytes);
  };
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
