import { checkComposites } from './composites.ts';
import { type FontFormat, fontFormatOf, type FontTables, FontFault, readFontTables } from './sfnt.ts';

/** Reads font files: families, styles, scripts. */

export interface FontFile {
  format: FontFormat;
  faces: FontFace[];
}

export interface FontFace {
  family: string;
  /** The name in the font: `Bold Italic`. */
  style: string;
  /** 1 to 1000; for a variable font, the range. */
  weight: readonly [from: number, to: number];
  italic: boolean;
  /** Unicode names of the scripts whose basic letters it has. */
  scripts: string[];
}

/**
 * Validates a font file more strictly than the programs that use it.
 *
 * @throws FontFault
 */
export function readFontFile(bytes: Uint8Array): FontFile {
  const format = fontFormatOf(bytes);
  if (format === null) throw new FontFault('is no font: TrueType, OpenType, a collection, WOFF or WOFF2');
  const faces = readFontTables(bytes, format).map((tables) => {
    try {
      return faceOf(tables);
    } catch (error) {
      if (error instanceof RangeError) throw new FontFault('is damaged: one of its tables is cut off');
      throw error;
    }
  });
  return { format, faces };
}

const NEEDED = ['head', 'hhea', 'hmtx', 'maxp', 'cmap', 'name'] as const;
/** One of these sets of tables is required: outlines or bitmaps. */
const DRAWN: readonly (readonly string[])[] = [
  ['glyf', 'loca'],
  ['CFF '],
  ['CFF2'],
  ['CBDT', 'CBLC'],
  ['sbix'],
];

function faceOf(tables: FontTables): FontFace {
  for (const tag of NEEDED) if (!tables.has(tag)) throw new FontFault(`has no table ${tag}`);
  if (!DRAWN.some((tags) => tags.every((tag) => tables.has(tag)))) throw new FontFault('has no outlines');
  const head = table(tables, 'head');
  if (head.getUint32(12) !== 0x5f0f3cf5) throw new FontFault('is damaged: its header is invalid');
  if (table(tables, 'maxp').getUint16(4) === 0) throw new FontFault('has no glyphs');
  checkComposites(tables);
  const names = namesOf(table(tables, 'name'));
  const family = names.get(16) ?? names.get(1);
  if (family === undefined) throw new FontFault('has no name of its family');
  const os2 = tables.get('OS/2');
  const isMacItalic = (head.getUint16(44) & 2) !== 0;
  const isMacBold = (head.getUint16(44) & 1) !== 0;
  const weight = os2 && os2.byteLength >= 6 ? os2.getUint16(4) : isMacBold ? 700 : 400;
  const selection = os2 && os2.byteLength >= 64 ? os2.getUint16(62) : isMacItalic ? 1 : 0;
  return {
    family,
    style: names.get(17) ?? names.get(2) ?? 'Regular',
    weight: weightsOf(tables.get('fvar')) ?? [clamped(weight), clamped(weight)],
    italic: (selection & 1) !== 0 || (selection & 512) !== 0,
    scripts: scriptsOf(table(tables, 'cmap')),
  };
}

function table(tables: FontTables, tag: string): DataView {
  const found = tables.get(tag);
  if (found === undefined) throw new FontFault(`has no table ${tag}`);
  return found;
}

function clamped(weight: number): number {
  return weight >= 1 && weight <= 1000 ? weight : 400;
}

/** Maximum characters of a name. */
const MAX_NAME = 100;

/** Names by number; English names for Windows take precedence. */
function namesOf(file: DataView): Map<number, string> {
  const [count, strings] = [file.getUint16(2), file.getUint16(4)];
  const found = new Map<number, { rank: number; text: string }>();
  for (let i = 0; i < count; i += 1) {
    const at = 6 + 12 * i;
    const [platform, , language, id, length, offset] = [0, 2, 4, 6, 8, 10].map((by) =>
      file.getUint16(at + by),
    ) as [number, number, number, number, number, number];
    if (![1, 2, 16, 17].includes(id) || strings + offset + length > file.byteLength) continue;
    const rank = platform === 3 ? (language === 0x409 ? 3 : 2) : platform === 0 ? 1 : 0;
    if (rank <= (found.get(id)?.rank ?? -1)) continue;
    const bytes = Buffer.from(file.buffer, file.byteOffset + strings + offset, length);
    const encoding = platform === 1 ? 'latin1' : 'utf-16be';
    const text = new TextDecoder(encoding)
      .decode(bytes)
      .replace(/\p{Cc}/gu, '')
      .trim();
    if (text !== '') found.set(id, { rank, text: text.slice(0, MAX_NAME).toWellFormed() });
  }
  return new Map(Array.from(found, ([id, { text }]) => [id, text]));
}

/** The weight range of a variable font; null for other fonts. */
function weightsOf(fvar: DataView | undefined): [number, number] | null {
  if (fvar === undefined) return null;
  const [axes, count, size] = [4, 8, 10].map((at) => fvar.getUint16(at)) as [number, number, number];
  for (let i = 0; i < count; i += 1) {
    const at = axes + size * i;
    if (fvar.getUint32(at) === 0x77676874)
      return [clamped(fvar.getInt16(at + 4)), clamped(fvar.getInt16(at + 12))];
  }
  return null;
}

/** A basic letter of each script, which represents the script. */
const LETTERS: Readonly<Record<string, number>> = Object.fromEntries(
  Object.entries({
    Latin: 'a',
    Greek: 'α',
    Cyrillic: 'а',
    Armenian: 'ա',
    Hebrew: 'א',
    Arabic: 'ا',
    Devanagari: 'क',
    Bengali: 'ক',
    Gurmukhi: 'ਕ',
    Gujarati: 'ક',
    Tamil: 'க',
    Telugu: 'క',
    Kannada: 'ಕ',
    Malayalam: 'ക',
    Sinhala: 'ක',
    Thai: 'ก',
    Lao: 'ກ',
    Tibetan: 'ཀ',
    Myanmar: 'က',
    Georgian: 'ა',
    Hangul: '가',
    Ethiopic: 'ሀ',
    Khmer: 'ក',
    Hiragana: 'あ',
    Katakana: 'ア',
    Han: '中',
  }).map(([script, letter]) => [script, letter.codePointAt(0) ?? 0]),
);

function scriptsOf(cmap: DataView): string[] {
  const maps = Array.from({ length: Math.min(cmap.getUint16(2), 32) }, (_, i) => cmap.getUint32(8 + 8 * i));
  return Object.entries(LETTERS)
    .filter(([, code]) => maps.some((at) => hasCharacter(cmap, at, code)))
    .map(([script]) => script);
}

/** Maximum number of groups of characters that are read in one table. */
const MAX_GROUPS = 100_000;

function hasCharacter(cmap: DataView, at: number, code: number): boolean {
  const format = cmap.getUint16(at);
  if (format === 12) {
    const count = Math.min(cmap.getUint32(at + 12), MAX_GROUPS);
    for (let i = 0; i < count; i += 1) {
      const group = at + 16 + 12 * i;
      if (code >= cmap.getUint32(group) && code <= cmap.getUint32(group + 4)) return true;
    }
    return false;
  }
  if (format !== 4) return false;
  const segments = cmap.getUint16(at + 6) / 2;
  for (let i = 0; i < segments; i += 1) {
    const end = cmap.getUint16(at + 14 + 2 * i);
    if (code > end) continue;
    const start = cmap.getUint16(at + 16 + 2 * segments + 2 * i);
    return code >= start && end !== 0xffff;
  }
  return false;
}
