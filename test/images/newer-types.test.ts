import { describe, expect, it } from 'vitest';
import sharp from 'sharp';
import { displayableImage } from '../../packages/imaging/src/displayable.ts';
import { OFFICE_FORMATS } from '../../packages/imaging/src/office-pictures.ts';
import {
  difference,
  embeddedImages,
  ENGINES,
  pdfOf,
  pixelsOf,
  problemOf,
  sample,
  service,
  shown,
  through,
} from './support.ts';

/** AVIF and JPEG 2000 beside the types of I-23: compared with the pictures that they were made of. */

const { image } = service();

async function converted(name: string, ending: string, args: readonly string[] = []): Promise<Buffer> {
  return (await through('convert', ['{in}', ...args, `${ending}:{out}`], sample(name))).bytes;
}

describe('AVIF', () => {
  it.each(['rgb.jpg', 'rgba.png'])('%s as it was, within 3', async (name) => {
    const file = await sharp(sample(name)).avif({ lossless: true }).toBuffer();
    const expected = await pixelsOf(sample(name));
    const got = await shown(file, 'photo.avif', [expected.width, expected.height]);
    expect(difference(got, expected)).toBeLessThan(3);
  });

  it('keeps transparency and stands upright once', async () => {
    const clear = await sharp(sample('rgba.png')).avif().toBuffer();
    const embedded = await embeddedImages(pdfOf(await image(clear, 'a.avif')));
    expect(embedded.map(({ type }) => type)).toEqual(['image', 'smask']);
    const turned = await sharp(sample('rgb.jpg')).withMetadata({ orientation: 6 }).avif().toBuffer();
    const expected = await pixelsOf(await sharp(sample('rgb.jpg')).rotate(90).png().toBuffer());
    const got = await shown(turned, 'turned.avif', [expected.width, expected.height]);
    expect(difference(got, expected)).toBeLessThan(6);
  });

  it('that is cut off is refused', async () => {
    const file = await sharp(sample('rgb.jpg')).avif().toBuffer();
    const problem = problemOf(await image(file.subarray(0, file.length * 0.7), 'half.avif'));
    expect(problem).toMatchObject({ status: 422, code: 'image_invalid' });
  });
});

describe('JPEG 2000', () => {
  it.each([
    ['rgb.jpg', 'jp2', []],
    ['rgb.jpg', 'j2k', []],
    ['rgba.png', 'jp2', []],
    ['rgb16.png', 'jp2', []],
    ['rgb.jpg', 'jp2', ['-colorspace', 'gray']],
  ] as const)('%s as %s %s, within 4', async (name, ending, args) => {
    const file = await converted(name, ending, [...args, '-quality', '0']);
    const expected = await pixelsOf(
      (await through('convert', ['{in}', ...args, 'png:{out}'], sample(name))).bytes,
    );
    const got = await shown(file, `scan.${ending}`, [expected.width, expected.height]);
    expect(difference(got, expected)).toBeLessThan(4);
  });

  it('has the size that the file states', async () => {
    const plain = await converted('rgb.jpg', 'jp2');
    const pdf = pdfOf(await image(withResolution(plain, 300), 'scan.jp2'));
    const { stdout } = await through('pdfimages', ['-list', '{in}'], pdf);
    expect(stdout.split('\n')[2]?.trim().split(/\s+/).slice(12, 14)).toEqual(['300', '300']);
  });

  it.each(['jp2', 'j2k'])('that is cut off is refused: %s', async (ending) => {
    const file = await converted('rgb.jpg', ending);
    const problem = problemOf(await image(file.subarray(0, file.length * 0.6), `half.${ending}`));
    expect(problem).toMatchObject({ status: 422, code: 'image_invalid' });
  });

  it.each(['ff4fff51', 'ff4fff51ffd9', `ff4fff51${'00'.repeat(36)}0040ffd9`])(
    'of %s alone is damaged',
    async (bytes) => {
      const problem = problemOf(await image(Buffer.from(bytes, 'hex'), 'scan.j2k'));
      expect(problem).toMatchObject({ status: 422, code: 'image_invalid' });
    },
  );

  // The decoder returned a part of the first three, and other colours of the last two.
  it.each([
    ['an offset of its image', (file: Buffer) => file.writeUInt32BE(7, siz(file) + 16)],
    ['components of different resolutions', (file: Buffer) => file.writeUInt8(2, siz(file) + 43)],
    ['components of different resolutions', (file: Buffer) => file.writeUInt8(2, siz(file) + 46)],
    ['a colour space', (file: Buffer) => file.writeUInt32BE(14, file.indexOf('colr', 0, 'latin1') + 7)],
    [
      '3 components in a space of 1',
      (file: Buffer) => file.writeUInt32BE(17, file.indexOf('colr', 0, 'latin1') + 7),
    ],
  ])('with %s is refused by name', async (what, change) => {
    const file = await converted('rgb.jpg', 'jp2');
    change(file);
    const problem = problemOf(await image(file, 'scan.jp2'));
    expect(problem).toMatchObject({ status: 422, code: 'image_format_unsupported' });
    expect(problem.detail).toContain(`has ${what}`);
  });

  /** The place of the markers that begin the data (ISO 15444-1, A.5.1). */
  const siz = (file: Buffer): number => file.indexOf('\xff\x4f\xff\x51', 0, 'latin1');

  /** Adds the box of a resolution in pixels per inch to the header (ISO 15444-1, I.5.3.7). */
  function withResolution(file: Buffer, dpi: number): Buffer {
    const box = Buffer.alloc(26);
    box.writeUInt32BE(26, 0);
    box.write('res \0\0\0\x12resd', 4, 'latin1');
    for (const at of [16, 20]) {
      box.writeUInt16BE(Math.round(dpi / 0.0254 / 10), at);
      box.writeUInt16BE(1, at + 2);
    }
    box.writeInt8(1, 24);
    box.writeInt8(1, 25);
    const header = file.indexOf('jp2h', 0, 'latin1') - 4;
    const end = header + file.readUInt32BE(header);
    const changed = Buffer.concat([file.subarray(0, end), box, file.subarray(end)]);
    changed.writeUInt32BE(file.readUInt32BE(header) + box.length, header);
    return changed;
  }
});

it('a profile whose colours are all black is left out: readers would show one colour', async () => {
  const file = await sharp(sample('rgb.jpg')).withIccProfile('p3').jpeg().toBuffer();
  const [before] = await embeddedImages(pdfOf(await image(file, 'photo.jpg')));
  expect(before?.colour).toBe('icc');
  const colorant = Buffer.from('XYZ \0\0\0\0', 'latin1');
  for (let at = file.indexOf(colorant); at >= 0; at = file.indexOf(colorant, at + 1))
    file.fill(0, at + 8, at + 20);
  const [after] = await embeddedImages(pdfOf(await image(file, 'photo.jpg')));
  expect(after?.colour).toBe('rgb');
});

describe('in office documents', () => {
  it.each([
    ['rgb.jpg', 'jpeg'],
    ['rgba.png', 'png'],
  ])('%s comes as %s', async (name, format) => {
    const bytes = await sharp(sample(name)).avif().toBuffer();
    const work = { deadline: Date.now() + 60_000 };
    const shownImage = await displayableImage({ bytes, hints: [] }, OFFICE_FORMATS, ENGINES, work);
    expect(shownImage.format).toBe(format);
    expect((await sharp(shownImage.bytes).metadata()).format).toBe(format);
  });
});
