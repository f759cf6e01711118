import { charstringWidth, type Subroutines } from './charstrings.ts';
import { type Encoding, STANDARD, STANDARD_STRINGS, standardName } from './names.ts';

/** Widths of the glyphs of a CFF font (Adobe Technical Note 5176). */

/** Widths are thousandths of the size; null if there is no such glyph, undefined if the width is unknown. */
export type WidthOf<Key> = (key: Key) => number | null | undefined;

/** Glyphs with names, and the names in the font's own encoding. */
export interface NamedGlyphs {
  width: WidthOf<string>;
  encoding: Encoding;
}

/** The widths by glyph name, or by CID for a CID-keyed font. */
export interface CffGlyphs {
  named?: NamedGlyphs;
  cid?: WidthOf<number>;
}

interface Index {
  count: number;
  /** Start and end of an entry. */
  span: (entry: number) => [number, number];
  end: number;
}

type Dict = ReadonlyMap<number, number[]>;

/** Operators of dictionaries; two-byte operators start at 1200. */
const [CHARSET, ENCODING, CHARSTRINGS, PRIVATE, SUBRS, DEFAULT_WIDTH, NOMINAL_WIDTH] = [
  15, 16, 17, 18, 19, 20, 21,
];
const [FONT_MATRIX, ROS, FD_ARRAY, FD_SELECT] = [1207, 1230, 1236, 1237];

/** @throws RangeError if the data is truncated, or has no glyphs */
export function readCffGlyphs(font: DataView): CffGlyphs {
  const bytes = new Uint8Array(font.buffer, font.byteOffset, font.byteLength);
  const names = readIndex(font, font.getUint8(2));
  const dicts = readIndex(font, names.end);
  const strings = readIndex(font, dicts.end);
  const global = readIndex(font, strings.end);
  const top = readDict(font, ...dicts.span(0));
  const place = top.get(CHARSTRINGS)?.[0];
  if (place === undefined) throw new RangeError('it has no glyphs');
  const glyphs = readIndex(font, place);
  const charset = readCharset(font, top.get(CHARSET)?.[0] ?? 0, glyphs.count);
  if (charset === undefined) return {};
  const isCid = top.has(ROS);
  const fonts = isCid ? fontsOf(font, top) : [privateOf(font, top, top)];
  const fontOf = isCid ? readSelect(font, top.get(FD_SELECT)?.[0] ?? 0, glyphs.count) : () => 0;
  const widthOf = (glyph: number): number | undefined => {
    const own = fonts[fontOf(glyph)];
    if (own === undefined) return undefined;
    const { usual, nominal, scale, local } = own;
    const subroutines: Subroutines = {
      local: subroutinesOf(bytes, local),
      global: subroutinesOf(bytes, global),
    };
    const extra = charstringWidth(bytes.subarray(...glyphs.span(glyph)), subroutines);
    return extra === undefined ? undefined : (extra === null ? usual : nominal + extra) * scale;
  };
  if (isCid) {
    const glyphOf = new Map(Array.from(charset, (cid, glyph) => [cid, glyph]));
    return { cid: (cid) => (glyphOf.has(cid) ? widthOf(glyphOf.get(cid) ?? 0) : null) };
  }
  const nameOf = (sid: number): string => {
    if (sid < STANDARD_STRINGS) return standardName(sid);
    const [from, to] = strings.span(sid - STANDARD_STRINGS);
    return String.fromCharCode(...bytes.subarray(from, Math.min(to, from + MAX_NAME_BYTES)));
  };
  const all = Array.from(charset, nameOf);
  const glyphOf = new Map(all.map((name, glyph) => [name, glyph]));
  const encoding = readEncoding(font, top.get(ENCODING)?.[0] ?? 0, all, nameOf);
  return {
    named: { width: (name) => (glyphOf.has(name) ? widthOf(glyphOf.get(name) ?? 0) : null), encoding },
  };
}

function readIndex(font: DataView, start: number): Index {
  const count = font.getUint16(start);
  if (count === 0) return { count, span: () => [start, start], end: start + 2 };
  const size = font.getUint8(start + 2);
  const before = start + 2 + (count + 1) * size;
  const offset = (entry: number): number => {
    let value = 0;
    for (let at = 0; at < size; at++) value = value * 256 + font.getUint8(start + 3 + entry * size + at);
    return before + value;
  };
  const span = (entry: number): [number, number] => {
    if (entry < 0 || entry >= count) throw new RangeError('there is no such entry');
    return [offset(entry), offset(entry + 1)];
  };
  return { count, span, end: offset(count) };
}

/** Limits of an INDEX, whose entries may overlap: no entry of a font in use is larger, and no INDEX longer. */
const [MAX_DICT_BYTES, MAX_NAME_BYTES, MAX_FONTS] = [1 << 14, 127, 256];

/**
 * Operands by their operators.
 *
 * @throws RangeError if the data is truncated, or too large
 */
function readDict(font: DataView, start: number, end: number): Dict {
  if (end - start > MAX_DICT_BYTES) throw new RangeError('a dictionary is too large');
  const dict = new Map<number, number[]>();
  let operands: number[] = [];
  for (let at = start; at < end;) {
    const byte = font.getUint8(at++);
    if (byte <= 21) {
      dict.set(byte === 12 ? 1200 + font.getUint8(at++) : byte, operands);
      operands = [];
    } else if (byte === 28) {
      operands.push(font.getInt16(at));
      at += 2;
    } else if (byte === 29) {
      operands.push(font.getInt32(at));
      at += 4;
    } else if (byte === 30) {
      let text = '';
      for (let last = false; !last;) {
        const pair = font.getUint8(at++);
        for (const half of [pair >> 4, pair & 15]) {
          last ||= half === 15;
          if (!last) text += REAL[half] ?? '';
        }
      }
      operands.push(Number(text));
    } else if (byte <= 246) operands.push(byte - 139);
    else if (byte <= 250) operands.push((byte - 247) * 256 + font.getUint8(at++) + 108);
    else operands.push(-(byte - 251) * 256 - font.getUint8(at++) - 108);
  }
  return dict;
}

const REAL = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '.', 'E', 'E-', '', '-'];

/** The widths and subroutines of a font or of one of its font dictionaries. */
interface Widths {
  usual: number;
  nominal: number;
  /** Factor from units of the font to thousandths. */
  scale: number;
  local: Index | null;
}

function privateOf(font: DataView, dict: Dict, top: Dict): Widths {
  const [size = 0, start = 0] = dict.get(PRIVATE) ?? [];
  const own = readDict(font, start, start + size);
  const subrs = own.get(SUBRS)?.[0];
  const matrices = (dict === top ? [dict] : [top, dict]).map((one) => one.get(FONT_MATRIX)?.[0]);
  const given = matrices.filter((one) => one !== undefined);
  return {
    usual: own.get(DEFAULT_WIDTH)?.[0] ?? 0,
    nominal: own.get(NOMINAL_WIDTH)?.[0] ?? 0,
    scale: 1000 * (given.length === 0 ? 0.001 : given.reduce((one, other) => one * other)),
    local: subrs === undefined ? null : readIndex(font, start + subrs),
  };
}

function fontsOf(font: DataView, top: Dict): Widths[] {
  const array = readIndex(font, top.get(FD_ARRAY)?.[0] ?? 0);
  return Array.from({ length: Math.min(array.count, MAX_FONTS) }, (_, at) =>
    privateOf(font, readDict(font, ...array.span(at)), top),
  );
}

function subroutinesOf(bytes: Uint8Array, index: Index | null): Subroutines['local'] {
  if (index === null) return () => undefined;
  const bias = index.count < 1240 ? 107 : index.count < 33900 ? 1131 : 32768;
  return (number) => {
    const entry = number + bias;
    return entry >= 0 && entry < index.count ? bytes.subarray(...index.span(entry)) : undefined;
  };
}

/** The SIDs or CIDs of glyphs; undefined for the two Expert charsets. */
function readCharset(font: DataView, start: number, count: number): Uint16Array | undefined {
  const ids = new Uint16Array(count);
  if (start === 0) return ids.map((_, glyph) => glyph);
  if (start <= 2) return undefined;
  const format = font.getUint8(start);
  if (format === 0) return ids.map((_, glyph) => (glyph === 0 ? 0 : font.getUint16(start - 1 + 2 * glyph)));
  for (let glyph = 1, at = start + 1; glyph < count; at += format === 1 ? 3 : 4) {
    const first = font.getUint16(at);
    const left = format === 1 ? font.getUint8(at + 2) : font.getUint16(at + 2);
    for (let id = first; id <= first + left && glyph < count; id++) ids[glyph++] = id;
  }
  return ids;
}

/** Returns the font dictionary of a glyph. */
function readSelect(font: DataView, start: number, count: number): (glyph: number) => number {
  if (font.getUint8(start) === 0) return (glyph) => font.getUint8(start + 1 + glyph);
  const fonts = new Uint8Array(count);
  const ranges = font.getUint16(start + 1);
  for (let range = 0, at = start + 3; range < ranges; range++, at += 3)
    fonts.fill(font.getUint8(at + 2), font.getUint16(at), font.getUint16(at + 3));
  return (glyph) => fonts[glyph] ?? 0;
}

function readEncoding(
  font: DataView,
  start: number,
  names: readonly string[],
  nameOf: (sid: number) => string,
): Encoding {
  const encoding: (string | undefined)[] = Array.from({ length: 256 });
  if (start === 0) return STANDARD;
  if (start === 1) return encoding;
  const format = font.getUint8(start);
  const count = font.getUint8(start + 1);
  let at = start + 2;
  for (let entry = 0, glyph = 1; entry < count; entry++) {
    const first = font.getUint8(at++);
    const left = (format & 0x7f) === 0 ? 0 : font.getUint8(at++);
    for (let code = first; code <= first + left; code++) encoding[code] = names[glyph++];
  }
  if ((format & 0x80) !== 0) {
    for (let left = font.getUint8(at++); left > 0; left--, at += 3)
      encoding[font.getUint8(at)] = nameOf(font.getUint16(at + 1));
  }
  return encoding;
}
