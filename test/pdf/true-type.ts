/**
 * A TrueType font of two glyphs, both without outlines, which are 500 and 600 units wide of 1000.
 *
 * @param more tables that it has besides
 */
export function trueType(more: Readonly<Record<string, Buffer>> = {}): Buffer {
  const head = Buffer.alloc(54);
  head.writeUInt32BE(0x5f0f3cf5, 12);
  head.writeUInt16BE(1000, 18);
  const hhea = Buffer.alloc(36);
  hhea.writeUInt16BE(2, 34);
  const maxp = Buffer.alloc(6);
  maxp.writeUInt16BE(2, 4);
  const hmtx = Buffer.from([0x01, 0xf4, 0, 0, 0x02, 0x58, 0, 0]);
  const own = { glyf: Buffer.alloc(4), head, hhea, hmtx, loca: Buffer.alloc(6), maxp };
  const tables = Object.entries({ ...own, ...more }).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const directory = Buffer.alloc(12 + 16 * tables.length);
  directory.writeUInt32BE(0x00010000, 0);
  directory.writeUInt16BE(tables.length, 4);
  let at = directory.length;
  for (const [index, [tag, { length }]] of tables.entries()) {
    directory.write(tag, 12 + 16 * index, 'latin1');
    directory.writeUInt32BE(at, 12 + 16 * index + 8);
    directory.writeUInt32BE(length, 12 + 16 * index + 12);
    at += length;
  }
  return Buffer.concat([directory, ...tables.map(([, table]) => table)]);
}
