import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PdfCombiner } from '../../packages/pdf/src/combine/index.ts';
import { describePdf } from './describe.ts';
import { expectSound, rawPdf, rawStream, run, textPages, workspace } from './fixtures.ts';
import { richPdf } from './rich.ts';

/** Combines files as a batch does. @returns the bytes that are written at once, each time */
async function combined(
  paths: readonly string[],
  output: string,
  titles: readonly string[] = [],
): Promise<number[]> {
  const pieces: Buffer[] = [];
  const combiner = new PdfCombiner((bytes) => {
    pieces.push(Buffer.from(bytes));
    return Promise.resolve();
  });
  for (const [index, path] of paths.entries()) {
    await combiner.add(readFileSync(path), (own) => titles[index] ?? own);
  }
  await combiner.finish('All of them');
  writeFileSync(output, Buffer.concat(pieces));
  return pieces.map(({ length }) => length);
}

describe('one PDF of many (I-52)', () => {
  it('has an entry for each document, with its own entries below, and keeps links and other objects of its pages', async () => {
    const at = workspace();
    const names = ['alpha', 'beta', 'gamma'];
    await combined(
      names.map((name) => richPdf(at(`${name}.pdf`), name)),
      at('all.pdf'),
      ['First', 'Zweite Größe', 'Third'],
    );
    expectSound(at('all.pdf'));
    const all = describePdf(at('all.pdf'));
    expect(all.pages).toHaveLength(9);
    expect(all.outline.map(({ title, page }) => [title, page])).toEqual([
      ['First', 1],
      ['Zweite Größe', 4],
      ['Third', 7],
    ]);
    for (const [file, name] of names.entries()) {
      const page = (n: number): number => file * 3 + n;
      for (const n of [1, 2, 3]) {
        expect(all.pages[page(n) - 1]?.text).toContain(`${name} page ${n}`);
        expect(all.pages[page(n) - 1]?.links).toEqual([page((n % 3) + 1), page(1), page(1)]);
      }
      expect(all.labels.slice(file * 3, file * 3 + 3)).toEqual(['i', 'ii', 'A-1']);
      expect(all.outline[file]?.below.map(({ title, page: to }) => [title, to])).toEqual(
        [1, 2, 3].map((n) => [`${name} entry ${n}`, page(n)]),
      );
      const suffix = file === 0 ? '' : `+${file}`;
      expect(all.fields).toMatchObject({
        [`f1${suffix}`]: { value: `${name} value 1`, pages: [page(1)] },
        [`both${suffix}`]: { value: `${name} both`, pages: [page(1), page(2)] },
      });
    }
    expect(Object.values(all.destinations)).toEqual([1, 1, 1, 2, 3, 4, 4, 4, 5, 6, 7, 7, 7, 8, 9]);
    expect(all.faults).toEqual([]);
    expect(all.orphanPages).toBe(0);
    const texts = names.flatMap((name) => [1, 2, 3].map((n) => `${name} page ${n}`));
    expect(all.tagged.flat()).toEqual(texts.map((text, index) => ({ text, page: index + 1 })));
  });

  it('stores shared objects once, and has the same bytes for the same documents', async () => {
    const at = workspace();
    const font = Buffer.alloc(40_000, 'shapes').toString('latin1');
    const path = rawPdf(at('one.pdf'), [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Resources << /Font << /F 5 0 R >> >> /Contents 4 0 R >>',
      rawStream('', 'BT /F 12 Tf (a) Tj ET'),
      '<< /Type /Font /Subtype /TrueType /BaseFont /Shapes /FontDescriptor 6 0 R >>',
      '<< /Type /FontDescriptor /FontName /Shapes /Flags 4 /FontFile2 7 0 R >>',
      rawStream('', font),
    ]);
    const written = async (count: number, to: string): Promise<number> => {
      await combined(
        Array.from({ length: count }, () => path),
        at(to),
      );
      return readFileSync(at(to)).length;
    };
    const [once, ten] = [await written(1, 'once.pdf'), await written(10, 'ten.pdf')];
    expect(once).toBeGreaterThan(font.length);
    expect(ten).toBeLessThan(font.length * 1.2);
    await written(10, 'again.pdf');
    expect(readFileSync(at('again.pdf')).equals(readFileSync(at('ten.pdf')))).toBe(true);
  });

  it('stores pictures with their colour profiles and masks once, unless these differ', async () => {
    const at = workspace();
    const noise = (seed: number, length: number): string =>
      Buffer.from(Array.from({ length }, (_, at) => (at * at * seed + at * 31) % 251)).toString('latin1');
    const dots = '/Type /XObject /Subtype /Image /Width 100 /Height 100 /BitsPerComponent 8';
    const document = (name: string, mask: number): string =>
      rawPdf(at(name), [
        '<< /Type /Catalog /Pages 2 0 R >>',
        '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
        '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Resources << /XObject << /X 5 0 R >> >> /Contents 4 0 R >>',
        rawStream('', 'q 99 0 0 99 0 0 cm /X Do Q'),
        rawStream(`${dots} /ColorSpace 6 0 R /SMask 8 0 R`, noise(7, 30_000)),
        '[/ICCBased 7 0 R]',
        rawStream('/N 3 /Alternate /DeviceRGB', noise(5, 3000)),
        rawStream(`${dots} /ColorSpace /DeviceGray`, noise(mask, 10_000)),
      ]);
    const paths = [document('a.pdf', 3), document('b.pdf', 3), document('c.pdf', 11), document('d.pdf', 3)];
    await combined(paths, at('all.pdf'));
    expectSound(at('all.pdf'));
    const images = run('pdfimages', '-list', at('all.pdf')).trim().split('\n').slice(2);
    const objects = images.map((line) => line.trim().split(/\s+/)[10]);
    // A picture and its mask on each page, with the number of the picture.
    expect(objects).toHaveLength(8);
    const [a, , b, , c, , d] = objects;
    expect([b, d]).toEqual([a, a]);
    expect(c).not.toBe(a);
    expect(readFileSync(at('all.pdf')).length).toBeLessThan(2 * 30_000 + 2 * 10_000 + 3000 + 8000);
  });

  it('accepts pages without tags, outline and names', async () => {
    const at = workspace();
    const three = [0, 1, 2].map((n) => textPages(at(`${n}.pdf`), [`Page of ${n}`]));
    const paths = Array.from({ length: 130 }, (_, index) => three[index % 3] ?? '');
    await combined(
      paths,
      at('all.pdf'),
      paths.map((_, index) => `Record ${index + 1}`),
    );
    expectSound(at('all.pdf'));
    const { outlines } = JSON.parse(run('qpdf', '--json', '--json-key=outlines', at('all.pdf'))) as {
      outlines: { title: string; destpageposfrom1: number }[];
    };
    expect(outlines.map(({ title, destpageposfrom1: page }) => `${title} ${page}`)).toEqual(
      paths.map((_, index) => `Record ${index + 1} ${index + 1}`),
    );
    expect(run('pdftotext', '-f', '130', at('all.pdf'), '-').trim()).toBe('Page of 0');
  });
});
