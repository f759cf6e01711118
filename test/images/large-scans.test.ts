import { describe, expect, it } from 'vitest';
import sharp from 'sharp';
import { colourAt, embeddedImages, grayPng, pdfOf, problemOf, rendered, service } from './support.ts';

/** Scans of large sheets with one bit for each pixel, which stay packed (I-23, I-24). */

const { image } = service();
const [WIDTH, HEIGHT] = [20_000, 14_000];
const BLACK = { left: 1000, right: 6000, top: 2000, bottom: 9000 };

/** A black rectangle on white, in rows of eight pixels per byte after `margin` bytes. */
function packedRows(margin: number): Buffer {
  const stride = margin + WIDTH / 8;
  const rows = Buffer.alloc(stride * HEIGHT, 0xff);
  for (let y = 0; y < HEIGHT; y += 1) {
    const start = y * stride;
    rows.fill(0, start, start + margin);
    if (y < BLACK.top || y >= BLACK.bottom) continue;
    rows.fill(0, start + margin + BLACK.left / 8, start + margin + BLACK.right / 8);
  }
  return rows;
}

/** The filter of a row of a PNG takes a byte. */
const png = grayPng({ width: WIDTH, height: HEIGHT, bits: 1 }, packedRows(1));

async function tiff(compression: 'ccittfax4' | 'deflate'): Promise<Buffer> {
  const drawing = sharp(png, { limitInputPixels: false }).toColourspace('b-w');
  return await drawing.tiff({ bitdepth: 1, predictor: 'none', compression }).toBuffer();
}

describe('a scan of 280 million pixels of one bit', () => {
  it.each(['ccittfax4', 'deflate'] as const)('is a page as a TIFF (%s)', async (compression) => {
    await expectPage(await tiff(compression), 'scan.tif');
  });

  it('is a page as a PNG', async () => {
    await expectPage(png, 'scan.png');
  });

  it('is refused where it would need a byte for each pixel', async () => {
    const problem = problemOf(await image(await tiff('ccittfax4'), 'scan.tif', { image_mode: 'RGB' }));
    expect(problem).toMatchObject({ status: 413, code: 'image_too_large' });
    expect(problem.detail).toContain('At most 150 million');
  });

  async function expectPage(file: Buffer, name: string): Promise<void> {
    const pdf = pdfOf(await image(file, name, { x: 0, y: 0, w: 20, landscape: true }));
    const [embedded] = await embeddedImages(pdf);
    expect(embedded).toMatchObject({ width: WIDTH, height: HEIGHT, bits: 1, colour: 'gray' });
    // A point of the page at 72 dpi, from centimetres on a picture of 20 by 14 cm.
    const page = await rendered(pdf, 72);
    const isBlack = (x: number, y: number): boolean =>
      colourAt(page, Math.round((x / 2.54) * 72), Math.round((y / 2.54) * 72))[0] < 128;
    expect([0.8, 1.2, 5.8, 6.2].map((x) => isBlack(x, 4))).toEqual([false, true, true, false]);
    expect([1.8, 2.2, 8.8, 9.2].map((y) => isBlack(3, y))).toEqual([false, true, true, false]);
  }
});
