import { describe, expect, it } from 'vitest';
import sharp from 'sharp';
import { BROWSER_FORMATS, displayableImage } from '../../packages/imaging/src/displayable.ts';
import { OFFICE_FORMATS } from '../../packages/imaging/src/office-pictures.ts';
import { BARS, colourAt, difference, ENGINES, nameOfColour, pixelsOf, sample } from './support.ts';

/** Images for readers that know few formats. */

const work = () => ({ deadline: Date.now() + 60_000 });
const displayable = async (name: string, known = BROWSER_FORMATS) =>
  await displayableImage({ bytes: sample(name), hints: [name] }, known, ENGINES, work());

describe('an image for a browser', () => {
  it.each(['rgb.jpg', 'rgba.png', 'rgba.gif', 'rgba.webp', 'simple.svg', 'rgb.bmp', 'multi.ico'])(
    '%s is left unchanged',
    async (name) => {
      expect((await displayable(name)).bytes.equals(sample(name))).toBe(true);
    },
  );

  it('is the first page as a PNG of the same natural size, if it is a TIFF', async () => {
    const tiff = await sharp(sample('rgb.jpg'))
      .tiff({ xres: 300 / 25.4, yres: 300 / 25.4 })
      .toBuffer();
    const { bytes, format } = await displayableImage(
      { bytes: tiff, hints: [] },
      BROWSER_FORMATS,
      ENGINES,
      work(),
    );
    expect(format).toBe('png');
    expect(await sharp(bytes).metadata()).toMatchObject({
      format: 'png',
      density: 300,
      width: 120,
      space: 'srgb',
    });
    expect(difference(await pixelsOf(bytes), await pixelsOf(sample('rgb.jpg')))).toBeLessThan(3);
  });

  it('is in RGB if it was in CMYK', async () => {
    const { bytes } = await displayable('cmyk.tiff');
    expect(await sharp(bytes).metadata()).toMatchObject({ space: 'srgb', channels: 3 });
  });

  it('is a JPEG the right way up, if it is a raw photo', async () => {
    const raw = sample('synth.cr2');
    const { bytes, format } = await displayableImage(
      { bytes: raw, hints: ['cr2'] },
      BROWSER_FORMATS,
      ENGINES,
      work(),
    );
    expect(format).toBe('jpeg');
    const pixels = await pixelsOf(bytes);
    expect(BARS.map((_, bar) => nameOfColour(colourAt(pixels, bar * 60 + 30, 150)))).toEqual([...BARS]);
  });
});

describe('an image for an office program', () => {
  it.each(['rgba.webp', 'simple.svg', 'multi.ico'])(
    'made from %s is a PNG with its transparency',
    async (name) => {
      const { bytes, format } = await displayable(name, OFFICE_FORMATS);
      expect(format).toBe('png');
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', hasAlpha: true });
    },
  );
});
