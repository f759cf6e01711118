import { describe, expect, it } from 'vitest';
import sharp from 'sharp';
import type { ImageFormat } from '../../packages/imaging/src/image-type.ts';
import { TemplateImages } from '../../functions/render/images.ts';
import type { StoredImage } from '../../functions/shared/store/templates/rendering.ts';
import { DrawingFonts } from '../../functions/shared/tenant-fonts.ts';
import { fontOf } from '../support/fonts.ts';
import { ENGINES, sample } from './support.ts';

/** Images of templates, in formats that the reader of the document knows. */

function stored(name: string, format: ImageFormat, read = { times: 0 }): StoredImage {
  return {
    id: name,
    format,
    contentType: `image/${format}`,
    filename: name,
    bytes: () => {
      read.times += 1;
      return Promise.resolve(sample(name));
    },
  };
}

describe('images of a template', () => {
  const all = new Map([
    ['logo', stored('rgba.png', 'png')],
    ['scan', stored('multi3.tiff', 'tiff')],
    ['photo', stored('x265.heic', 'heic')],
    ['drawing', stored('simple.svg', 'svg')],
  ]);
  const images = new TemplateImages(ENGINES, 10_000_000);

  it('for html are converted to what a browser shows, and left unchanged if it shows them', async () => {
    const shown = images.displayable(all, 'html');
    expect(Array.from(shown, ([uri, { contentType }]) => [uri, contentType])).toEqual([
      ['logo', 'image/png'],
      ['scan', 'image/png'],
      ['photo', 'image/jpeg'],
      ['drawing', 'image/svg'],
    ]);
    expect(Buffer.from((await shown.get('drawing')?.bytes()) ?? []).equals(sample('simple.svg'))).toBe(true);
    const [scan, photo] = [await shown.get('scan')?.bytes(), await shown.get('photo')?.bytes()];
    expect(await sharp(scan).metadata()).toMatchObject({ format: 'png', width: 120, height: 80 });
    expect(await sharp(photo).metadata()).toMatchObject({ format: 'jpeg', width: 120, height: 80 });
  });

  it('for office documents are converted to what office programs show', async () => {
    const drawing = await images.displayable(all, 'docx').get('drawing')?.bytes();
    expect(await sharp(drawing).metadata()).toMatchObject({ format: 'png', density: 300 });
  });

  it('for office documents are set in the fonts of the tenant, which other tenants cannot use', async () => {
    const svg = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="40"><text y="30" font-size="30" font-family="Zaladea">Wide</text></svg>',
    );
    const face = {
      family: 'Zaladea',
      style: 'Regular',
      weight: [400, 400] as const,
      italic: false,
      scripts: [],
    };
    const font = {
      faces: [face],
      format: 'ttf' as const,
      contentType: 'font/ttf',
      path: 'fonts/1',
      bytes: () => Promise.resolve(fontOf('Zaladea')),
    };
    const drawn = async (fonts: (typeof font)[], format: 'docx' | 'html'): Promise<Buffer> => {
      const image = { ...stored('a.svg', 'svg'), bytes: () => Promise.resolve(svg) };
      const of = new DrawingFonts(
        () => Promise.resolve(fonts),
        () => {},
      );
      const shown = images.displayable(new Map([['a', image]]), format, of);
      return Buffer.from((await shown.get('a')?.bytes()) ?? []);
    };
    const [own, others] = [await drawn([font], 'docx'), await drawn([], 'docx')];
    expect(own.equals(others)).toBe(false);
    expect((await drawn([font], 'docx')).equals(own)).toBe(true);
    expect(String(await drawn([font], 'html'))).toMatch(
      /^<svg [^>]*><style>@font-face\{font-family:"Zaladea";src:url\("data:font\/ttf;base64,/,
    );
    expect((await drawn([], 'html')).equals(svg)).toBe(true);
  });

  it('for office documents are rotated by their EXIF orientation, which office programs ignore', async () => {
    const wide = { create: { width: 60, height: 20, channels: 3 as const, background: 'red' } };
    const photo = async (orientation: number): Promise<StoredImage> => {
      const bytes = await sharp(wide).jpeg().withMetadata({ orientation }).toBuffer();
      return { ...stored('photo.jpg', 'jpeg'), bytes: () => Promise.resolve(bytes) };
    };
    const [lying, upright] = [await photo(6), await photo(1)];
    const shown = async (image: StoredImage, format: 'docx' | 'html') =>
      (await images
        .displayable(new Map([['photo', image]]), format)
        .get('photo')
        ?.bytes()) ?? Buffer.of();
    expect(await sharp(await shown(lying, 'docx')).metadata()).toMatchObject({ width: 20, height: 60 });
    expect(await shown(lying, 'html')).toEqual(await lying.bytes());
    expect(await shown(upright, 'docx')).toEqual(await upright.bytes());
  });

  it('are converted once while they stay in memory, and only when they are used', async () => {
    const read = { times: 0 };
    const converter = new TemplateImages(ENGINES, 10_000_000);
    const shown = converter.displayable(new Map([['scan', stored('multi3.tiff', 'tiff', read)]]), 'html');
    expect(read.times).toBe(0);
    const [first, second] = [await shown.get('scan')?.bytes(), await shown.get('scan')?.bytes()];
    expect(first).toBe(second);
  });
});
