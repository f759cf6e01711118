import { describe, expect, it } from 'vitest';
import sharp from 'sharp';
import { crc32 } from 'node:zlib';
import { IMAGE_MODES, type ImageMode } from '../../packages/imaging/src/mode-names.ts';
import {
  colourAt,
  difference,
  embeddedImages,
  type EmbeddedImage,
  pdfOf,
  pixelsOf,
  sample,
  service,
  shown,
} from './support.ts';

/** I-25: what is in the PDF for each mode, as `pdfimages -list` says, and what the page looks like. */

const { image } = service();

interface Expectation extends Partial<EmbeddedImage> {
  /** An alpha channel comes with it. */
  alpha?: true;
  /** It is to be compared with the picture in gray. */
  gray?: true;
  /** Mean difference to the picture. */
  tolerance: number;
}

const GRAY8: Expectation = { colour: 'gray', components: 1, bits: 8, gray: true, tolerance: 10 };
const GRAY16: Expectation = { ...GRAY8, bits: 16 };
const RGB: Expectation = { colour: 'rgb', components: 3, bits: 8, tolerance: 2 };

const EXPECTED: Readonly<Record<ImageMode, Expectation>> = {
  BW: { ...GRAY8, bits: 1, tolerance: 130 },
  L: GRAY8,
  I: GRAY16,
  F: GRAY16,
  I_16: GRAY16,
  I_16L: GRAY16,
  I_16B: GRAY16,
  I_16N: GRAY16,
  LA: { ...GRAY8, alpha: true },
  La: { ...GRAY8, alpha: true },
  P: { colour: 'index', components: 1, bits: 8, tolerance: 8 },
  PA: { colour: 'index', components: 1, bits: 8, alpha: true, tolerance: 8 },
  RGB,
  RGBX: RGB,
  HSV: RGB,
  BGR_24: RGB,
  BGR_15: { ...RGB, tolerance: 6 },
  BGR_16: { ...RGB, tolerance: 6 },
  RGBA: { ...RGB, alpha: true },
  RGBa: { ...RGB, alpha: true },
  CMYK: { colour: 'cmyk', components: 4, bits: 8, tolerance: 60 },
  YCbCr: { colour: 'rgb', components: 3, bits: 8, encoding: 'jpeg', tolerance: 3 },
  LAB: { colour: 'lab', components: 3, bits: 8, tolerance: 6 },
};

describe.each(['rgb.jpg', 'rgba.png', 'rgb16.png'])('%s', (name) => {
  it.each(IMAGE_MODES)('in mode %s', async (mode) => {
    const { alpha, gray, tolerance, ...expected } = EXPECTED[mode];
    const [embedded, ...others] = await embeddedImages(
      pdfOf(await image(sample(name), name, { image_mode: mode })),
    );
    // Where nothing is said of bits (RGB), those of the picture are kept.
    const keepsDepth = name === 'rgb16.png' && (mode === 'RGB' || mode.toUpperCase() === 'RGBA');
    expect(embedded).toMatchObject({ type: 'image', ...expected, ...(keepsDepth ? { bits: 16 } : {}) });
    expect(others.map(({ type }) => type)).toEqual(alpha === undefined ? [] : ['smask']);

    const got = await shown(sample(name), name, [120, 80], { image_mode: mode });
    const compared = gray === undefined ? await pixelsOf(sample(name)) : await grayOf(sample(name));
    expect(difference(got, compared)).toBeLessThan(tolerance);
  });
});

async function grayOf(file: Buffer) {
  return await pixelsOf(
    await sharp(file).flatten({ background: '#fff' }).toColourspace('b-w').png().toBuffer(),
  );
}

describe('an image stays unchanged if the requested mode needs no conversion (I-24)', () => {
  it.each([
    ['rgb.jpg', ['RGB', 'YCbCr', 'HSV', 'RGBX', 'BGR_24', 'RGBA']],
    ['cmyk.jpg', ['CMYK']],
  ] as const)('%s', async (name, modes) => {
    for (const mode of modes) {
      expect(pdfOf(await image(sample(name), name, { image_mode: mode })).includes(sample(name)), mode).toBe(
        true,
      );
    }
  });
});

describe('black and white', () => {
  it('is dithered: the share of black pixels equals the darkness of a gray area', async () => {
    const gray = await sharp({ create: { width: 200, height: 200, channels: 3, background: '#404040' } })
      .png()
      .toBuffer();
    const got = await shown(gray, 'gray.png', [200, 200], { image_mode: 'BW' });
    const mean = got.data.reduce((sum, value) => sum + value, 0) / got.data.length;
    expect(mean).toBeGreaterThan(56);
    expect(mean).toBeLessThan(72);
  });
});

describe('fewer levels', () => {
  it('are 32 for each colour with BGR_15, and 64 for green with BGR_16', async () => {
    const ramp = await sharp(Buffer.from(Array.from({ length: 768 }, (_, i) => Math.floor(i / 3))), {
      raw: { width: 256, height: 1, channels: 3 },
    })
      .png()
      .toBuffer();
    const levels = async (mode: string, component: number): Promise<number> => {
      const { data } = await shown(ramp, 'ramp.png', [256, 1], { image_mode: mode });
      return new Set(Array.from({ length: 256 }, (_, x) => data[3 * x + component])).size;
    };
    expect(await levels('BGR_15', 1)).toBe(32);
    expect(await levels('BGR_16', 1)).toBe(64);
    expect(await levels('BGR_16', 0)).toBe(32);
  });
});

describe('transparency (I-25)', () => {
  const HALF = sharp({
    create: { width: 40, height: 40, channels: 4, background: { r: 255, g: 0, b: 0, alpha: 0.5 } },
  });

  it('is kept by default: the page under the picture shows through', async () => {
    const png = await HALF.clone().png().toBuffer();
    const got = await shown(png, 'half.png', [40, 40], { background_color: [0, 0, 255] });
    const [red, green, blue] = colourAt(got, 20, 20);
    expect([Math.abs(red - 128) < 3, green, Math.abs(blue - 128) < 3]).toEqual([true, 0, true]);
    expect((await embeddedImages(pdfOf(await image(png, 'half.png')))).map(({ type }) => type)).toContain(
      'smask',
    );
  });

  it('is flattened onto the background colour, white by default, where it is switched off', async () => {
    const png = await HALF.clone().png().toBuffer();
    const options = { transparency_enabled: false };
    const white = await shown(png, 'half.png', [40, 40], options);
    expect(colourAt(white, 20, 20).map((value) => Math.round(value / 10))).toEqual([26, 13, 13]);
    const blue = await shown(png, 'half.png', [40, 40], { ...options, background_color: '[0,0,255]' });
    expect(colourAt(blue, 20, 20).map((value) => Math.round(value / 10))).toEqual([13, 0, 13]);
    const images = await embeddedImages(
      pdfOf(await image(png, 'half.png', { ...options, image_mode: 'RGBA' })),
    );
    expect(images.map(({ type }) => type)).toEqual(['image']);
  });

  it('by one colour of a PNG is kept without decoding it', async () => {
    const png = withTransparentColour(await sharp(sample('rgb.jpg')).png().toBuffer(), [0, 0, 0]);
    expect(pdfOf(await image(png, 'key.png')).toString('latin1')).toContain('/Mask [0 0 0 0 0 0]');
  });

  it('in a drawing shows the background colour, and background: false leaves the drawing out', async () => {
    const svg = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><path d="M0 0h20v40H0z"/></svg>',
    );
    const colour = { background_color: [0, 255, 0] };
    expect(colourAt(await shown(svg, 'x.svg', [40, 40], colour), 30, 20)).toEqual([0, 255, 0]);
    expect(colourAt(await shown(svg, 'x.svg', [40, 40], { ...colour, background: false }), 30, 20)).toEqual([
      255, 255, 255,
    ]);
    expect(
      colourAt(await shown(svg, 'x.svg', [40, 40], { ...colour, transparency_enabled: false }), 30, 20),
    ).toEqual([0, 255, 0]);
  });
});

/** Adds a tRNS chunk in front of the image data. */
function withTransparentColour(png: Buffer, colour: readonly number[]): Buffer {
  const body = Buffer.alloc(4 + 2 * colour.length);
  body.write('tRNS', 'latin1');
  colour.forEach((value, i) => body.writeUInt16BE(value, 4 + 2 * i));
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(body.length - 4, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  const at = png.indexOf('IDAT') - 4;
  return Buffer.concat([png.subarray(0, at), chunk, png.subarray(at)]);
}
