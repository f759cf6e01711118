/**
 * A font file (OpenType 1.9, "Organization of an OpenType font") without some of its tables. The font itself is
 * returned when it has none of them.
 *
 * @param tags four-character table tags, e.g. `SVG `
 */
export function withoutTables(font: Buffer, tags: readonly string[]): Buffer {
  const count = font.readUInt16BE(4);
  const records = Array.from({ length: count }, (_, index) => {
    const at = 12 + 16 * index;
    return {
      tag: font.toString('latin1', at, at + 4),
      checksum: font.readUInt32BE(at + 4),
      offset: font.readUInt32BE(at + 8),
      length: font.readUInt32BE(at + 12),
    };
  });
  const kept = records.filter((record) => !tags.includes(record.tag));
  if (kept.length === count) return font;

  const header = Buffer.alloc(12 + 16 * kept.length);
  const power = Math.floor(Math.log2(kept.length));
  font.copy(header, 0, 0, 4);
  header.writeUInt16BE(kept.length, 4);
  header.writeUInt16BE(16 * 2 ** power, 6);
  header.writeUInt16BE(power, 8);
  header.writeUInt16BE(16 * (kept.length - 2 ** power), 10);

  const parts: Buffer[] = [header];
  let offset = header.length;
  kept.forEach((record, index) => {
    const at = 12 + 16 * index;
    header.write(record.tag, at, 'latin1');
    header.writeUInt32BE(record.checksum, at + 4);
    header.writeUInt32BE(offset, at + 8);
    header.writeUInt32BE(record.length, at + 12);
    const padded = Math.ceil(record.length / 4) * 4;
    parts.push(
      font.subarray(record.offset, record.offset + record.length),
      Buffer.alloc(padded - record.length),
    );
    offset += padded;
  });
  return Buffer.concat(parts);
}

/** Name identifiers (OpenType 1.9, `name`): the typographic family, else the family. */
const FAMILY_NAMES = [16, 1];

/**
 * Returns the family of a font from its `name` table for Windows.
 *
 * @throws RangeError, Error if the data is not a font
 */
export function familyName(font: Buffer): string {
  const count = font.readUInt16BE(4);
  for (let index = 0; index < count; index++) {
    const at = 12 + 16 * index;
    if (font.toString('latin1', at, at + 4) === 'name')
      return familyIn(font.subarray(font.readUInt32BE(at + 8)));
  }
  throw new Error('The font has no names.');
}

function familyIn(names: Buffer): string {
  const strings = names.subarray(names.readUInt16BE(4));
  const found = new Map<number, string>();
  for (let index = 0; index < names.readUInt16BE(2); index++) {
    const at = 6 + 12 * index;
    // Platform 3 is Windows, whose strings are UTF-16.
    if (names.readUInt16BE(at) !== 3) continue;
    const offset = names.readUInt16BE(at + 10);
    const bytes = Buffer.from(strings.subarray(offset, offset + names.readUInt16BE(at + 8)));
    const id = names.readUInt16BE(at + 6);
    if (!found.has(id)) found.set(id, bytes.swap16().toString('utf16le'));
  }
  for (const id of FAMILY_NAMES) {
    const name = found.get(id);
    if (name !== undefined) return name;
  }
  throw new Error('The font has no family.');
}
