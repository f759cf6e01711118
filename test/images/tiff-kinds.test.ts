import { describe, expect, it } from 'vitest';
import { readPictures } from '../../packages/imaging/src/read.ts';
import type { RasterPicture, Samples } from '../../packages/imaging/src/picture.ts';
import { ENGINES, service } from './support.ts';
import { inflateSync } from 'node:zlib';
import { type TiffKind, tiffFile } from './tiff-file.ts';

const OPTIONS = {
  mode: null,
  transparency: true,
  background: [255, 255, 255] as const,
  isSmall: false,
  pages: null,
};

async function picture(bytes: Buffer): Promise<RasterPicture> {
  const work = { deadline: Date.now() + 60_000 };
  const [first] = await readPictures({ bytes, hints: [] }, OPTIONS, ENGINES, work);
  if (first?.kind !== 'raster') throw new Error('there is no picture');
  return first;
}

/** The components of the first row, undoing PNG's filters of a first row: none, sub, up, average, Paeth. */
function row({ chunks, bits, width, space }: Samples): number[] {
  const data = inflateSync(Buffer.concat(chunks));
  const channels = { gray: 1, indexed: 1, rgb: 3, lab: 3, cmyk: 4 }[space.kind];
  const size = (channels * bits) / 8;
  const bytes = Buffer.from(data.subarray(1, 1 + width * size));
  const filter = data[0] ?? 0;
  for (let at = size; at < bytes.length; at += 1) {
    const left = bytes[at - size] ?? 0;
    if (filter === 1 || filter === 4) bytes[at] = ((bytes[at] ?? 0) + left) & 0xff;
    if (filter === 3) bytes[at] = ((bytes[at] ?? 0) + (left >> 1)) & 0xff;
  }
  return Array.from({ length: width * channels }, (_, i) =>
    bits === 16 ? bytes.readUInt16BE(2 * i) : (bytes[i] ?? 0),
  );
}

/** Where the height of a file is: in the second entry of its directory. */
function heightPlace(tiff: Buffer): number {
  return tiff.readUInt32LE(4) + 2 + 12 + 8;
}

const GRAY = { photometric: 1, samples: 1 } as const;
const QUARTERS = [0, 16_384, 32_768, 65_535];

describe('samples of a TIFF that are floats, signed or long (I-23)', () => {
  const kinds: [name: string, kind: TiffKind, pixels: number[], expected: number[]][] = [
    ['float', { bits: 32, format: 'float', ...GRAY }, [0, 0.25, 0.5, 1], QUARTERS],
    ['double', { bits: 64, format: 'float', ...GRAY }, [0, 0.25, 0.5, 1], QUARTERS],
    ['half float', { bits: 16, format: 'float', ...GRAY }, [0, 0x3400, 0x3800, 0x3c00], QUARTERS],
    ['float to 255', { bits: 32, format: 'float', ...GRAY }, [0, 63.75, 127.5, 255], QUARTERS],
    ['float to 65,535', { bits: 32, format: 'float', ...GRAY }, [0, 16_384, 32_768, 65_535], QUARTERS],
    ['float from below 0', { bits: 64, format: 'float', ...GRAY }, [-2, -1, 0, 2], QUARTERS],
    ['float with its range', { bits: 32, format: 'float', range: [0, 4], ...GRAY }, [0, 1, 2, 4], QUARTERS],
    [
      'float of which one is no number',
      { bits: 32, format: 'float', ...GRAY },
      [NaN, 0.25, 0.5, 1],
      QUARTERS,
    ],
    [
      'integer of 32 bits',
      { bits: 32, format: 'uint', ...GRAY },
      [0, 0x40000000, 0x80000000, 0xffffffff],
      QUARTERS,
    ],
    ['signed of 16 bits', { bits: 16, format: 'int', ...GRAY }, [-32_768, -16_384, 0, 32_767], QUARTERS],
    [
      'inverted',
      { bits: 32, format: 'float', photometric: 0, samples: 1 },
      [1, 0.75, 0.5, 0],
      [0, 16_384, 32_767, 65_535],
    ],
    [
      'RGB float',
      { bits: 32, format: 'float', photometric: 2, samples: 3 },
      [0, 0.25, 0.5, 1, 0, 0],
      [0, 16_384, 32_768, 65_535, 0, 0],
    ],
    [
      'RGB of 32 bits',
      { bits: 32, format: 'uint', photometric: 2, samples: 3 },
      [0, 0x40000000, 0x80000000, 0xffffffff, 0, 0],
      [0, 16_384, 32_768, 65_535, 0, 0],
    ],
  ];
  it.each(kinds)('maps %s to 16 bits', async (_, kind, pixels, expected) => {
    const { samples } = await picture(tiffFile(kind, pixels, 2));
    expect(samples.bits).toBe(16);
    const found = row(samples);
    expect(found.map((value, i) => Math.abs(value - (expected[i] ?? -9)) <= 1)).toEqual(
      expected.map(() => true),
    );
  });
});

describe('the range of floating-point values', () => {
  const warned = async (range?: readonly [number, number]): Promise<string> => {
    const kind: TiffKind = { bits: 32, format: 'float', ...GRAY, ...(range === undefined ? {} : { range }) };
    const reply = await service().image(tiffFile(kind, [0, 63.75, 127.5, 255], 2), 'floats.tif');
    expect(reply.status).toBe(200);
    return reply.headers['warning'] ?? '';
  };

  it('is named in a warning where it is guessed', async () => {
    expect(await warned()).toMatch(/page 1 0 is black and 255 white/);
  });

  it('is taken from the file without a warning', async () => {
    expect(await warned([0, 255])).toBe('');
  });
});

describe('channels of a TIFF (I-23)', () => {
  it('keeps four inks and their alpha channel', async () => {
    const kind: TiffKind = { bits: 16, format: 'uint', photometric: 5, samples: 5, extra: [2] };
    const { samples, alpha } = await picture(
      tiffFile(kind, [0, 65_535, 65_535, 0, 32_896, 65_535, 0, 0, 2570, 65_535], 2),
    );
    expect([samples.space.kind, row(samples)]).toEqual(['cmyk', [0, 255, 255, 0, 255, 0, 0, 10]]);
    expect(alpha && row(alpha)).toEqual([128, 255]);
  });

  it('takes the alpha channel among several further channels, and omits the others', async () => {
    const kind: TiffKind = { bits: 8, format: 'uint', photometric: 2, samples: 5, extra: [2, 0] };
    const { samples, alpha } = await picture(tiffFile(kind, [10, 20, 30, 128, 9, 40, 50, 60, 255, 9], 2));
    expect(row(samples)).toEqual([10, 20, 30, 40, 50, 60]);
    expect(alpha && row(alpha)).toEqual([128, 255]);
  });

  it('converts Lab of 8 bits', async () => {
    const kind: TiffKind = { bits: 8, format: 'uint', photometric: 8, samples: 3 };
    const { samples } = await picture(tiffFile(kind, [128, 0, 0, 255, 0, 0], 2));
    const [gray = 0, , , white = 0] = row(samples);
    expect([samples.space.kind, white > 252, Math.abs(gray - 119) < 3]).toEqual(['rgb', true, true]);
  });

  it('has the colours of Lab of 8 bits in Lab of 16 bits, beyond those of sRGB too', async () => {
    const kind = { format: 'uint', photometric: 8, samples: 3 } as const;
    const short = tiffFile({ bits: 8, ...kind }, [255, 0, 0, 153, 32, 224, 222, 100, 0], 2);
    const long = tiffFile({ bits: 16, ...kind }, [65_535, 0, 0, 39_321, 8192, 57_344, 57_054, 25_600, 0], 2);
    const [expected = [], found = []] = [await picture(short), await picture(long)].map(({ samples }) =>
      row(samples).map((value) => value >> (samples.bits - 8)),
    );
    const apart = found.map((value, i) => Math.abs(value - (expected[i] ?? -99)));
    expect(Math.max(...apart), `${found.join()} instead of ${expected.join()}`).toBeLessThan(3);
  });

  it.each<[string, TiffKind, number[], number[]]>([
    ['gray of 10 bits', { bits: 10, format: 'uint', ...GRAY }, [0, 256, 512, 1023], [0, 64, 128, 255]],
    ['gray of 12 bits', { bits: 12, format: 'uint', ...GRAY }, [0, 1024, 2048, 4095], [0, 64, 128, 255]],
    ['gray of 14 bits', { bits: 14, format: 'uint', ...GRAY }, [0, 4096, 8192, 16_383], [0, 64, 128, 255]],
    [
      'RGB of 4 bits',
      { bits: 4, format: 'uint', photometric: 2, samples: 3 },
      [15, 0, 0, 0, 8, 15],
      [255, 0, 0, 0, 136, 255],
    ],
    [
      'RGB of 12 bits',
      { bits: 12, format: 'uint', photometric: 2, samples: 3 },
      [4095, 0, 0, 0, 2048, 4095],
      [255, 0, 0, 0, 128, 255],
    ],
    [
      'YCbCr without JPEG',
      { bits: 8, format: 'uint', photometric: 6, samples: 3, subsampling: [1, 1] },
      [255, 128, 128, 76, 85, 255],
      [255, 255, 255, 255, 0, 0],
    ],
  ])('reads %s', async (_, kind, pixels, expected) => {
    const { samples } = await picture(tiffFile(kind, pixels, 2));
    const shift = samples.bits - 8;
    const apart = row(samples).map((value, i) => Math.abs((value >> shift) - (expected[i] ?? -99)));
    expect(Math.max(...apart), String(row(samples))).toBeLessThan(4);
  });

  it.each<[string, TiffKind]>([
    ['complex numbers', { bits: 64, format: 'complex', ...GRAY }],
    ['ICCLab', { bits: 8, format: 'uint', photometric: 9, samples: 3 }],
  ])('refuses %s by name', async (name, kind) => {
    await expect(picture(tiffFile(kind, [0, 0, 0], 2))).rejects.toMatchObject({
      code: 'image_format_unsupported',
      message: expect.stringContaining(name) as string,
    });
  });

  it.each<[string, TiffKind, number[], number[]]>([
    ['gray', { bits: 8, format: 'uint', ...GRAY }, [0, 64, 128, 255], [0, 64, 128, 255]],
    [
      'RGB of 16 bits',
      { bits: 16, format: 'uint', photometric: 2, samples: 3 },
      [0, 256, 512, 65_535, 0, 1],
      [0, 256, 512, 65_535, 0, 1],
    ],
    ['floats', { bits: 32, format: 'float', ...GRAY }, [0, 0.25, 0.5, 1], QUARTERS],
  ])('reads %s compressed with Zstandard', async (_, kind, pixels, expected) => {
    const { samples } = await picture(tiffFile({ ...kind, compression: 50_000 }, pixels, 2));
    expect(row(samples)).toEqual(expected);
  });

  it.each([
    ['is cut off', (tiff: Buffer) => tiff.fill(0, 16, 24)],
    ['has more rows than it states', (tiff: Buffer) => (tiff.writeUInt32LE(1, heightPlace(tiff)), tiff)],
  ])('refuses data of Zstandard that %s', async (_, damage) => {
    const kind: TiffKind = { bits: 8, format: 'uint', ...GRAY, compression: 50_000 };
    const tiff = damage(tiffFile(kind, [1, 2, 3, 4], 200));
    await expect(picture(tiff)).rejects.toMatchObject({ code: 'image_invalid' });
  });

  it.each([
    ['LZMA', 34_925],
    ['JPEG 2000', 34_712],
    ['33004', 33_004],
  ])(
    'names the compression %s as not supported instead of calling the file damaged',
    async (name, compression) => {
      const kind: TiffKind = { bits: 8, format: 'uint', ...GRAY, compression };
      await expect(picture(tiffFile(kind, [1, 2, 3, 4], 2))).rejects.toMatchObject({
        code: 'image_format_unsupported',
        message: expect.stringContaining(name) as string,
      });
    },
  );
});
