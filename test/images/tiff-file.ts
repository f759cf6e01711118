/** Writes small uncompressed TIFF files of any kind of sample (TIFF 6.0), of which the tests know every value. */

export interface TiffKind {
  bits: 8 | 16 | 32 | 64;
  /** `SampleFormat`. */
  format: 'uint' | 'int' | 'float';
  /** `PhotometricInterpretation`: 0 and 1 gray, 2 RGB, 5 inks, 8 Lab. */
  photometric: number;
  samples: number;
  /** `ExtraSamples` of the last samples: 0 unspecified, 1 premultiplied alpha, 2 alpha. */
  extra?: readonly number[];
  compression?: number;
  /** `SMinSampleValue` and `SMaxSampleValue`. */
  range?: readonly [number, number];
}

/**
 * @param pixels the samples of one row, pixel after pixel; every row is the same
 */
export function tiffFile(kind: TiffKind, pixels: readonly number[], height = 1): Buffer {
  const { bits, format, photometric, samples, extra = [], compression = 1, range } = kind;
  const bytes = bits / 8;
  const data = Buffer.alloc(pixels.length * bytes * height);
  for (let i = 0; i < pixels.length * height; i += 1) {
    writeSample(data, i * bytes, kind, pixels[i % pixels.length] ?? 0);
  }
  const code = { uint: 1, int: 2, float: 3 }[format];
  const same = (value: number): number[] => Array.from({ length: samples }, () => value);
  const entries: [tag: number, type: 3 | 4 | 11, values: readonly number[]][] = [
    [256, 4, [pixels.length / samples]],
    [257, 4, [height]],
    [258, 3, same(bits)],
    [259, 3, [compression]],
    [262, 3, [photometric]],
    [273, 4, [8]],
    [277, 3, [samples]],
    [278, 4, [height]],
    [279, 4, [data.length]],
    [284, 3, [1]],
    ...(extra.length === 0 ? [] : [[338, 3, extra] as [number, 3, readonly number[]]]),
    [339, 3, same(code)],
    ...(range === undefined
      ? []
      : ([
          [340, 11, same(range[0])],
          [341, 11, same(range[1])],
        ] as [number, 11, readonly number[]][])),
  ];
  return withDirectory(data, entries);
}

function writeSample(data: Buffer, at: number, { bits, format }: TiffKind, value: number): void {
  if (format === 'float') {
    if (bits === 64) data.writeDoubleLE(value, at);
    else data.writeFloatLE(value, at);
  } else if (format === 'int') data.writeIntLE(value, at, Math.min(bits / 8, 4));
  else data.writeUIntLE(value, at, Math.min(bits / 8, 4));
}

function withDirectory(data: Buffer, entries: readonly [number, 3 | 4 | 11, readonly number[]][]): Buffer {
  const header = Buffer.from('II*\0\0\0\0\0', 'latin1');
  const start = 8 + data.length + (data.length % 2);
  header.writeUInt32LE(start, 4);
  const table = Buffer.alloc(2 + 12 * entries.length + 4);
  table.writeUInt16LE(entries.length, 0);
  const more: Buffer[] = [];
  let end = start + table.length;
  for (const [index, [tag, type, values]] of entries.entries()) {
    const size = type === 3 ? 2 : 4;
    const coded = Buffer.alloc(Math.max(4, values.length * size));
    for (const [i, value] of values.entries()) {
      if (type === 3) coded.writeUInt16LE(value, 2 * i);
      else if (type === 4) coded.writeUInt32LE(value, 4 * i);
      else coded.writeFloatLE(value, 4 * i);
    }
    const at = 2 + 12 * index;
    table.writeUInt16LE(tag, at);
    table.writeUInt16LE(type, at + 2);
    table.writeUInt32LE(values.length, at + 4);
    if (values.length * size <= 4) coded.copy(table, at + 8);
    else {
      table.writeUInt32LE(end, at + 8);
      more.push(coded);
      end += coded.length;
    }
  }
  return Buffer.concat([header, data, Buffer.alloc(data.length % 2), table, ...more]);
}
