import { brotliCompressSync, constants } from 'node:zlib';
import { readFontTables } from '../../packages/print/src/fonts/sfnt.ts';
import { fontOf } from './fonts.ts';

/** Hostile font files: valid as files, with invalid data in the tables that engines read. */

export type Tables = Map<string, Buffer>;

/** Returns the tables of a font of that family, to be changed. */
export function tablesOf(family: string): Tables {
  const [tables = new Map<string, DataView>()] = readFontTables(fontOf(family), 'ttf');
  return new Map(
    Array.from(tables, ([tag, { buffer, byteOffset, byteLength }]) => [
      tag,
      Buffer.from(Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength)),
    ]),
  );
}

/** Returns a TrueType file of tables. Their checksums, which engines ignore, are 0. */
export function ttfOf(tables: Tables): Buffer {
  const head = Buffer.alloc(12 + 16 * tables.size);
  head.writeUInt32BE(0x00010000, 0);
  head.writeUInt16BE(tables.size, 4);
  const parts: Buffer[] = [head];
  let at = head.length;
  for (const [index, [tag, table]] of [...tables].entries()) {
    const entry = 12 + 16 * index;
    head.write(tag, entry, 'latin1');
    head.writeUInt32BE(at, entry + 8);
    head.writeUInt32BE(table.length, entry + 12);
    const padded = Buffer.concat([table, Buffer.alloc((4 - (table.length % 4)) % 4)]);
    parts.push(padded);
    at += padded.length;
  }
  return Buffer.concat(parts);
}

/** The false statements of a WOFF2 file about its tables. */
interface Lies {
  /** Declared lengths that differ from the true ones, by tag. */
  lengths?: Readonly<Record<string, number>>;
  /** The data that is compressed instead of the tables. */
  stream?: Buffer;
  /** Whether the file declares its outlines to be transformed. */
  transformed?: boolean;
}

/** Returns a WOFF2 file of tables, none of them transformed (https://www.w3.org/TR/WOFF2/). */
export function woff2Of(tables: Tables, { lengths = {}, stream, transformed = false }: Lies = {}): Buffer {
  const entries = Array.from(tables, ([tag, table]) => {
    const isOutline = tag === 'glyf' || tag === 'loca';
    const flags = 63 | (isOutline && !transformed ? 0b1100_0000 : 0);
    const length = base128(lengths[tag] ?? table.length);
    const transformedLength = isOutline && transformed ? [length] : [];
    return Buffer.concat([Buffer.from([flags]), Buffer.from(tag, 'latin1'), length, ...transformedLength]);
  });
  const packed = brotliCompressSync(stream ?? Buffer.concat([...tables.values()]), {
    params: { [constants.BROTLI_PARAM_QUALITY]: 1 },
  });
  const head = Buffer.alloc(48);
  head.write('wOF2', 0, 'latin1');
  head.writeUInt32BE(0x00010000, 4);
  head.writeUInt16BE(tables.size, 12);
  head.writeUInt32BE(
    Array.from(tables.values(), (table) => table.length).reduce((sum, length) => sum + length, 0),
    16,
  );
  head.writeUInt32BE(packed.length, 20);
  const file = Buffer.concat([head, ...entries, packed]);
  file.writeUInt32BE(file.length, 8);
  return file;
}

/** Encodes a number as UIntBase128. */
function base128(value: number): Buffer {
  const bytes = [value & 127];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128))
    bytes.unshift((rest & 127) | 128);
  return Buffer.from(bytes);
}

/** Returns a font in which each glyph is composed of the next one, and the last of the first: an endless circle. */
function circularOutlines(tables: Tables): Tables {
  const count = (tables.get('maxp') as Buffer).readUInt16BE(4);
  const glyf = Buffer.alloc(20 * count);
  const loca = Buffer.alloc(4 * (count + 1));
  for (let glyph = 0; glyph < count; glyph += 1) {
    const at = 20 * glyph;
    glyf.writeInt16BE(-1, at);
    for (const [place, value] of [0, 0, 500, 500].entries()) glyf.writeInt16BE(value, at + 2 + 2 * place);
    // Offsets are words, and no further components follow.
    glyf.writeUInt16BE(0x0003, at + 10);
    glyf.writeUInt16BE((glyph + 1) % count, at + 12);
    loca.writeUInt32BE(20 * (glyph + 1), 4 * (glyph + 1));
  }
  return withLongLoca(tables, { glyf, loca });
}

/**
 * Returns a font in which each glyph is composed of the next one twice, so that 2 to the power of their number are
 * drawn.
 */
function multiplyingOutlines(tables: Tables): Tables {
  const count = (tables.get('maxp') as Buffer).readUInt16BE(4);
  const size = 28;
  const glyf = Buffer.alloc(size * count);
  const loca = Buffer.alloc(4 * (count + 1));
  for (let glyph = 0; glyph < count; glyph += 1) {
    const at = size * glyph;
    if (glyph < count - 1) {
      glyf.writeInt16BE(-1, at);
      for (const [place, more] of [0x0020, 0].entries()) {
        glyf.writeUInt16BE(0x0003 | more, at + 10 + 8 * place);
        glyf.writeUInt16BE(glyph + 1, at + 12 + 8 * place);
      }
    }
    loca.writeUInt32BE(size * (glyph + 1), 4 * (glyph + 1));
  }
  return withLongLoca(tables, { glyf, loca });
}

function withLongLoca(tables: Tables, { glyf, loca }: Record<'glyf' | 'loca', Buffer>): Tables {
  const head = Buffer.from(tables.get('head') as Buffer);
  head.writeInt16BE(1, 50);
  return new Map([...tables, ['glyf', glyf], ['loca', loca], ['head', head]]);
}

/** Returns the same tables with one of them changed in place. */
function changed(tables: Tables, tag: string, change: (table: Buffer) => Buffer | void): Tables {
  const table = Buffer.from(tables.get(tag) as Buffer);
  return new Map([...tables, [tag, change(table) ?? table]]);
}

/** The hostile fonts by name; each function returns a file of a family of seven letters. */
export const HOSTILE_FONTS: Readonly<Record<string, (family: string) => Buffer>> = {
  'TrueType, outlines in a circle': (family) => ttfOf(circularOutlines(tablesOf(family))),
  'TrueType, outlines that multiply': (family) => ttfOf(multiplyingOutlines(tablesOf(family))),
  'TrueType, outlines outside of their table': (family) =>
    ttfOf(changed(tablesOf(family), 'loca', (loca) => loca.fill(0xfe))),
  'TrueType, a character map that leads elsewhere': (family) =>
    ttfOf(changed(tablesOf(family), 'cmap', (cmap) => void cmap.writeUInt32BE(0x7fffffff, 8))),
  'TrueType, more glyphs than there are': (family) =>
    ttfOf(changed(tablesOf(family), 'maxp', (maxp) => void maxp.writeUInt16BE(0xffff, 4))),
  'TrueType, instructions of any bytes': (family) =>
    ttfOf(
      new Map([...tablesOf(family), ['fpgm', Buffer.alloc(5000, 0x1c)], ['prep', Buffer.alloc(5000, 0x2b)]]),
    ),
  'TrueType, layout of any bytes': (family) =>
    ttfOf(
      new Map([...tablesOf(family), ['GSUB', Buffer.alloc(4000, 0x01)], ['GPOS', Buffer.alloc(4000, 0xff)]]),
    ),
  'WOFF2, outlines in a circle': (family) => woff2Of(circularOutlines(tablesOf(family))),
  'WOFF2, outlines outside of their table': (family) =>
    woff2Of(changed(tablesOf(family), 'loca', (loca) => loca.fill(0xfe))),
  'WOFF2, transformed outlines of any bytes': (family) =>
    woff2Of(
      changed(tablesOf(family), 'glyf', (glyf) => glyf.fill(0xa5)),
      { transformed: true },
    ),
  'WOFF2, cut off': (family) => woff2Of(tablesOf(family)).subarray(0, 9000),
  'WOFF2, a table of four gigabytes': (family) =>
    woff2Of(tablesOf(family), { lengths: { glyf: 0xffff_ffff } }),
  'WOFF2, a stream of 200 MB': (family) =>
    woff2Of(tablesOf(family), { stream: Buffer.alloc(200 * 1024 * 1024) }),
  'WOFF2, lengths that are not those of the stream': (family) =>
    woff2Of(tablesOf(family), { lengths: { name: 3 } }),
};
