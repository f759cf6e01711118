import { zstdCompressSync } from 'node:zlib';

/** Writes small TIFF files of any kind of sample (TIFF 6.0), of which the tests know every value. */

export interface TiffKind {
  /** Samples of no whole bytes are packed. */
  bits: 2 | 4 | 8 | 10 | 12 | 14 | 16 | 32 | 64;
  /** `SampleFormat`. */
  format: 'uint' | 'int' | 'float' | 'complex';
  /** `PhotometricInterpretation`: 0 and 1 gray, 2 RGB, 5 inks, 8 Lab. */
  photometric: number;
  samples: number;
  /** `ExtraSamples` of the last samples: 0 unspecified, 1 premultiplied alpha, 2 alpha. */
  extra?: readonly number[];
  /** Zstandard (50000) is applied; any other is only stated. */
  compression?: number;
  /** `YCbCrSubSampling` */
  subsampling?: readonly [number, number];
  /** `SMinSampleValue` and `SMaxSampleValue`. */
  range?: readonly [number, number];
}

/**
 * @param pixels the samples of one row, pixel after pixel; every row is the same. Floats of 16 bits are given as their codes.
 */
export function tiffFile(kind: TiffKind, pixels: readonly number[], height = 1): Buffer {
  const { bits, format, photometric, samples, extra = [], compression = 1, subsampling, range } = kind;
  const bytes = bits / 8;
  const isPacked = bits % 8 !== 0;
  const row = isPacked ? packed(pixels, bits) : Buffer.alloc(pixels.length * bytes);
  if (!isPacked) for (const [index, value] of pixels.entries()) writeSample(row, index * bytes, kind, value);
  const rows = Buffer.concat(Array.from({ length: height }, () => row));
  const data = compression === 50_000 ? zstdCompressSync(rows) : rows;
  const code = { uint: 1, int: 2, float: 3, complex: 6 }[format];
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
    ...(subsampling === undefined ? [] : [[530, 3, subsampling] as [number, 3, readonly number[]]]),
    ...(range === undefined
      ? []
      : ([
          [340, 11, same(range[0])],
          [341, 11, same(range[1])],
        ] as [number, 11, readonly number[]][])),
  ];
  return withDirectory(data, entries);
}

/** Samples one after the other, from the highest bit of each byte. */
function packed(samples: readonly number[], bits: number): Buffer {
  const text = samples.map((value) => value.toString(2).padStart(bits, '0')).join('');
  return Buffer.from((text.match(/.{1,8}/g) ?? []).map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2)));
}

function writeSample(data: Buffer, at: number, { bits, format }: TiffKind, value: number): void {
  if (format === 'float' && bits > 16) {
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
