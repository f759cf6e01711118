import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compress } from '../../packages/pdf/src/compress/index.ts';
import { shownSizes } from '../../packages/pdf/src/compress/shown-size.ts';
import { compressPdf, type CompressOptions } from '../../packages/pdf/src/index.ts';
import { openPdfFile } from '../../packages/pdf/src/model/index.ts';
import { describePdf } from './describe.ts';
import {
  expectSound,
  ghostscript,
  noEngine,
  pageTexts,
  rawPdf,
  rawStream,
  run,
  textPages,
  workspace,
} from './fixtures.ts';
import { richPdf } from './rich.ts';

const size = (path: string): number => statSync(path).size;

/** Pages as poppler draws them, at 50 dpi: a PPM of each, whose samples follow a short header. */
function pixels(path: string, at: (name: string) => string): Buffer[] {
  const folder = at('drawn');
  mkdirSync(folder);
  run('pdftoppm', '-r', '50', path, join(folder, 'page'));
  const pages = readdirSync(folder)
    .sort()
    .map((name) => readFileSync(join(folder, name)));
  rmSync(folder, { recursive: true });
  return pages;
}

/** Largest mean difference of a page, in steps of 0 to 255. */
function difference(before: Buffer[], after: Buffer[]): number {
  return Math.max(
    ...before.map((page, index) => {
      const other = after[index] ?? Buffer.alloc(0);
      if (other.length !== page.length) return 255;
      let sum = 0;
      for (let at = 0; at < page.length; at++) sum += Math.abs((page[at] ?? 0) - (other[at] ?? 0));
      return sum / page.length;
    }),
  );
}

/** Pictures of all kinds on one page each: photo as PNG and JPEG, drawing, 1-bit, transparency, CMYK, palette, grey. */
function pictures(at: (name: string) => string): string {
  run('convert', '-seed', '1', '-size', '600x600', 'plasma:', '-blur', '0x2', '-depth', '8', at('photo.png'));
  run('convert', at('photo.png'), '-quality', '97', at('photo.jpg'));
  run('convert', at('photo.png'), '-colorspace', 'Gray', '-depth', '8', at('grey.png'));
  run('convert', at('photo.png'), '-colorspace', 'CMYK', '-quality', '97', at('cmyk.jpg'));
  run('convert', at('photo.png'), '-colors', '32', `png8:${at('palette.png')}`);
  run(
    'convert',
    '-size',
    '600x600',
    'xc:white',
    '-fill',
    'red',
    '-draw',
    'circle 300,300 300,50',
    `png24:${at('drawing.png')}`,
  );
  run('convert', at('grey.png'), '-threshold', '50%', '-monochrome', at('bits.png'));
  const files = ['photo.png', 'photo.jpg', 'grey.png', 'cmyk.jpg', 'palette.png', 'drawing.png', 'bits.png'];
  // At 144 dpi: 300 points wide.
  run('img2pdf', ...files.map(at), '--imgsize', '300x300', '-o', at('pictures.pdf'));
  return at('pictures.pdf');
}

describe('lossless compression (I-30)', () => {
  it('reads a sound document once and writes it once, without qpdf (decision 0058)', async () => {
    const at = workspace();
    const path = richPdf(at('a.pdf'), 'alpha');
    await compress(noEngine(), { input: { path }, output: at('c.pdf'), options: {} });
    expectSound(at('c.pdf'));
    expect(size(at('c.pdf'))).toBeLessThan(size(path));
    expect({ ...describePdf(at('c.pdf')), catalog: {} }).toEqual({ ...describePdf(path), catalog: {} });
  });

  it('changes no pixel of any kind of picture, and is smaller than qpdf and mutool make it', async () => {
    const at = workspace();
    const path = pictures(at);
    await compressPdf(path, at('c.pdf'));
    expectSound(at('c.pdf'));
    expect(difference(pixels(path, at), pixels(at('c.pdf'), at))).toBe(0);
    run(
      'qpdf',
      path,
      '--object-streams=generate',
      '--recompress-flate',
      '--compression-level=9',
      at('q.pdf'),
    );
    run('mutool', 'clean', '-gggg', '-z', path, at('mu.pdf'));
    expect(size(at('c.pdf'))).toBeLessThan(Math.min(size(at('q.pdf')), size(at('mu.pdf'))));
  });

  it('makes pages of text with an outline no larger than qpdf and mutool do', async () => {
    const at = workspace();
    const pages = Array.from({ length: 60 }, (_, n) => {
      const mark = `[ /Title (Chapter ${n}) /Page ${n + 1} /OUT pdfmark`;
      const lines = Array.from(
        { length: 40 },
        (_, line) => `40 ${780 - line * 15} moveto (${n} ${line * n} words) show`,
      );
      return `${mark} ${lines.join(' ')} showpage`;
    });
    ghostscript(at('a.pdf'), `/Helvetica findfont 9 scalefont setfont ${pages.join('\n')}`);
    await compressPdf(at('a.pdf'), at('c.pdf'), {});
    expectSound(at('c.pdf'));
    const best = ['--object-streams=generate', '--recompress-flate', '--compression-level=9'];
    run('qpdf', at('a.pdf'), ...best, at('qpdf.pdf'));
    run('mutool', 'clean', '-gggg', '-z', at('a.pdf'), at('mutool.pdf'));
    expect(size(at('c.pdf'))).toBeLessThanOrEqual(size(at('qpdf.pdf')));
    expect(size(at('c.pdf'))).toBeLessThan(size(at('mutool.pdf')));
  });

  it('stores a picture, a font and a form that are there many times once', async () => {
    const at = workspace();
    run('convert', '-seed', '2', '-size', '200x200', 'plasma:', '-depth', '8', at('p.png'));
    run('img2pdf', at('p.png'), '-o', at('one.pdf'));
    const copies = Array.from({ length: 30 }, (_, index) => {
      copyFileSync(at('one.pdf'), at(`${index}.pdf`));
      return at(`${index}.pdf`);
    });
    run('qpdf', '--empty', '--pages', ...copies, '--', at('many.pdf'));
    await compressPdf(at('many.pdf'), at('c.pdf'));
    run('mutool', 'clean', '-gggg', '-z', at('many.pdf'), at('mu.pdf'));
    expectSound(at('c.pdf'));
    expect(size(at('c.pdf'))).toBeLessThan(size(at('one.pdf')) * 1.2);
    expect(size(at('c.pdf'))).toBeLessThan(size(at('mu.pdf')));
    await compressPdf(at('many.pdf'), at('kept.pdf'), { removeDuplicates: false });
    expect(size(at('kept.pdf'))).toBeGreaterThan(size(at('c.pdf')) * 10);
  });

  it('finds equal fonts after their parts were found equal', async () => {
    const at = workspace();
    const font = (name: string): string =>
      ghostscript(
        at(name),
        '/NimbusSans-Regular findfont 20 scalefont setfont 72 700 moveto (The same text) show showpage',
        '-dSubsetFonts=false',
      );
    run('qpdf', '--empty', '--pages', font('a.pdf'), font('b.pdf'), font('c.pdf'), '--', at('many.pdf'));
    await compressPdf(at('many.pdf'), at('small.pdf'));
    const fonts = run('pdffonts', at('small.pdf')).trim().split('\n').slice(2);
    expect(new Set(fonts.map((line) => line.trim().split(/\s+/).slice(-2).join(' '))).size).toBe(1);
    expect(pageTexts(at('small.pdf'))).toEqual(['The same text', 'The same text', 'The same text']);
    expect(size(at('small.pdf'))).toBeLessThan(size(at('a.pdf')) * 1.3);
  });

  it('keeps all a document consists of: fields, outline, destinations, tags, layers, attachments', async () => {
    const at = workspace();
    const path = richPdf(at('a.pdf'), 'alpha');
    await compressPdf(path, at('c.pdf'));
    expectSound(at('c.pdf'));
    expect({ ...describePdf(at('c.pdf')), catalog: {} }).toEqual({ ...describePdf(path), catalog: {} });
  });

  it('returns the input if compression saves nothing', async () => {
    const at = workspace();
    await compressPdf(textPages(at('a.pdf'), ['one']), at('b.pdf'));
    await compressPdf(at('b.pdf'), at('c.pdf'));
    expect(readFileSync(at('c.pdf')).equals(readFileSync(at('b.pdf')))).toBe(true);
  });

  it('removes unreferenced objects', async () => {
    const at = workspace();
    const page = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] >>';
    const waste = rawStream('', 'never shown '.repeat(1000));
    const bodies = [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
      page,
      waste,
    ];
    await compressPdf(rawPdf(at('a.pdf'), bodies), at('c.pdf'));
    expect(size(at('c.pdf'))).toBeLessThan(1000);
  });

  it('linearizes and omits object streams by option', async () => {
    const at = workspace();
    const path = textPages(at('a.pdf'), ['one', 'two', 'three']);
    run('qpdf', path, '--stream-data=uncompress', '--object-streams=disable', '--qdf', at('big.pdf'));
    await compressPdf(at('big.pdf'), at('l.pdf'), { linearize: true });
    await compressPdf(at('big.pdf'), at('o.pdf'), { objectStreams: false });
    expect(run('pdfinfo', at('l.pdf'))).toMatch(/Optimized: +yes/);
    expect(readFileSync(at('o.pdf'), 'latin1')).not.toContain('/ObjStm');
    expectSound(at('l.pdf'));
  });

  it('keeps a protected document protected', async () => {
    const at = workspace();
    const path = textPages(at('a.pdf'), ['secret text']);
    run(
      'qpdf',
      path,
      '--stream-data=uncompress',
      '--encrypt',
      'user',
      'owner',
      '256',
      '--print=none',
      '--',
      at('e.pdf'),
    );
    await compressPdf(at('e.pdf'), at('c.pdf'), {}, { password: 'user' });
    expect(size(at('c.pdf'))).toBeLessThan(size(at('e.pdf')));
    expect(pageTexts(at('c.pdf'), 'user')).toEqual(['secret text']);
    expect(() => run('pdfinfo', at('c.pdf'))).toThrow('Incorrect password');
    expect(run('qpdf', '--show-encryption', '--password=user', at('c.pdf'))).toContain(
      'print low resolution: not allowed',
    );
  });
});

describe('lossy compression', () => {
  it('looks the same at every quality, and each is smaller than the one before', async () => {
    const at = workspace();
    const path = pictures(at);
    const before = pixels(path, at);
    const results: { quality: string; bytes: number; difference: number }[] = [];
    for (const quality of ['lossless', 'high', 'medium', 'low'] as const) {
      await compressPdf(path, at('c.pdf'), { quality });
      expectSound(at('c.pdf'));
      const after = pixels(at('c.pdf'), at);
      results.push({ quality, bytes: size(at('c.pdf')), difference: difference(before, after) });
    }
    expect(results[0]?.difference).toBe(0);
    expect(results.map((result) => result.difference < 4)).toEqual([true, true, true, true]);
    const bytes = results.map((result) => result.bytes);
    expect(bytes).toEqual(bytes.toSorted((a, b) => b - a));
    expect(new Set(bytes).size).toBe(4);
  });

  it('never touches 1-bit pictures, palettes, CMYK and colour keys', async () => {
    const at = workspace();
    const path = pictures(at);
    await compressPdf(path, at('c.pdf'), { quality: 'low', maxDpi: 30 });
    const list = run('pdfimages', '-list', at('c.pdf')).trim().split('\n').slice(2);
    const kinds = list.map((line) => line.trim().split(/\s+/).slice(3, 9).join(' '));
    expect(kinds.filter((kind) => kind.startsWith('600 600'))).toEqual([
      '600 600 cmyk 4 8 jpeg',
      '600 600 index 1 8 image',
      '600 600 gray 1 1 image',
    ]);
  });

  it('accepts real numbers with a plus sign or without a digit (ISO 32000-2, 7.3.3)', async () => {
    const at = workspace();
    const objects = [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 +100.5] /PieceInfo << /A +.5 /B 4. /C (+.5 \\) ") >> >>',
    ];
    await compressPdf(rawPdf(at('a.pdf'), objects), at('c.pdf'), {});
    expectSound(at('c.pdf'));
    expect(run('pdfinfo', at('c.pdf'))).toContain('200 x 100.5 pts');
  });

  it('keeps at most the pixels asked for, as far as a picture is shown anywhere', async () => {
    const at = workspace();
    run('convert', '-seed', '3', '-size', '800x400', 'plasma:', '-quality', '95', at('p.jpg'));
    const jpeg = readFileSync(at('p.jpg')).toString('latin1');
    const shown = (content: string): string[] => [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /XObject << /Im 4 0 R /Fm 6 0 R >> >> /Contents 5 0 R >>',
      rawStream(
        '/Type /XObject /Subtype /Image /Width 800 /Height 400 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode',
        jpeg,
      ),
      rawStream('', content),
      rawStream(
        '/Type /XObject /Subtype /Form /BBox [0 0 1 1] /Matrix [2 0 0 2 0 0] /Resources << /XObject << /Im 4 0 R >> >>',
        'q 72 0 0 36 0 0 cm /Im Do Q',
      ),
    ];
    const width = async (content: string, options: CompressOptions): Promise<number> => {
      await compressPdf(rawPdf(at('a.pdf'), shown(content)), at('c.pdf'), options);
      return Number(/"\/Width": (\d+)/.exec(run('qpdf', '--json=2', '--json-key=qpdf', at('c.pdf')))?.[1]);
    };
    // Two inches wide on the page.
    expect(await width('q 144 0 0 72 10 10 cm /Im Do Q', { maxDpi: 100 })).toBe(200);
    // The larger of two appearances counts; text with parentheses and inline images are passed over.
    expect(
      await width(
        'q 144 0 0 72 10 10 cm /Im Do Q BT (a \\( ) b) Tj ET BI /W 1 /H 1 /BPC 8 /CS /G ID x EI q 0 288 -144 0 300 10 cm /Im Do Q',
        { maxDpi: 100 },
      ),
    ).toBe(400);
    // Within a form that doubles its size.
    expect(await width('q 1 0 0 1 0 0 cm /Fm Do Q', { maxDpi: 100 })).toBe(200);
    // Shown in a way that cannot be told: as it is.
    expect(await width('', { maxDpi: 100 })).toBe(800);
  });
});

it('finds the largest size at which forms show an image', async () => {
  const at = workspace();
  const names = Array.from({ length: 80 }, (_, n) => `/F${n} ${n + 6} 0 R`).join(' ');
  const content = Array.from({ length: 80 }, (_, n) => `/F${n} Do`).join(' ');
  const picture =
    '/Type /XObject /Subtype /Image /Width 2 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray';
  const form = '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /Im 5 0 R >> >>';
  const path = rawPdf(at('a.pdf'), [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Contents 4 0 R /Resources << /XObject << ${names} >> >> >>`,
    rawStream('', content),
    rawStream(picture, 'ab'),
    ...Array.from({ length: 80 }, (_, n) => rawStream(form, `q ${n + 1} 0 0 7 0 0 cm /Im Do Q`)),
  ]);
  expect(await shownSizes(await openPdfFile(path))).toEqual(new Map([['5 0 R', { width: 80, height: 7 }]]));
});
