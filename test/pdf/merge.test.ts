import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { inMergeOrder, mergePdfs } from '../../packages/pdf/src/operations/merge.ts';
import { describePdf } from './describe.ts';
import {
  expectSound,
  ghostscript,
  pageTexts,
  rawPdf,
  rawStream,
  run,
  textPages,
  workspace,
} from './fixtures.ts';
import { richPdf } from './rich.ts';

describe('merging (I-29)', () => {
  it.each([
    ['names', 'names'],
    ['strings', 'strings'],
    ['names', 'strings'],
    ['strings', 'names'],
  ] as const)('leads bookmarks to their own pages if %s and %s of two files are equal', async (...kinds) => {
    const at = workspace();
    const inputs = kinds.map((kind, index) => {
      const [destinations, target] =
        kind === 'names'
          ? ['/Dests << /a [4 0 R /Fit] >>', '/a']
          : ['/Names << /Dests << /Names [(a) [4 0 R /Fit]] >> >>', '(a)'];
      const path = rawPdf(at(`${index}.pdf`), [
        `<< /Type /Catalog /Pages 2 0 R /Outlines 5 0 R ${destinations} >>`,
        '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 /MediaBox [0 0 200 200] >>',
        '<< /Type /Page /Parent 2 0 R >>',
        '<< /Type /Page /Parent 2 0 R >>',
        '<< /Type /Outlines /First 6 0 R /Last 6 0 R /Count 1 >>',
        `<< /Title (second page) /Parent 5 0 R /Dest ${target} >>`,
      ]);
      return { path };
    });
    await mergePdfs(inputs, at('m.pdf'));
    // MuPDF looks for names and strings in the same place, as other readers do.
    expect(run('mutool', 'show', at('m.pdf'), 'outline').match(/#page=\d+/g)).toEqual(['#page=2', '#page=4']);
  });

  it('keeps outlines, destinations, links, fields, labels, attachments, layers and tags of all three inputs', async () => {
    const at = workspace();
    const names = ['alpha', 'beta', 'gamma'];
    const inputs = names.map((name) => ({ path: richPdf(at(`${name}.pdf`), name) }));
    await mergePdfs(inputs, at('m.pdf'));
    expectSound(at('m.pdf'));
    const merged = describePdf(at('m.pdf'));

    expect(merged.pages).toHaveLength(9);
    names.forEach((name, file) => {
      const base = file * 3;
      const suffix = file === 0 ? '' : `+${file}`;
      const page = (n: number): number => base + n;
      // Text of the page, and the link by page, by string name and by old-style name.
      for (const n of [1, 2, 3]) {
        const found = merged.pages[base + n - 1];
        expect(found?.text).toContain(`${name} page ${n}`);
        expect(found?.text).toContain(`${name} shown ${n}`);
        expect(found?.links).toEqual([page((n % 3) + 1), page(1), page(1)]);
      }
      expect(merged.labels.slice(base, base + 3)).toEqual(['i', 'ii', 'A-1']);
      expect(merged.outline.slice(file * 3, file * 3 + 3)).toEqual([
        { title: `${name} entry 1`, page: page(1), below: [] },
        { title: `${name} entry 2`, page: page(2), below: [] },
        {
          title: `${name} entry 3`,
          page: page(3),
          below: [{ title: `${name} child`, page: page(3), below: [] }],
        },
      ]);
      expect(merged.destinations).toMatchObject({
        [`old${suffix}`]: page(1),
        [`first${suffix}`]: page(1),
        [`p1${suffix}`]: page(1),
        [`p2${suffix}`]: page(2),
        [`p3${suffix}`]: page(3),
      });
      expect(merged.fields).toMatchObject({
        [`f1${suffix}`]: { value: `${name} value 1`, pages: [page(1)] },
        [`f2${suffix}`]: { value: `${name} value 2`, pages: [page(2)] },
        [`f3${suffix}`]: { value: `${name} value 3`, pages: [page(3)] },
        [`both${suffix}`]: { value: `${name} both`, pages: [page(1), page(2)] },
      });
      expect(merged.attachments[file]).toMatchObject({ name: 'note.txt', content: `${name} note` });
      expect(merged.layers).toMatchObject({ [`${name} layer`]: true, [`${name} hidden`]: false });
      expect(merged.tagged[file]).toEqual(
        [1, 2, 3].map((n) => ({ text: `${name} page ${n}`, page: page(n) })),
      );
    });
    expect(Object.keys(merged.fields)).toHaveLength(12);
    expect(merged.title).toBe('alpha title');
    expect(merged.xmp).toContain('alpha title');
    expect(merged.catalog).toMatchObject({
      '/ViewerPreferences': { '/DisplayDocTitle': true },
      '/Lang': 'u:en',
    });
    expect(merged.orphanPages).toBe(0);
    expect(merged.faults).toEqual([]);
  });

  it('adds pages without other content to a first file that keeps all it has', async () => {
    const at = workspace();
    const marks = '[ /Title (One) /Page 1 /OUT pdfmark [ /Title (My title) /DOCINFO pdfmark';
    ghostscript(
      at('a.pdf'),
      `${marks} /Helvetica findfont 20 scalefont setfont 72 700 moveto (one) show showpage`,
    );
    const link = '[ /Rect [70 70 200 90] /Page';
    ghostscript(
      at('b.pdf'),
      `/Helvetica findfont 20 scalefont setfont ${link} 2 /Subtype /Link /ANN pdfmark 72 700 moveto (two) show showpage
       ${link} 1 /Subtype /Link /ANN pdfmark 72 700 moveto (three) show showpage`,
    );
    await mergePdfs([{ path: at('a.pdf') }, { path: at('b.pdf') }], at('m.pdf'));
    expectSound(at('m.pdf'));
    expect(pageTexts(at('m.pdf'))).toEqual(['one', 'two', 'three']);
    expect(describePdf(at('m.pdf'))).toMatchObject({
      title: 'My title',
      outline: [{ title: 'One', page: 1, below: [] }],
      pages: [{ links: [] }, { links: [3] }, { links: [2] }],
    });
  });

  it.each(['/Outlines', '/#4Futlines', '/Outli#6ees'])(
    'finds an outline under each encoding of its name: %s',
    async (key) => {
      const at = workspace();
      const bodies = [
        `<< /Type /Catalog /Pages 2 0 R ${key} 4 0 R >>`,
        '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
        '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] >>',
        '<< /First 5 0 R /Last 5 0 R /Count 1 >>',
        '<< /Title (Entry) /Parent 4 0 R /Dest [3 0 R /Fit] >>',
      ];
      const [plain, marked] = [textPages(at('a.pdf'), ['one']), rawPdf(at('b.pdf'), bodies)];
      await mergePdfs([{ path: plain }, { path: marked }], at('m.pdf'));
      expectSound(at('m.pdf'));
      expect(describePdf(at('m.pdf')).outline).toEqual([{ title: 'Entry', page: 2, below: [] }]);
    },
  );

  it('copies a stream that cannot be decoded unchanged', async () => {
    const at = workspace();
    const bodies = [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Contents 4 0 R >>',
      rawStream('/Filter /LZWDecode', 'no LZW at all, \x00\xff\xff\xff\xff'),
    ];
    const input = { path: rawPdf(at('a.pdf'), bodies) };
    await mergePdfs([input, { path: textPages(at('b.pdf'), ['two']) }], at('m.pdf'));
    expect(describePdf(at('m.pdf')).pages).toHaveLength(2);
    expect(readFileSync(at('m.pdf'), 'latin1')).toContain('no LZW at all');
  });

  it('merges a file with a copy of itself', async () => {
    const at = workspace();
    const inputs = ['a.pdf', 'b.pdf'].map((name) => ({ path: richPdf(at(name), 'alpha') }));
    await mergePdfs(inputs, at('m.pdf'));
    expectSound(at('m.pdf'));
    const merged = describePdf(at('m.pdf'));
    expect(merged.outline).toHaveLength(6);
    expect(Object.keys(merged.fields)).toHaveLength(8);
    expect(merged.pages[5]?.links).toEqual([4, 4, 4]);
  });

  it('merges files of Ghostscript and pdf-lib, with outlines of all', async () => {
    const at = workspace();
    const chapters = (name: string): string =>
      ghostscript(
        at(`${name}.pdf`),
        `[ /Title (${name} 1) /Page 1 /Count 1 /OUT pdfmark [ /Title (${name} 1.1) /Page 2 /OUT pdfmark
         /Helvetica findfont 20 scalefont setfont 72 700 moveto (${name} a) show
         [ /Dest /here /View [/XYZ null null null] /DEST pdfmark showpage
         [ /Rect [70 70 200 90] /Dest /here /Subtype /Link /ANN pdfmark 72 700 moveto (${name} b) show showpage`,
      );
    await mergePdfs([{ path: chapters('x') }, { path: chapters('y') }], at('m.pdf'));
    expectSound(at('m.pdf'));
    const merged = describePdf(at('m.pdf'));
    expect(merged.outline).toEqual([
      { title: 'x 1', page: 1, below: [{ title: 'x 1.1', page: 2, below: [] }] },
      { title: 'y 1', page: 3, below: [{ title: 'y 1.1', page: 4, below: [] }] },
    ]);
    expect(merged.pages.map(({ links }) => links)).toEqual([[], [1], [], [3]]);
  });
});

describe('inputs of a merge', () => {
  it.each([
    [
      ['file2', 'file0', 'file10', 'file1'],
      ['file0', 'file1', 'file2', 'file10'],
    ],
    [
      ['file2', 'file1', 'other'],
      ['file2', 'file1', 'other'],
    ],
    [
      ['file', 'file', 'file'],
      ['file', 'file', 'file'],
    ],
    [
      ['file2', 'file2', 'file1'],
      ['file1', 'file2', 'file2'],
    ],
  ])('orders %j as %j', (fields, expected) => {
    expect(inMergeOrder(fields.map((field) => ({ field }))).map(({ field }) => field)).toEqual(expected);
  });

  it('needs at least two', async () => {
    const at = workspace();
    const merging = mergePdfs([{ path: textPages(at('a.pdf'), ['one']) }], at('m.pdf'));
    await expect(merging).rejects.toMatchObject({ code: 'missing_field' });
  });

  it('names the input that cannot be read', async () => {
    const at = workspace();
    const good = { path: textPages(at('a.pdf'), ['one']), name: 'file1' };
    writeFileSync(at('x.pdf'), 'no PDF at all');
    run('qpdf', good.path, '--encrypt', 'secret', 'owner', '256', '--', at('e.pdf'));
    const bad = mergePdfs([good, { path: at('x.pdf'), name: 'file2' }], at('m.pdf'));
    await expect(bad).rejects.toMatchObject({ code: 'pdf_invalid', faults: [{ field: 'file2' }] });
    const locked = mergePdfs([good, { path: at('e.pdf'), name: 'file2' }], at('m.pdf'));
    await expect(locked).rejects.toMatchObject({
      code: 'pdf_password_required',
      faults: [{ field: 'file2' }],
    });
    await mergePdfs([good, { path: at('e.pdf'), password: 'secret' }], at('m.pdf'));
    expect(pageTexts(at('m.pdf'))).toEqual(['one', 'one']);
  });

  it('merges more small files than a process may hold open', async () => {
    const at = workspace();
    const path = textPages(at('a.pdf'), ['one']);
    const inputs = Array.from({ length: 300 }, (_, index) => {
      const copy = at(`${index}.pdf`);
      run('cp', path, copy);
      return { path: copy };
    });
    await mergePdfs(inputs, at('m.pdf'));
    expect(pageTexts(at('m.pdf'))).toHaveLength(300);
  });
});
