/**
 * The glyphs of an embedded font as bits, highest bit first (ISO 32000-2, table 122): the used glyphs, the first
 * one, which all fonts have, and the components of composite glyphs.
 *
 * @param font TrueType
 */
export function cidSet(font: Uint8Array, used: Iterable<number>): Buffer {
  const all = [0, ...used, ...drawnGlyphs(font)];
  const last = all.reduce((most, glyph) => Math.max(most, glyph), 0);
  const bits = Buffer.alloc((last >> 3) + 1);
  for (const glyph of all) bits[glyph >> 3] = (bits[glyph >> 3] ?? 0) | (0x80 >> (glyph & 7));
  return bits;
}

/** The glyphs with outlines, according to their offsets (OpenType, "loca"); none for PostScript outlines. */
function drawnGlyphs(font: Uint8Array): number[] {
  const view = new DataView(font.buffer, font.byteOffset, font.byteLength);
  const tables = new Map<string, { start: number; length: number }>();
  for (let entry = 0; entry < view.getUint16(4); entry++) {
    const at = 12 + entry * 16;
    const name = Buffer.from(font.subarray(at, at + 4)).toString('latin1');
    tables.set(name, { start: view.getUint32(at + 8), length: view.getUint32(at + 12) });
  }
  const [head, places] = [tables.get('head'), tables.get('loca')];
  if (head === undefined || places === undefined) return [];
  const isLong = view.getUint16(head.start + 50) !== 0;
  const size = isLong ? 4 : 2;
  const place = (glyph: number): number => {
    const at = places.start + glyph * size;
    return isLong ? view.getUint32(at) : view.getUint16(at);
  };
  const count = places.length / size - 1;
  return Array.from({ length: Math.max(0, count) }, (_, glyph) => glyph).filter(
    (glyph) => place(glyph + 1) > place(glyph),
  );
}
