import { brotliDecompressSync, inflateSync } from 'node:zlib';

/** Tables of font files: TrueType, OpenType, collections, WOFF and WOFF2. All offsets are checked. */

/** An invalid or truncated font file. The message completes the sentence "the file …". */
export class FontFault extends Error {
  override readonly name = 'FontFault';
}

/** The tables of one font by tag; outlines that WOFF2 has transformed have another name. */
export type FontTables = ReadonlyMap<string, DataView>;

/** The table with outlines that WOFF2 has transformed; `glyf` is then empty. */
export const TRANSFORMED_OUTLINES = 'glyf, transformed';

export const FONT_FORMATS = ['ttf', 'otf', 'ttc', 'woff', 'woff2'] as const;
export type FontFormat = (typeof FONT_FORMATS)[number];

/** Maximum number of fonts of a collection, and of tables of a font. */
const MAX_FONTS = 64;
const MAX_TABLES = 200;
/** Maximum decompressed bytes of all tables. */
const MAX_UNPACKED = 64 * 1024 * 1024;

/** Returns the format of a font file; null if it is not a font. */
export function fontFormatOf(bytes: Uint8Array): FontFormat | null {
  if (bytes.length < 12) return null;
  const tag = view(bytes).getUint32(0);
  const formats: Readonly<Record<number, FontFormat>> = {
    0x00010000: 'ttf',
    0x74727565: 'ttf',
    0x4f54544f: 'otf',
    0x74746366: 'ttc',
    0x774f4646: 'woff',
    0x774f4632: 'woff2',
  };
  return formats[tag] ?? null;
}

/** The fonts in a file. @throws FontFault */
export function readFontTables(bytes: Uint8Array, format: FontFormat): FontTables[] {
  try {
    if (format === 'woff') return [woffTables(bytes)];
    if (format === 'woff2') return woff2Tables(bytes);
    if (format !== 'ttc') return [sfntTables(bytes, 0)];
    const file = view(bytes);
    const count = file.getUint32(8);
    if (count === 0 || count > MAX_FONTS) throw new FontFault(`declares ${count} fonts`);
    return Array.from({ length: count }, (_, i) => sfntTables(bytes, file.getUint32(12 + 4 * i)));
  } catch (error) {
    // The offset is beyond the end of the view.
    if (error instanceof RangeError) throw new FontFault('is cut off');
    throw error;
  }
}

function view(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function sfntTables(bytes: Uint8Array, at: number): FontTables {
  const file = view(bytes);
  const count = checkedCount(file.getUint16(at + 4));
  const tables = new Map<string, DataView>();
  for (let i = 0; i < count; i += 1) {
    const entry = at + 12 + 16 * i;
    const tag = tagAt(file, entry);
    tables.set(tag, part(bytes, file.getUint32(entry + 8), file.getUint32(entry + 12), tag));
  }
  return tables;
}

function checkedCount(count: number): number {
  if (count === 0 || count > MAX_TABLES) throw new FontFault(`declares ${count} tables`);
  return count;
}

function tagAt(file: DataView, at: number): string {
  return String.fromCharCode(...[0, 1, 2, 3].map((i) => file.getUint8(at + i)));
}

function part(bytes: Uint8Array, offset: number, length: number, tag: string): DataView {
  if (offset + length > bytes.length)
    throw new FontFault(`is cut off: its table ${tag.trim()} ends outside of it`);
  return view(bytes.subarray(offset, offset + length));
}

/** https://www.w3.org/TR/WOFF/ */
function woffTables(bytes: Uint8Array): FontTables {
  const file = view(bytes);
  const count = checkedCount(file.getUint16(12));
  const tables = new Map<string, DataView>();
  let unpacked = 0;
  for (let i = 0; i < count; i += 1) {
    const entry = 44 + 20 * i;
    const tag = tagAt(file, entry);
    const [offset, packed, length] = [4, 8, 12].map((at) => file.getUint32(entry + at)) as [
      number,
      number,
      number,
    ];
    unpacked += length;
    if (unpacked > MAX_UNPACKED) throw new FontFault('is too large when it is unpacked');
    const stored = part(bytes, offset, packed, tag);
    if (packed === length) tables.set(tag, stored);
    else
      tables.set(tag, view(unzipped(() => inflateSync(octets(stored), { maxOutputLength: length }), length)));
  }
  return tables;
}

function octets({ buffer, byteOffset, byteLength }: DataView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function unzipped(unzip: () => Uint8Array, length: number): Uint8Array {
  let bytes: Uint8Array;
  try {
    bytes = unzip();
  } catch {
    throw new FontFault('is damaged: it cannot be unpacked');
  }
  if (bytes.byteLength !== length)
    throw new FontFault('is damaged: its decompressed length differs from the declared one');
  return bytes;
}

/** Tags that WOFF2 encodes as a number (https://www.w3.org/TR/WOFF2/, table 4.1). */
const KNOWN_TAGS = (
  'cmap head hhea hmtx maxp name OS/2 post cvt  fpgm glyf loca prep CFF  VORG EBDT EBLC gasp hdmx kern LTSH PCLT VDMX ' +
  'vhea vmtx BASE GDEF GPOS GSUB EBSC JSTF MATH CBDT CBLC COLR CPAL SVG  sbix acnt avar bdat bloc bsln cvar fdsc feat ' +
  'fmtx fvar gvar hsty just lcar mort morx opbd prop trak Zapf Silf Glat Gloc Feat Sill'
).match(/.{4}(?: |$)/g) as string[];

/** https://www.w3.org/TR/WOFF2/: one stream for all tables; transformed outlines are not read. */
function woff2Tables(bytes: Uint8Array): FontTables[] {
  const file = view(bytes);
  const count = checkedCount(file.getUint16(12));
  const isCollection = tagAt(file, 4) === 'ttcf';
  const packed = file.getUint32(20);
  const reader = new Reader(file, 48);
  const entries = Array.from({ length: count }, () => {
    const flags = reader.byte();
    const number = flags & 63;
    const tag = number === 63 ? reader.tag() : (KNOWN_TAGS[number] ?? '').slice(0, 4);
    const length = reader.number();
    const version = flags >> 6;
    const isOutline = tag === 'glyf' || tag === 'loca';
    const isTransformed = isOutline ? version !== 3 : version !== 0;
    return { tag, length: isTransformed ? reader.number() : length, isTransformed };
  });
  const fonts = isCollection ? collection(reader, count) : [entries.map((_, i) => i)];
  const unpacked = entries.reduce((sum, { length }) => sum + length, 0);
  if (unpacked > MAX_UNPACKED) throw new FontFault('is too large when it is unpacked');
  const stream = octets(part(bytes, reader.at, packed, 'stream'));
  const data = unzipped(
    () => brotliDecompressSync(stream, { maxOutputLength: Math.max(1, unpacked) }),
    unpacked,
  );
  let at = 0;
  const tables = entries.map(({ tag, length, isTransformed }) => {
    const table = part(data, at, length, tag);
    at += length;
    return { tag, table, isTransformed };
  });
  return fonts.map(
    (indexes) =>
      new Map(
        indexes.flatMap((index) => {
          const one = tables[index];
          if (one === undefined) throw new FontFault('names a table that it has not');
          if (!one.isTransformed) return [[one.tag, one.table] as const];
          // For other tables, only their presence matters.
          const empty = [one.tag, new DataView(new ArrayBuffer(0))] as const;
          return one.tag === 'glyf' ? [empty, [TRANSFORMED_OUTLINES, one.table] as const] : [empty];
        }),
      ),
  );
}

function collection(reader: Reader, tables: number): number[][] {
  reader.skip(4);
  const count = reader.short();
  if (count === 0 || count > MAX_FONTS) throw new FontFault(`declares ${count} fonts`);
  return Array.from({ length: count }, () => {
    const own = checkedCount(reader.short());
    reader.skip(4);
    return Array.from({ length: own }, () => Math.min(reader.short(), tables));
  });
}

/** Numbers as WOFF2 writes them. */
class Reader {
  readonly #file: DataView;
  at: number;

  constructor(file: DataView, at: number) {
    this.#file = file;
    this.at = at;
  }

  byte(): number {
    return this.#file.getUint8(this.at++);
  }

  skip(bytes: number): void {
    this.at += bytes;
  }

  tag(): string {
    this.at += 4;
    return tagAt(this.#file, this.at - 4);
  }

  /** UIntBase128. */
  number(): number {
    let value = 0;
    for (let i = 0; i < 5; i += 1) {
      const byte = this.byte();
      value = value * 128 + (byte & 127);
      if (byte < 128) return value;
    }
    throw new FontFault('is damaged: a number in it has no end');
  }

  /** 255UInt16. */
  short(): number {
    const code = this.byte();
    if (code === 253) return this.byte() * 256 + this.byte();
    if (code === 255) return this.byte() + 253;
    return code === 254 ? this.byte() + 506 : code;
  }
}
