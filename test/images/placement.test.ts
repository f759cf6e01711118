import { describe, expect, it } from 'vitest';
import sharp from 'sharp';
import { place } from '../../functions/images/placement.ts';
import type { RenderOptions } from '../../packages/contract/src/options.ts';
import {
  colourAt,
  embeddedImages,
  difference,
  type Pixels,
  pdfOf,
  pixelsOf,
  problemOf,
  rendered,
  sample,
  service,
  shown,
  through,
} from './support.ts';

/** I-24: where and how large a picture is on its page. */

const { image } = service();

const CM = 72 / 2.54;

describe('place', () => {
  const at = (natural: [number, number], options: RenderOptions = {}) => {
    const { sheet, box } = place({ width: natural[0] * CM, height: natural[1] * CM }, options);
    const round = (value: number): number => Math.round((value / CM) * 100) / 100;
    return {
      x: round(box.x),
      y: round(sheet.height - box.y - box.height),
      w: round(box.width),
      h: round(box.height),
    };
  };

  it.each<[string, [number, number], RenderOptions, object]>([
    ['natural size in the corner of the printable area', [4, 3], {}, { x: 1, y: 2, w: 4, h: 3 }],
    ['too wide: shrunk to the printable area', [38, 10], {}, { x: 1, y: 2, w: 19, h: 5 }],
    ['too high: shrunk to the printable area', [10, 51.4], {}, { x: 1, y: 2, w: 5, h: 25.7 }],
    ['margins', [4, 3], { margin_left: 2.5, margin_top: 0 }, { x: 2.5, y: 0, w: 4, h: 3 }],
    ['x and y are from the corner of the page', [4, 3], { x: 0, y: 5 }, { x: 0, y: 5, w: 4, h: 3 }],
    ['from x on there is less room', [40, 10], { x: 10 }, { x: 10, y: 2, w: 10, h: 2.5 }],
    ['w alone: the height follows', [4, 3], { w: 8 }, { x: 1, y: 2, w: 8, h: 6 }],
    ['h alone: the width follows', [4, 3], { h: 1.5 }, { x: 1, y: 2, w: 2, h: 1.5 }],
    ['both: fit inside', [4, 3], { w: 8, h: 3 }, { x: 1, y: 2, w: 4, h: 3 }],
    [
      'both without keep_ratio: exactly so',
      [4, 3],
      { w: 8, h: 3, keep_ratio: false },
      { x: 1, y: 2, w: 8, h: 3 },
    ],
    ['scale on top of the natural size', [4, 3], { scale: 0.5 }, { x: 1, y: 2, w: 2, h: 1.5 }],
    ['scale does not lead out of the printable area', [15, 3], { scale: 2 }, { x: 1, y: 2, w: 19, h: 3.8 }],
    ['scale on top of a given size', [4, 3], { w: 8, scale: 2 }, { x: 1, y: 2, w: 16, h: 12 }],
    ['scale on top of a shrunk one', [38, 10], { scale: 0.5 }, { x: 1, y: 2, w: 9.5, h: 2.5 }],
    [
      'a margin that leaves no room does not count',
      [4, 3],
      { margin_right: 100 },
      { x: 1, y: 2, w: 4, h: 3 },
    ],
  ])('%s', (_, natural, options, expected) => {
    expect(at(natural, options)).toEqual(expected);
  });

  it('refuses a place outside of the page, naming the option', () => {
    const attempt = () => at([4, 3], { x: 21 });
    expect(attempt).toThrow(expect.objectContaining({ code: 'invalid_option' }));
    expect(attempt).toThrow(/render_options\.x .*21\.0 cm wide/);
    expect(() => at([4, 3], { x: 21, landscape: true })).not.toThrow();
  });
});

describe('a page', () => {
  it.each([
    [{}, '595.276 x 841.89'],
    [{ landscape: true }, '841.89 x 595.276'],
    [{ paper_format: 'Letter' }, '612 x 792'],
    [{ paper_format: 'A6', landscape: true }, '419.528 x 297.638'],
  ])('with %j has %s points', async (options, expected) => {
    const pdf = pdfOf(await image(sample('rgb.jpg'), 'rgb.jpg', options));
    expect((await through('pdfinfo', ['{in}'], pdf)).stdout).toContain(`Page size:       ${expected} pts`);
  });

  it('accepts width and height for w and h, numbers and booleans as text', async () => {
    const options = {
      width: '2.54',
      height: '2.54',
      keep_ratio: 'false',
      x: '0',
      y: '0',
      paper_format: 'Letter',
    };
    const [left, top, right, bottom] = await extent(pdfOf(await image(solid(), 'x.png', options)), 288);
    expect([left, top]).toEqual([0, 0]);
    // A reader may widen a picture by the pixel its edge touches.
    for (const edge of [right, bottom]) expect([288, 289]).toContain(edge);
  });

  it.each([
    ['scale', 3],
    ['x', -1],
    ['w', 0],
    ['image_mode', 'XYZ'],
    ['background_color', [1, 2]],
    ['background_color', [1, 2, 256]],
    ['keep_ratio', 'perhaps'],
  ])('answers 422 for %s = %j, naming it', async (option, value) => {
    const problem = problemOf(await image(sample('rgb.jpg'), 'rgb.jpg', { [option]: value }));
    expect(problem).toMatchObject({ status: 422, code: 'invalid_option' });
    expect(problem.errors?.[0]?.field).toMatch(new RegExp(`^render_options\\.${option}`));
  });

  it('names the file after the picture', async () => {
    const reply = await image(sample('rgb.jpg'), 'Grüße vom Meer.jpg');
    expect(reply.headers['content-disposition']).toContain(
      "filename*=UTF-8''Gr%C3%BC%C3%9Fe%20vom%20Meer.pdf",
    );
  });

  it('is smaller when compressed, and opens with its password only when encrypted', async () => {
    const noisy = sample('rgba.png');
    const plain = pdfOf(await image(noisy, 'x.png'));
    const small = pdfOf(await image(noisy, 'x.png', { compress: true }));
    expect(small.length).toBeLessThanOrEqual(plain.length);
    const locked = pdfOf(await image(noisy, 'x.png', { encrypt_password: 'geheim' }));
    await expect(through('qpdf', ['--check', '{in}'], locked)).rejects.toThrow(/Command failed/);
    await through('qpdf', ['--password=geheim', '--check', '{in}'], locked);
  });
});

/** A red PNG of 96 x 48 pixels. */
let red: Buffer | undefined;
function solid(): Buffer {
  if (red === undefined) throw new Error('not made yet');
  return red;
}
red = await sharp({ create: { width: 96, height: 48, channels: 3, background: '#f00' } })
  .png()
  .toBuffer();

describe('the resolution of the picture decides on its natural size', () => {
  const png = (density: number) => sharp(solid()).withMetadata({ density }).png().toBuffer();
  const cases: [string, () => Promise<Buffer>, [number, number]][] = [
    ['a PNG without one: 96 dpi', async () => solid(), [72, 36]],
    ['a PNG of 192 dpi (pHYs)', async () => await png(192), [36, 18]],
    [
      'a JPEG of 48 dpi (JFIF)',
      async () => await sharp(solid()).withMetadata({ density: 48 }).jpeg().toBuffer(),
      [144, 72],
    ],
    ['a JPEG without one', async () => await sharp(solid()).jpeg().toBuffer(), [72, 36]],
    [
      'a TIFF of 192 dpi',
      async () =>
        await sharp(solid())
          .tiff({ xres: 192 / 25.4, yres: 192 / 25.4 })
          .toBuffer(),
      [36, 18],
    ],
    ['a BMP of 192 dpi', async () => bmp(192), [36, 18]],
  ];

  it.each(cases)('%s', async (name, file, [width, height]) => {
    const bytes = name.startsWith('a JPEG without') ? withoutDensity(await file()) : await file();
    const [x0, y0, x1, y1] = await extent(
      pdfOf(await image(bytes, name, { x: 1, y: 1, paper_format: 'Letter' })),
      72,
    );
    expect(Math.abs(x1 - x0 - width)).toBeLessThanOrEqual(1);
    expect(Math.abs(y1 - y0 - height)).toBeLessThanOrEqual(1);
  });

  /** JFIF's unit 0: the numbers are a ratio, no resolution. */
  function withoutDensity(jpeg: Buffer): Buffer {
    const copy = Buffer.from(jpeg);
    copy.writeUInt8(0, copy.indexOf('JFIF\0') + 7);
    return copy;
  }

  function bmp(dpi: number): Buffer {
    const [width, height] = [96, 48];
    const file = Buffer.alloc(54 + width * height * 3);
    file.write('BM');
    file.writeUInt32LE(file.length, 2);
    file.writeUInt32LE(54, 10);
    file.writeUInt32LE(40, 14);
    file.writeInt32LE(width, 18);
    file.writeInt32LE(height, 22);
    file.writeUInt16LE(1, 26);
    file.writeUInt16LE(24, 28);
    file.writeUInt32LE(Math.round(dpi / 0.0254), 38);
    file.writeUInt32LE(Math.round(dpi / 0.0254), 42);
    for (let i = 54; i < file.length; i += 3) file.writeUInt8(255, i + 2);
    return file;
  }
});

describe('EXIF orientation (I-24)', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'EXIF orientation %d: the page shows the photo upright',
    async (orientation) => {
      const stored = await sharp(sample('rgba.png'))
        .flatten({ background: '#0a0' })
        .composite([{ input: solid(), left: 0, top: 0 }])
        .withMetadata({ orientation })
        .jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
        .toBuffer();
      // sharp turns it as the tag says, by other code than ours.
      const expected = await pixelsOf(stored);
      expect([expected.width, expected.height]).toEqual(orientation >= 5 ? [80, 120] : [120, 80]);
      const got = await shown(stored, 'x.jpg', [expected.width, expected.height]);
      expect(difference(got, expected)).toBeLessThan(3);
      // The data is untouched: it is the page that turns it.
      expect(pdfOf(await image(stored, 'x.jpg')).includes(stored)).toBe(true);
    },
  );
});

/** Left, top, right and bottom of what is not white. */
async function extent(pdf: Buffer, resolution: number): Promise<[number, number, number, number]> {
  const page: Pixels = await rendered(pdf, resolution);
  let [left, top, right, bottom] = [page.width, page.height, 0, 0];
  for (let y = 0; y < page.height; y += 1) {
    for (let x = 0; x < page.width; x += 1) {
      if (colourAt(page, x, y)[1] > 128) continue;
      [left, top] = [Math.min(left, x), Math.min(top, y)];
      [right, bottom] = [Math.max(right, x + 1), Math.max(bottom, y + 1)];
    }
  }
  expect((await embeddedImages(pdf)).length).toBe(1);
  return [left, top, right, bottom];
}
