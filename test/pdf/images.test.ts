import { describe, expect, it } from 'vitest';
import sharp from 'sharp';
import { imagesOfPages } from '../../packages/pdf/src/operations/images.ts';
import { ghostscript, pageTexts, run, textPages, workspace } from './fixtures.ts';

/** A page of 2 by 1 inches: left half red, and a black line of text size. */
function colours(path: string, pages = 1): string {
  const page = '1 0 0 setrgbcolor 0 0 72 72 rectfill 0 0 1 setrgbcolor 100 20 10 30 rectfill showpage\n';
  return ghostscript(path, `<< /PageSize [144 72] >> setpagedevice\n${page.repeat(pages)}`);
}

describe('images of pages (I-34)', () => {
  it.each(['png', 'jpeg', 'webp', 'tiff', 'gif', 'bmp', 'ico', 'psd'])(
    'writes %s as other programs read it',
    async (format) => {
      const at = workspace();
      const input = { path: colours(at('a.pdf')) };
      const image = await imagesOfPages(input, { format, name: 'a', scratch: at('.') });
      const size = format === 'ico' ? '256 128' : '300 150';
      const named = { bmp: 'BMP3', ico: 'PNG' }[format] ?? format.toUpperCase();
      expect(run('identify', '-format', '%m %w %h', `${format}:${image.path}[0]`)).toBe(`${named} ${size}`);
      run('convert', `${format}:${image.path}[0]`, '-depth', '8', `png24:${at('back.png')}`);
      const { data, info } = await sharp(at('back.png')).raw().toBuffer({ resolveWithObject: true });
      const pixel = (x: number, y: number): number[] => {
        const start = (Math.round(y * info.height) * info.width + Math.round(x * info.width)) * info.channels;
        return [...data.subarray(start, start + 3)].map((value) => Math.round(value / 64));
      };
      expect(pixel(0.25, 0.5)).toEqual([4, 0, 0]);
      expect(pixel(0.6, 0.5)).toEqual([4, 4, 4]);
      expect(pixel(0.73, 0.5)).toEqual([0, 0, 4]);
    },
  );

  it('draws the same as poppler does', async () => {
    const at = workspace();
    const input = { path: textPages(at('a.pdf'), ['Some words that are drawn']) };
    const image = await imagesOfPages(input, { format: 'png', name: 'a', scratch: at('.'), dpi: 100 });
    run('pdftoppm', '-r', '100', '-png', '-singlefile', input.path, at('poppler'));
    const compared = await Promise.all(
      [image.path, at('poppler.png')].map((path) =>
        sharp(path).greyscale().blur(3).raw().toBuffer({ resolveWithObject: true }),
      ),
    );
    const [ours, theirs] = compared;
    expect(ours?.info).toMatchObject({ width: theirs?.info.width, height: theirs?.info.height });
    let worst = 0;
    ours?.data.forEach((value, at) => (worst = Math.max(worst, Math.abs(value - (theirs?.data[at] ?? 0)))));
    expect(worst).toBeLessThan(40);
  });

  it('has its resolution in the file', async () => {
    const at = workspace();
    const input = { path: colours(at('a.pdf')) };
    for (const format of ['png', 'jpeg', 'tiff', 'bmp', 'psd']) {
      const image = await imagesOfPages(input, { format, name: 'a', scratch: at('.'), dpi: 200 });
      const text = run('identify', '-units', 'PixelsPerInch', '-format', '%x', `${format}:${image.path}[0]`);
      expect([format, Math.round(Number.parseFloat(text))]).toEqual([format, 200]);
    }
  });

  it('puts all pages into one TIFF, and pages of other formats into a ZIP by their numbers', async () => {
    const at = workspace();
    const input = { path: colours(at('a.pdf'), 12) };
    const tiff = await imagesOfPages(input, { format: 'tif', name: 'a', scratch: at('.'), pages: '2-4' });
    expect(tiff).toMatchObject({ name: 'a.tiff', contentType: 'image/tiff' });
    expect(run('identify', `tiff:${tiff.path}`).trim().split('\n')).toHaveLength(3);
    const zip = await imagesOfPages(input, { format: 'gif', name: 'a', scratch: at('.'), pages: '3,9-10' });
    expect(zip).toMatchObject({ name: 'a.zip', contentType: 'application/zip' });
    expect(run('unzip', '-Z1', zip.path).trim().split('\n')).toEqual(['a-03.gif', 'a-09.gif', 'a-10.gif']);
  });

  it('returns a page as a PDF and as an SVG of its size', async () => {
    const at = workspace();
    const input = { path: textPages(at('a.pdf'), ['one', 'two']) };
    const pdf = await imagesOfPages(input, { format: 'pdf', name: 'a', scratch: at('.'), pages: '2' });
    expect(pageTexts(pdf.path)).toEqual(['two']);
    const svg = await imagesOfPages(
      { path: colours(at('b.pdf')) },
      { format: 'svg', name: 'a', scratch: at('.') },
    );
    expect(await sharp(svg.path).metadata()).toMatchObject({ format: 'svg', width: 144, height: 72 });
    expect(run('head', '-c', '120', svg.path)).toContain('width="2in" height="1in"');
  });

  it('draws form fields and annotations', async () => {
    const at = workspace();
    const path = ghostscript(
      at('a.pdf'),
      '<< /PageSize [144 72] >> setpagedevice [ /Rect [10 10 60 60] /Subtype /Square /IC [0 0.5 0] /C [0 0.5 0] /F 4 /ANN pdfmark showpage',
    );
    const image = await imagesOfPages({ path }, { format: 'png', name: 'a', scratch: at('.') });
    const { channels } = await sharp(image.path).stats();
    expect(channels[0]?.min).toBeLessThan(20);
  });
});
