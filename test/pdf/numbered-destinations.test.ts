import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PdfCombiner } from '../../packages/pdf/src/combine/index.ts';
import { mergePdfs } from '../../packages/pdf/src/operations/merge.ts';
import { splitPdf } from '../../packages/pdf/src/operations/split.ts';
import { processPdfs, type Step } from '../../packages/pdf/src/steps/index.ts';
import { describePdf } from './describe.ts';
import { expectSound, rawPdf, run, textPages, workspace } from './fixtures.ts';

/**
 * Destinations whose pages are numbers, as wkhtmltopdf writes them: readers count from the first page of the file,
 * although ISO 32000 has them in destinations of other files only.
 */

/** Three pages; links and the outline lead to pages by number. */
function numbered(path: string): string {
  const link = (target: string): string => `<< /Type /Annot /Subtype /Link /Rect [9 9 29 29] ${target} >>`;
  const item = (rest: string): string => `<< /Parent 6 0 R ${rest} >>`;
  return rawPdf(path, [
    '<< /Type /Catalog /Pages 2 0 R /Outlines 6 0 R /OpenAction [2 /Fit] /Dests 7 0 R /Names << /Dests << /Names [(tree) 8 0 R] >> >> >>',
    '<< /Type /Pages /Kids [3 0 R 4 0 R 5 0 R] /Count 3 /MediaBox [0 0 200 200] >>',
    '<< /Type /Page /Parent 2 0 R /Annots [10 0 R 11 0 R 12 0 R 13 0 R 14 0 R 15 0 R] >>',
    '<< /Type /Page /Parent 2 0 R >>',
    '<< /Type /Page /Parent 2 0 R >>',
    '<< /Type /Outlines /First 16 0 R /Last 19 0 R /Count 4 >>',
    '<< /old [1 /XYZ 0 100 0] >>',
    '<< /D [2 /XYZ 0 100 0] >>',
    '[1 /Fit]',
    link('/Dest [2 /Fit]'),
    link('/A << /S /GoTo /D [1 /Fit] >>'),
    link('/Dest /old'),
    link('/A << /S /GoTo /D (tree) >>'),
    link('/Dest 9 0 R'),
    link('/A << /S /GoToR /F (other.pdf) /D [1 /Fit] >>'),
    item('/Title (direct) /Dest [1 /Fit] /Next 17 0 R'),
    item('/Title (action) /A << /S /GoTo /D [2 /Fit] >> /Prev 16 0 R /Next 18 0 R'),
    item('/Title (other) /A << /S /GoToR /F (other.pdf) /D [1 /Fit] >> /Prev 17 0 R /Next 19 0 R'),
    item('/Title (web) /A << /S /URI /URI (http://x.test) >> /Prev 18 0 R'),
  ]);
}

/** The targets of the links of a page and of the outline. */
function targetsOf(path: string, page: number): { links: unknown; outline: unknown } {
  expectSound(path);
  const { pages, outline, faults } = describePdf(path);
  expect(faults).toEqual([]);
  const entries = outline.flatMap((entry) => [entry, ...entry.below]);
  return {
    links: pages[page - 1]?.links,
    outline: Object.fromEntries(entries.map(({ title, page: to }) => [title, to])),
  };
}

async function step(path: string, output: string, step: Step): Promise<void> {
  const rest = { fonts: null, breakSignatures: false, place: null };
  await processPdfs({ inputs: [{ path }], output, steps: [step], ...rest });
}

describe('destinations by page number', () => {
  it('lead to their pages after merging', async () => {
    const at = workspace();
    const inputs = [{ path: textPages(at('two.pdf'), ['x', 'y']) }, { path: numbered(at('a.pdf')) }];
    const expected = {
      links: [5, 4, 4, 5, 4, null],
      outline: { direct: 4, action: 5, other: null, web: null },
    };
    await mergePdfs(inputs, at('m.pdf'));
    expect(targetsOf(at('m.pdf'), 3)).toEqual(expected);
  });

  it('of other files keep their numbers', async () => {
    const at = workspace();
    await mergePdfs([{ path: numbered(at('a.pdf')) }, { path: numbered(at('b.pdf')) }], at('m.pdf'));
    const plain = run('qpdf', '--qdf', '--object-streams=disable', at('m.pdf'), '-');
    const remote = plain.match(/\/D \[\s+\w+\s+\/Fit\s+\]\s+\/F \(other/g);
    expect(remote?.map((text) => /\w+(?=\s+\/Fit)/.exec(text)?.[0])).toEqual(['1', '1', '1', '1']);
    expect(plain).not.toMatch(/null\s+\/Fit/);
  });

  it('lead to their pages in a selection, and nowhere if they are not in it', async () => {
    const at = workspace();
    const path = numbered(at('a.pdf'));
    await splitPdf({ path }, [3, 1, 1], at('s.pdf'));
    const split = { links: [1, null, null, 1, null, null], outline: { action: 1 } };
    expect(targetsOf(at('s.pdf'), 2)).toEqual(split);
    expect(targetsOf(at('s.pdf'), 3)).toEqual(split);
    const [opened] = describePdf(at('s.pdf')).catalog['/OpenAction'] as string[];
    const first = JSON.parse(run('qpdf', '--json', '--json-key=pages', at('s.pdf'))) as {
      pages: { object: string }[];
    };
    expect(opened).toBe(first.pages[0]?.object);
    await step(path, at('p.pdf'), { name: 'pages', options: { pages: '1,3' } });
    expect(targetsOf(at('p.pdf'), 1)).toEqual({
      links: [2, null, null, 2, null, null],
      outline: { action: 2, other: null, web: null },
    });
  });

  it('lead to the sheets of their pages after imposition', async () => {
    const at = workspace();
    await step(numbered(at('a.pdf')), at('i.pdf'), { name: 'impose', options: { columns: 2, rows: 1 } });
    const { links, outline } = targetsOf(at('i.pdf'), 1);
    expect(links).toEqual([2, 1, 1, 2, 1, null]);
    expect(outline).toEqual({ direct: 1, action: 2, other: null, web: null });
    expect(run('qpdf', '--qdf', '--object-streams=disable', at('i.pdf'), '-')).toMatch(/\[\s+1\s+\/Fit\s+\]/);
  });

  it('lead to their pages in one file of many documents', async () => {
    const at = workspace();
    const pieces: Buffer[] = [];
    const combiner = new PdfCombiner((bytes) => {
      pieces.push(Buffer.from(bytes));
      return Promise.resolve();
    });
    for (const name of ['a', 'b']) await combiner.add(readFileSync(numbered(at(name))), () => name);
    await combiner.finish('all');
    writeFileSync(at('all.pdf'), Buffer.concat(pieces));
    expect(targetsOf(at('all.pdf'), 4)).toEqual({
      links: [6, 5, 5, 6, 5, null],
      outline: { a: 1, b: 4, direct: 5, action: 6, other: null, web: null },
    });
  });
});
