/**
 * The colour space sRGB (IEC 61966-2-1) as an ICC profile of version 4 (ISO 15076-1), which PDF/A accepts from
 * part 2 on. It is generated from the numbers in the standards, so that no third-party file is needed.
 */
export function srgbProfile(): Buffer {
  profile ??= build();
  return profile;
}

let profile: Buffer | undefined;

/** Primaries and white point of sRGB, adapted from D65 to the D50 of the connection space by Bradford's method. */
const WHITE = [0.9642, 1, 0.8249] as const;
const RED = [0.43607, 0.22249, 0.01392] as const;
const GREEN = [0.38515, 0.71687, 0.09708] as const;
const BLUE = [0.14307, 0.06061, 0.7141] as const;
/** The matrix of the adaptation. */
const ADAPTATION = [
  1.04788, 0.02292, -0.0502, 0.02959, 0.99048, -0.01706, -0.00923, 0.01508, 0.75168,
] as const;
/** The curve: (ax + b)^g above d, cx below (table 65, type 3). */
const CURVE = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045] as const;

const HEADER = 128;

function build(): Buffer {
  const curve = Buffer.concat([head('para'), Buffer.from([0, 3, 0, 0]), fixed(CURVE)]);
  const tags: [string, Buffer][] = [
    ['desc', text('sRGB')],
    ['cprt', text('CC0')],
    ['wtpt', xyz(WHITE)],
    ['chad', Buffer.concat([head('sf32'), fixed(ADAPTATION)])],
    ['rXYZ', xyz(RED)],
    ['gXYZ', xyz(GREEN)],
    ['bXYZ', xyz(BLUE)],
    ['rTRC', curve],
    ['gTRC', curve],
    ['bTRC', curve],
  ];
  const table = Buffer.alloc(4 + 12 * tags.length);
  table.writeUInt32BE(tags.length);
  const places = new Map<Buffer, number>();
  const parts: Buffer[] = [];
  let at = HEADER + table.length;
  for (const [index, [signature, data]] of tags.entries()) {
    if (!places.has(data)) {
      places.set(data, at);
      parts.push(data);
      at += data.length;
    }
    table.write(signature, 4 + 12 * index, 'latin1');
    table.writeUInt32BE(places.get(data) ?? 0, 8 + 12 * index);
    table.writeUInt32BE(data.length, 12 + 12 * index);
  }
  return Buffer.concat([header(at), table, ...parts]);
}

/** ICC.1:2022, 7.2. */
function header(size: number): Buffer {
  const bytes = Buffer.alloc(HEADER);
  bytes.writeUInt32BE(size, 0);
  bytes.writeUInt32BE(0x04200000, 8);
  bytes.write('mntrRGB XYZ ', 12, 'latin1');
  // The date of the standard, so that the profile always has the same bytes.
  for (const [index, part] of [1999, 10, 18].entries()) bytes.writeUInt16BE(part, 24 + 2 * index);
  bytes.write('acsp', 36, 'latin1');
  fixed(WHITE).copy(bytes, 68);
  return bytes;
}

function head(type: string): Buffer {
  return Buffer.from(`${type}\0\0\0\0`, 'latin1');
}

function xyz(values: readonly number[]): Buffer {
  return Buffer.concat([head('XYZ '), fixed(values)]);
}

/** Numbers with sixteen bits before and after the binary point. */
function fixed(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeInt32BE(Math.round(value * 65536), 4 * index);
  return bytes;
}

/** A text in one language (10.15), padded to a multiple of four bytes. */
function text(value: string): Buffer {
  const letters = Buffer.from(value, 'utf16le').swap16();
  const bytes = Buffer.alloc(28 + 4 * Math.ceil(letters.length / 4));
  head('mluc').copy(bytes);
  bytes.writeUInt32BE(1, 8);
  bytes.writeUInt32BE(12, 12);
  bytes.write('enUS', 16, 'latin1');
  bytes.writeUInt32BE(letters.length, 20);
  bytes.writeUInt32BE(28, 24);
  letters.copy(bytes, 28);
  return bytes;
}
