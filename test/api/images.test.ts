import { describe, expect, it } from 'vitest';
import {
  difference,
  embeddedImages,
  expectBars,
  inCorner,
  type Pixels,
  pixelsOf,
  renderedCorner,
  sample,
  through,
} from '../images/support.ts';
import { call, checkPdf, expectStatus, form } from './client.ts';

/**
 * Every type of I-23 over HTTP: its page is rendered and compared with the picture as another program decodes it.
 * Tolerances are mean differences of 255.
 */

/** The picture on the page it becomes, pixel for pixel. */
async function shown(file: Buffer, name: string, size: [number, number]): Promise<Pixels> {
  const body = form({ image: [file, name], render_options: JSON.stringify(inCorner(size)) });
  const { bytes } = expectStatus(await call('POST', '/v1/render/img', { body }), 200);
  checkPdf(bytes);
  return await renderedCorner(bytes, ...size);
}

async function expectAlike(file: Buffer, name: string, decoded: Buffer, tolerance: number): Promise<void> {
  const expected = await pixelsOf(decoded);
  const got = await shown(file, name, [expected.width, expected.height]);
  expect(difference(got, expected)).toBeLessThan(tolerance);
}

describe('a picture', () => {
  it.each([
    ['jpeg', 'rgb.jpg', 3],
    ['png', 'rgba.png', 2],
    ['gif', 'rgba.gif', 2],
    ['webp', 'rgba.webp', 2],
    ['tiff', 'multi3.tiff', 1],
    ['svg', 'simple.svg', 4],
  ])('in the format %s matches the pixels of sharp: %s, within %d', async (_, name, tolerance) => {
    const file = sample(name);
    await expectAlike(file, name, name.endsWith('svg') ? await drawnOf(file) : file, tolerance);
  });

  it.each([
    ['bmp', 'rgb.bmp', 'bmp:{in}'],
    ['ico', 'multi.ico', 'ico:{in}[0]'],
    ['psd', 'rgb.jpg', 'psd:{in}[0]'],
  ])('in the format %s matches the pixels of ImageMagick, within 2', async (type, name, input) => {
    const made =
      type === 'psd'
        ? (await through('convert', ['jpg:{in}', 'psd:{out}'], sample(name))).bytes
        : sample(name);
    const flat = await through('convert', [input, '-background', 'white', '-flatten', 'png:{out}'], made);
    await expectAlike(made, `picture.${type}`, flat.bytes, 2);
  });

  it('in the format heic matches the JPEG it was made from, within 10', async () => {
    await expectAlike(sample('x265.heic'), 'x265.heic', sample('rgb.jpg'), 10);
  });

  it.each(['dng', 'nef', 'cr2', 'orf', 'rw2', 'sr2', 'arw'])(
    'in the format %s shows its eight bars',
    async (type) => {
      const got = await shown(sample(`synth.${type}`), `synth.${type}`, [480, 320]);
      expectBars(got, type);
    },
  );
});

describe('a drawing', () => {
  const EPS = Buffer.from(`%!PS-Adobe-3.0 EPSF-3.0
%%BoundingBox: 10 20 130 100
%%EndComments
0 0 1 setrgbcolor 10 20 120 80 rectfill
1 0 0 setrgbcolor 40 40 30 30 rectfill
%%EOF
`);
  const GS = ['-q', '-dSAFER', '-dBATCH', '-dNOPAUSE', '-dEPSCrop'];

  it.each(['eps', 'ai'])(
    'in the format %s matches the pixels of Ghostscript, within 2, and stays a vector drawing',
    async (type) => {
      const device = (name: string): string[] => [...GS, `-sDEVICE=${name}`, '-r72', '-o', '{out}', '{in}'];
      const file = type === 'eps' ? EPS : (await through('gs', device('pdfwrite'), EPS)).bytes;
      await expectAlike(file, `drawing.${type}`, (await through('gs', device('png16m'), EPS)).bytes, 2);
      const body = form({ image: [file, `drawing.${type}`] });
      const { bytes } = expectStatus(await call('POST', '/v1/render/img', { body }), 200);
      expect(await embeddedImages(bytes)).toEqual([]);
    },
  );
});

/** As librsvg draws it, at its own size. */
async function drawnOf(svg: Buffer): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  return await sharp(svg).png().toBuffer();
}
