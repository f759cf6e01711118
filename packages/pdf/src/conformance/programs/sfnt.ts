import { type CharacterMaps, readCharacterMaps } from './truetype.ts';

/** Reads and changes the metrics of an intact TrueType font (OpenType 1.9, chapters "hmtx" and "head"). */

export interface Sfnt {
  /** The advance width of a glyph, in thousandths of the size. */
  advance: (glyph: number) => number;
  maps: CharacterMaps;
  view: DataView;
  /** Offset of a table. */
  at: (tag: string) => number;
}

export function readSfnt(font: Uint8Array): Sfnt {
  const view = new DataView(font.buffer, font.byteOffset, font.byteLength);
  const tables = new Map(entriesOf(view).map(({ tag, entry }) => [tag, view.getUint32(entry + 8)]));
  const at = (tag: string): number => {
    const offset = tables.get(tag);
    if (offset === undefined) throw new Error(`A font of the layer has no table ${tag}.`);
    return offset;
  };
  const units = view.getUint16(at('head') + 18);
  return {
    advance: (glyph) => (metric(view, at, glyph).advance * 1000) / units,
    maps: readCharacterMaps(view, (tag) => tables.get(tag)),
    view,
    at,
  };
}

/** The metrics of a font as a font descriptor has them, in thousandths of the size. */
export function metricsOf({ view, at }: Sfnt): { box: number[]; ascent: number; descent: number } {
  const scale = 1000 / view.getUint16(at('head') + 18);
  const scaled = (offset: number): number => Math.round(view.getInt16(offset) * scale);
  return {
    box: [36, 38, 40, 42].map((entry) => scaled(at('head') + entry)),
    ascent: scaled(at('hhea') + 4),
    descent: scaled(at('hhea') + 6),
  };
}

function entriesOf(view: DataView): { tag: string; entry: number }[] {
  return Array.from({ length: view.getUint16(4) }, (_, index) => {
    const entry = 12 + 16 * index;
    const tag = String.fromCharCode(...[0, 1, 2, 3].map((byte) => view.getUint8(entry + byte)));
    return { tag, entry };
  });
}

function metric(
  view: DataView,
  at: (tag: string) => number,
  glyph: number,
): { advance: number; bearing: number } {
  const count = view.getUint16(at('hhea') + 34);
  const place = at('hmtx');
  const advance = view.getUint16(place + 4 * Math.min(glyph, count - 1));
  const bearing = glyph < count ? place + 4 * glyph + 2 : place + 4 * count + 2 * (glyph - count);
  return { advance, bearing: view.getInt16(bearing) };
}

/**
 * Gives glyphs other widths, in whose middle they stand.
 *
 * @param widths by glyph, in thousandths of the size
 */
export function withWidths(font: Uint8Array, widths: ReadonlyMap<number, number>): Uint8Array {
  const { view, at } = readSfnt(font);
  const units = view.getUint16(at('head') + 18);
  const count = view.getUint16(at('maxp') + 4);
  // A metric for each glyph, after the other tables, which keep their places.
  const start = Math.ceil(font.length / 4) * 4;
  const bytes = new Uint8Array(start + 4 * count);
  bytes.set(font);
  const changed = new DataView(bytes.buffer);
  for (let glyph = 0; glyph < count; glyph++) {
    const { advance, bearing } = metric(view, at, glyph);
    const width = widths.get(glyph);
    const wanted = width === undefined ? advance : Math.round((width * units) / 1000);
    changed.setUint16(start + 4 * glyph, wanted);
    changed.setInt16(start + 4 * glyph + 2, bearing + Math.round((wanted - advance) / 2));
  }
  changed.setUint16(at('hhea') + 34, count);
  for (const { tag, entry } of entriesOf(view)) {
    if (tag === 'hmtx') setTable(changed, entry, start, 4 * count);
    else if (tag === 'hhea') setTable(changed, entry, at(tag), view.getUint32(entry + 12));
  }
  return bytes;
}

/** Sets the place of a table, and its checksum. */
function setTable(view: DataView, entry: number, start: number, length: number): void {
  let sum = 0;
  for (let at = start; at < start + length; at += 4) sum = (sum + view.getUint32(at)) >>> 0;
  view.setUint32(entry + 4, sum);
  view.setUint32(entry + 8, start);
  view.setUint32(entry + 12, length);
}
