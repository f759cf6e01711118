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

/**
 * Returns a font with other heights of a line, in all tables that define them (`hhea`, `OS/2`).
 *
 * @param line above and below the baseline, in ems
 * @throws RangeError, Error if the data is not a font
 */
export function withLine(font: Buffer, line: { ascent: number; descent: number }): Buffer {
  const changed = Buffer.from(font);
  const unitsPerEm = tableOf(font, 'head').readUInt16BE(18);
  const [ascent, descent] = [Math.round(line.ascent * unitsPerEm), Math.round(line.descent * unitsPerEm)];
  // The places of the ascender, which the descender and the gap between lines follow.
  const places = { hhea: 4, 'OS/2': 68 };
  for (const [tag, place] of Object.entries(places)) {
    const record = recordOf(font, tag);
    const start = font.readUInt32BE(record + 8);
    changed.writeInt16BE(ascent, start + place);
    changed.writeInt16BE(-descent, start + place + 2);
    changed.writeInt16BE(0, start + place + 4);
    if (tag === 'OS/2') {
      // `usWinAscent` and `usWinDescent`.
      changed.writeUInt16BE(ascent, start + 74);
      changed.writeUInt16BE(descent, start + 76);
    }
    changed.writeUInt32BE(checksum(changed, start, font.readUInt32BE(record + 12)), record + 4);
  }
  return changed;
}

/** Returns the beginning of a table's record. @throws RangeError, Error if there is none */
function recordOf(font: Buffer, tag: string): number {
  for (let index = 0; index < font.readUInt16BE(4); index++) {
    const at = 12 + 16 * index;
    if (font.toString('latin1', at, at + 4) === tag) return at;
  }
  throw new Error(`The font has no table ${tag}.`);
}

/**
 * Returns a font from the beginning of a table on.
 *
 * @throws RangeError, Error if the data is not a font, or has no such table
 */
export function tableOf(font: Buffer, tag: string): Buffer {
  return font.subarray(font.readUInt32BE(recordOf(font, tag) + 8));
}

/** The sum of a table's numbers of 32 bits (OpenType 1.9, "Calculating checksums"); tables are padded with zeros. */
function checksum(font: Buffer, start: number, length: number): number {
  let sum = 0;
  for (let at = start; at < start + length; at += 4) sum = (sum + font.readUInt32BE(at)) >>> 0;
  return sum;
}

/** Name identifiers (OpenType 1.9, `name`): the typographic family, else the family. */
const FAMILY_NAMES = [16, 1];

/**
 * Returns the family of a font from its `name` table for Windows.
 *
 * @throws RangeError, Error if the data is not a font
 */
export function familyName(font: Buffer): string {
  return familyIn(tableOf(font, 'name'));
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
