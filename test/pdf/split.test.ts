import { readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { pagesOfGroup } from '../../packages/pdf/src/operations/groups.ts';
import { splitPdf, splitPdfToZip } from '../../packages/pdf/src/operations/split.ts';
import { describePdf } from './describe.ts';
import { expectSound, rawPdf, ghostscript, pageTexts, run, textPages, workspace } from './fixtures.ts';
import { richPdf } from './rich.ts';

describe('groups (I-28)', () => {
  it.each([
    [[2], [2]],
    [
      [2, 4],
      [2, 3, 4],
    ],
    [[3, 3], [3]],
    [
      [5, 1, 1],
      [5, 1, 1],
    ],
  ])('%j means pages %j', (group, pages) => {
    expect(pagesOfGroup(group, 5, 'splits')).toEqual(pages);
  });

  it.each([[[]], [[0]], [[6]], [[-1]], [[1, 6]], [[4, 2]], [[1, 2, 9]], [[1.5]]])(
    '%j is refused',
    (group) => {
      expect(() => pagesOfGroup(group, 5, 'splits[1]')).toThrow(
        expect.objectContaining({
          code: 'pages_invalid',
          faults: [expect.objectContaining({ field: 'splits[1]' })],
        }),
      );
    },
  );
});

describe('splitting', () => {
  it('keeps the outline, destinations, fields, labels, layers and tags of the selected pages only', async () => {
    const at = workspace();
    const path = richPdf(at('a.pdf'), 'alpha');
    await splitPdf({ path }, [3, 2, 2], at('s.pdf'));
    expectSound(at('s.pdf'));
    const part = describePdf(at('s.pdf'));
    expect(part.pages.map(({ text }) => /page \d/.exec(text)?.[0])).toEqual(['page 3', 'page 2', 'page 2']);
    // Page 1 is not there: a link to it leads nowhere.
    expect(part.pages[1]?.links).toEqual([1, null, null]);
    expect(part.labels).toEqual(['A-1', 'ii', 'ii']);
    expect(part.outline).toEqual([
      { title: 'alpha entry 2', page: 2, below: [] },
      { title: 'alpha entry 3', page: 1, below: [{ title: 'alpha child', page: 1, below: [] }] },
    ]);
    expect(part.destinations).toEqual({ p2: 2, p3: 1 });
    expect(part.fields).toEqual({
      f3: { value: 'alpha value 3', pages: [1] },
      f2: { value: 'alpha value 2', pages: [2] },
      both: { value: 'alpha both', pages: [2] },
      'f2+1': { value: 'alpha value 2', pages: [3] },
      'both+1': { value: 'alpha both', pages: [3] },
    });
    expect(part.layers).toEqual({ 'alpha layer': true, 'alpha hidden': false });
    expect(part.tagged).toEqual([
      [
        { text: 'alpha page 3', page: 1 },
        { text: 'alpha page 2', page: 2 },
      ],
    ]);
    expect(part.title).toBe('alpha title');
    expect(part.xmp).toContain('alpha title');
    expect(part.attachments).toEqual([]);
    expect(part.orphanPages).toBe(0);
    expect(part.faults).toEqual([]);
    expect(contentOf(at('s.pdf'))).not.toMatch(/alpha (page|value|shown) 1/);
  });

  it('removes all content of other pages, also objects without a reference', async () => {
    const at = workspace();
    const path = richPdf(at('a.pdf'), 'alpha');
    for (const pages of [[1], [2], [3]]) {
      await splitPdf({ path }, pages, at('s.pdf'));
      const others = [1, 2, 3].filter((page) => !pages.includes(page)).join('');
      expect(contentOf(at('s.pdf'))).not.toMatch(new RegExp(`alpha (page|value|shown|entry) [${others}]`));
    }
  });

  it('carries no picture of another page, also where all pages share their resources', async () => {
    const at = workspace();
    run('convert', '-size', '400x400', 'plasma:', '-depth', '8', at('p.png'));
    run('convert', '-size', '400x400', 'plasma:', '-depth', '8', at('q.png'));
    run('img2pdf', at('p.png'), at('q.png'), '-o', at('two.pdf'));
    await splitPdf({ path: at('two.pdf') }, [1], at('s.pdf'));
    expect(run('pdfimages', '-list', at('s.pdf')).trim().split('\n')).toHaveLength(3);
    expect(statSync(at('s.pdf')).size).toBeLessThan(statSync(at('two.pdf')).size * 0.7);
  });

  it('keeps title and appearance of a document that has only pages', async () => {
    const at = workspace();
    ghostscript(
      at('a.pdf'),
      '[ /Title (My title) /DOCINFO pdfmark /Helvetica findfont 20 scalefont setfont 72 700 moveto (one) show showpage 72 700 moveto (two) show showpage',
    );
    await splitPdf({ path: at('a.pdf') }, [2], at('s.pdf'));
    expectSound(at('s.pdf'));
    expect(pageTexts(at('s.pdf'))).toEqual(['two']);
    expect(describePdf(at('s.pdf')).title).toBe('My title');
  });
});

describe('split to a ZIP', () => {
  it('has one PDF for each group, named in order, each the same as from split', async () => {
    const at = workspace();
    const path = richPdf(at('a.pdf'), 'alpha', 5);
    const groups = [[1, 2], [5], [4, 1, 1]];
    await splitPdfToZip({ path }, groups, at('z.zip'), { name: 'Report é', scratch: at('.') });
    run('unzip', '-q', at('z.zip'), '-d', at('out'));
    const files = ['Report é-1.pdf', 'Report é-2.pdf', 'Report é-3.pdf'].map((name) => at(`out/${name}`));
    expect(
      files.map((file) =>
        describePdf(file)
          .pages.map(({ text }) => /page (\d)/.exec(text)?.[1])
          .join(''),
      ),
    ).toEqual(['12', '5', '411']);
    for (const [index, file] of files.entries()) {
      expectSound(file);
      await splitPdf({ path }, groups[index] ?? [], at('single.pdf'));
      expect({ ...describePdf(file), xmp: '', catalog: {} }).toEqual({
        ...describePdf(at('single.pdf')),
        xmp: '',
        catalog: {},
      });
    }
  });

  it('returns the same for equal ranges in one pass as for the ranges one by one', async () => {
    const at = workspace();
    const path = richPdf(at('a.pdf'), 'alpha', 11);
    const groups = [
      [1, 4],
      [5, 8],
      [9, 11],
    ];
    await splitPdfToZip({ path }, groups, at('z.zip'), { name: 'a', scratch: at('.') });
    run('unzip', '-q', at('z.zip'), '-d', at('out'));
    for (const [index, group] of groups.entries()) {
      await splitPdf({ path }, group, at('single.pdf'));
      const part = at(`out/a-${index + 1}.pdf`);
      expectSound(part);
      expect({ ...describePdf(part), catalog: {} }).toEqual({
        ...describePdf(at('single.pdf')),
        catalog: {},
      });
    }
  });

  it('pads numbers with zeros, so that names sort in order', async () => {
    const at = workspace();
    const path = textPages(
      at('a.pdf'),
      Array.from({ length: 12 }, (_, index) => `page ${index + 1}`),
    );
    const groups = Array.from({ length: 12 }, (_, index) => [index + 1]);
    await splitPdfToZip({ path }, groups, at('z.zip'), { name: 'a', scratch: at('.') });
    const names = run('unzip', '-Z1', at('z.zip')).trim().split('\n');
    expect(names).toEqual(names.toSorted());
    expect(names).toHaveLength(12);
    run('unzip', '-q', at('z.zip'), '-d', at('out'));
    expect(pageTexts(at('out/a-03.pdf'))).toEqual(['page 3']);
  });

  it('names the wrong group', async () => {
    const at = workspace();
    const path = textPages(at('a.pdf'), ['one']);
    const splitting = splitPdfToZip({ path }, [[1], [2]], at('z.zip'), { name: 'a', scratch: at('.') });
    await expect(splitting).rejects.toMatchObject({
      code: 'pages_invalid',
      faults: [{ field: 'splits[1]' }],
    });
  });
});

/** Everything that is in the file, every stream uncompressed and every object written out. */
function contentOf(path: string): string {
  const plain = `${path}.plain`;
  // Objects nothing refers to are kept, so that they are seen.
  run('qpdf', '--qdf', '--preserve-unreferenced', '--object-streams=disable', path, plain);
  return readFileSync(plain, 'latin1');
}

/** Pages of nothing, below a tree of two levels. */
function manyPages(path: string, count: number): string {
  const nodes = count / 100;
  const kids = (first: number, number: number): string =>
    Array.from({ length: number }, (_, index) => `${first + index} 0 R`).join(' ');
  return rawPdf(path, [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${count} /Kids [${kids(3, nodes)}] /MediaBox [0 0 99 99] >>`,
    ...Array.from(
      { length: nodes },
      (_, n) => `<< /Type /Pages /Parent 2 0 R /Count 100 /Kids [${kids(3 + nodes + n * 100, 100)}] >>`,
    ),
    ...Array.from({ length: count }, (_, n) => `<< /Type /Page /Parent ${3 + Math.floor(n / 100)} 0 R >>`),
  ]);
}

it('extracts a page from four times as many pages in about four times the processor time', async () => {
  const at = workspace();
  const timeFor = async (count: number): Promise<number> => {
    const path = manyPages(at(`${count}.pdf`), count);
    const before = process.cpuUsage();
    await splitPdf({ path }, [count], at('s.pdf'), { limits: { timeout: 120_000 } });
    const { user, system } = process.cpuUsage(before);
    expectSound(at('s.pdf'));
    return user + system;
  };
  const few = await timeFor(4_000);
  expect((await timeFor(16_000)) / few).toBeLessThan(8);
});
