import { isPlatenError } from '@platen/core/errors';
import type { PdfFile } from '../model/index.ts';
import { isRef, type PdfDict, type Ref } from '../model/values.ts';
import { type CffGlyphs, readCffGlyphs } from './programs/cff.ts';
import { type CharacterMaps, readCharacterMaps } from './programs/truetype.ts';
import { readType1Glyphs } from './programs/type1.ts';

/** The program of an embedded font (ISO 32000-1, 9.9). */
export interface FontProgram extends CffGlyphs {
  /**
   * The advance width of a glyph in thousandths of the size; null if the font has no such glyph. Absent if unknown
   * for this kind of font.
   */
  advance?: (glyph: number) => number | null;
  /** The character maps of a TrueType font. */
  maps?: CharacterMaps;
  /** Whether it is stored as a Type 1 program, which a composite font cannot use (table 126). */
  kind?: 'simple';
}

/** The reason why a program cannot be used. The message completes "The font …". */
export interface FontFault {
  fault: string;
  /** Whether the document does not contain the program. */
  isMissing?: boolean;
}

const KEYS = ['/FontFile', '/FontFile2', '/FontFile3'] as const;

/** Reads the program that a font descriptor refers to, as far as readers need it to be intact. */
export function readFontProgram(file: PdfFile, descriptor: PdfDict): FontProgram | FontFault {
  const key = KEYS.find((name) => isRef(descriptor[name]));
  const ref = key === undefined ? undefined : descriptor[key];
  const data = isRef(ref) ? dataOf(file, ref) : undefined;
  if (data === undefined) return { fault: 'is not embedded', isMissing: true };
  if (data === null) return DAMAGED;
  try {
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    if (key === '/FontFile') return file.resolve(file.dict(ref)['/Length2']) === 0 ? DAMAGED : ofType1(data);
    const isSfnt = key === '/FontFile2' || file.dict(ref)['/Subtype'] === '/OpenType';
    if (isSfnt) return readSfnt(view, key === '/FontFile2');
    const program = readCff(view);
    return file.dict(ref)['/Subtype'] === '/Type1C' ? { ...program, kind: 'simple' } : program;
  } catch (error) {
    // The offset is beyond the end.
    if (error instanceof RangeError) return DAMAGED;
    throw error;
  }
}

const DAMAGED: FontFault = { fault: 'is damaged in the file' };

/** @returns null for data that cannot be decoded, undefined if there is none */
function dataOf(file: PdfFile, ref: Ref): Uint8Array | null | undefined {
  try {
    const stream = file.streamData(ref);
    return stream === undefined ? undefined : stream.filters.length > 0 ? null : stream.data;
  } catch (error) {
    if (isPlatenError(error) && error.code === 'pdf_damaged') return null;
    throw error;
  }
}

/** Segment headers, as in font files, are not permitted in a PDF (ISO 32000-1, 9.9). */
function ofType1(data: Uint8Array): FontProgram | FontFault {
  const isWhole = data[0] === 0x25 && data[1] === 0x21;
  const named = isWhole ? readType1Glyphs(data) : undefined;
  return named === undefined ? DAMAGED : { named, kind: 'simple' };
}

/** Reads a part that is not needed to show a font, and ignores damage to it, as readers do. */
function whereReadable<T extends object>(read: () => T): Partial<T> {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return {};
    throw error;
  }
}

const MAGIC = 0x5f0f3cf5;
/** Minimum size of the tables that every TrueType font in a PDF has (table 126). */
const TABLES: Readonly<Record<string, number>> = { head: 54, hhea: 36, maxp: 6, hmtx: 0 };
const OUTLINES: Readonly<Record<string, number>> = { loca: 0, glyf: 0 };

/** @throws RangeError if the data is truncated */
function readSfnt(font: DataView, hasOutlines: boolean): FontProgram | FontFault {
  const places = new Map<string, { at: number; length: number }>();
  for (let entry = 12, left = font.getUint16(4); left > 0; entry += 16, left--) {
    const tag = String.fromCharCode(...[0, 1, 2, 3].map((index) => font.getUint8(entry + index)));
    places.set(tag, { at: font.getUint32(entry + 8), length: font.getUint32(entry + 12) });
  }
  for (const [tag, least] of Object.entries({ ...TABLES, ...(hasOutlines ? OUTLINES : {}) })) {
    const { at, length } = places.get(tag) ?? { at: 0, length: -1 };
    if (length < least || at + length > font.byteLength) return DAMAGED;
  }
  const at = (tag: string): number => places.get(tag)?.at ?? 0;
  const units = font.getUint16(at('head') + 18);
  if (font.getUint32(at('head') + 12) !== MAGIC || units === 0) return DAMAGED;
  const count = font.getUint16(at('maxp') + 4);
  const metrics = font.getUint16(at('hhea') + 34);
  if (metrics === 0 || 4 * metrics > (places.get('hmtx')?.length ?? 0)) return DAMAGED;
  return {
    advance: (glyph) =>
      glyph >= count ? null : (font.getUint16(at('hmtx') + 4 * Math.min(glyph, metrics - 1)) * 1000) / units,
    ...(hasOutlines
      ? whereReadable(() => ({ maps: readCharacterMaps(font, (tag) => places.get(tag)?.at) }))
      : {}),
  };
}

/** @throws RangeError if the data is truncated */
function readCff(font: DataView): FontProgram | FontFault {
  if (font.getUint8(0) !== 1) return DAMAGED;
  let at = font.getUint8(2);
  // The INDEXes of names, font dictionaries, strings and subroutines.
  for (let index = 0; index < 4; index++) {
    const end = endOfIndex(font, at);
    if (end === null || end > font.byteLength) return DAMAGED;
    at = end;
  }
  return readCffGlyphs(font);
}

/**
 * Returns the end of a CFF INDEX; null if the data is not one.
 *
 * @throws RangeError if the data is truncated
 */
function endOfIndex(font: DataView, start: number): number | null {
  const count = font.getUint16(start);
  if (count === 0) return start + 2;
  const size = font.getUint8(start + 2);
  if (size < 1 || size > 4) return null;
  let last = 0;
  for (let index = 0; index < size; index++)
    last = last * 256 + font.getUint8(start + 3 + count * size + index);
  return start + 2 + (count + 1) * size + last;
}
