import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { mergePdfs } from '../../packages/pdf/src/operations/merge.ts';
import { withRepair } from '../../packages/pdf/src/operations/repair.ts';
import { splitPdf } from '../../packages/pdf/src/operations/split.ts';
import { compressPdf, inspectPdf } from '../../packages/pdf/src/index.ts';
import { describePdf } from './describe.ts';
import { expectSound, pageTexts, rawPdf, rawStream, textPages, workspace } from './fixtures.ts';
import { richPdf } from './rich.ts';

/** The file without its cross-references. */
function withoutCrossReferences(path: string, output: string): string {
  const text = readFileSync(path, 'latin1');
  writeFileSync(
    output,
    `${text.slice(0, text.lastIndexOf('xref\n', text.lastIndexOf('startxref') - 1))}${text.slice(text.lastIndexOf('trailer'), text.lastIndexOf('startxref'))}`,
    'latin1',
  );
  return output;
}

describe('damaged documents (I-33)', () => {
  it('are repaired with all of their content if the cross-references are lost', async () => {
    const at = workspace();
    const sound = richPdf(at('a.pdf'), 'alpha');
    const path = withoutCrossReferences(sound, at('b.pdf'));
    await expect(inspectPdf(path)).rejects.toMatchObject({ code: 'pdf_damaged' });
    await withRepair([{ path }], at('.'), {}, ([input = { path }]) => splitPdf(input, [1, 3], at('s.pdf')));
    await splitPdf({ path: sound }, [1, 3], at('sound.pdf'));
    expectSound(at('s.pdf'));
    // PDFium does not find the Info dictionary again; the title is in XMP, too.
    const same = { title: '', catalog: {} };
    expect({ ...describePdf(at('s.pdf')), ...same }).toEqual({ ...describePdf(at('sound.pdf')), ...same });
  });

  it('are repaired among others of a merge', async () => {
    const at = workspace();
    const good = textPages(at('good.pdf'), ['good']);
    const bad = withoutCrossReferences(textPages(at('x.pdf'), ['mended']), at('bad.pdf'));
    await withRepair([{ path: good }, { path: bad, name: 'file2' }], at('.'), {}, (inputs) =>
      mergePdfs(inputs, at('m.pdf')),
    );
    expect(pageTexts(at('m.pdf'))).toEqual(['good', 'mended']);
  });

  it('are refused if no content is left, and the error of a merge names the file', async () => {
    const at = workspace();
    const good = textPages(at('good.pdf'), ['good']);
    writeFileSync(at('bad.pdf'), readFileSync(good).subarray(0, 200));
    const inputs = [{ path: good }, { path: at('bad.pdf'), name: 'file2' }];
    const merging = withRepair(inputs, at('.'), {}, (readable) => mergePdfs(readable, at('m.pdf')));
    await expect(merging).rejects.toMatchObject({ code: 'pdf_damaged', faults: [{ field: 'file2' }] });
  });

  it('keep a stream that cannot be decoded unchanged', async () => {
    const at = workspace();
    const page =
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Contents 4 0 R /Resources << /XObject << /I 5 0 R >> >> >>';
    const image =
      '/Type /XObject /Subtype /Image /Width 10 /Height 10 /BitsPerComponent 8 /ColorSpace /DeviceGray /Filter /FlateDecode';
    const bodies = [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
      page,
      rawStream('', `BT ET ${'% comment\n'.repeat(300)}`),
      rawStream(image, 'this is no zlib data'),
    ];
    const path = rawPdf(at('a.pdf'), bodies);
    await withRepair([{ path }], at('.'), {}, ([input = { path }]) => compressPdf(input.path, at('c.pdf')));
    expect(readFileSync(at('c.pdf')).length).toBeLessThan(readFileSync(path).length);
    expect(readFileSync(at('c.pdf'), 'latin1')).toContain('this is no zlib data');
  });
});

describe('hostile documents', () => {
  const catalog = '<< /Type /Catalog /Pages 2 0 R >>';
  const limits = { timeout: 120_000 };

  it('with a circular page tree are refused or read, within seconds', async () => {
    const at = workspace();
    const path = rawPdf(at('a.pdf'), [catalog, '<< /Type /Pages /Count 1 /Kids [2 0 R 2 0 R] >>']);
    const outcome = await settled(() =>
      withRepair([{ path }], at('.'), { limits }, ([input = { path }]) =>
        splitPdf(input, [1], at('s.pdf'), { limits }),
      ),
    );
    expect(outcome).toMatch(/^(pages_invalid|pdf_)/);
  });

  it('with a circular outline are read', async () => {
    const at = workspace();
    const path = rawPdf(at('a.pdf'), [
      '<< /Type /Catalog /Pages 2 0 R /Outlines 4 0 R >>',
      '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 10 10] >>',
      '<< /First 5 0 R /Last 5 0 R >>',
      '<< /Title (a) /Parent 4 0 R /Next 5 0 R /First 4 0 R /Dest [3 0 R /Fit] >>',
    ]);
    await splitPdf({ path }, [1], at('s.pdf'), { limits });
    expectSound(at('s.pdf'));
    expect(describePdf(at('s.pdf')).outline).toEqual([{ title: 'a', page: 1, below: [] }]);
  });

  it('nested a hundred thousand levels deep are refused', async () => {
    const at = workspace();
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const path = rawPdf(at('a.pdf'), [
      `<< /Type /Catalog /Pages 2 0 R /X ${deep} >>`,
      '<< /Type /Pages /Count 0 /Kids [] >>',
    ]);
    const outcome = await settled(() => inspectPdf(path, { limits }));
    expect(outcome).toMatch(/^(done|pdf_)/);
    expect(await settled(() => compressPdf(path, at('c.pdf'), {}, { limits }))).toMatch(/^(done|pdf_)/);
  });

  it('with parents that are a chain of references without end are read', async () => {
    const at = workspace();
    const chain = Array.from(
      { length: 5000 },
      (_, n) => `<< /T (x) /Kids [${n + 5} 0 R] /Parent ${n + 5} 0 R >>`,
    );
    const path = rawPdf(at('a.pdf'), [
      '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [4 0 R] >> >>',
      '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 10 10] >>',
      ...chain,
      'null',
    ]);
    expect(await settled(() => splitPdf({ path }, [1], at('s.pdf'), { limits }))).toMatch(/^(done|pdf_)/);
  });

  it('are ended at the limits if they inflate to a gigabyte, and the next call succeeds', async () => {
    const at = workspace();
    const { deflateSync } = await import('node:zlib');
    const inner = deflateSync(Buffer.alloc(2 ** 28));
    const bomb = deflateSync(inner).toString('latin1');
    const page = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 10 10] /Contents 4 0 R >>';
    const path = rawPdf(at('a.pdf'), [
      catalog,
      '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
      page,
      rawStream('/Filter [/FlateDecode /FlateDecode]', bomb),
    ]);
    const outcome = await settled(() =>
      compressPdf(path, at('c.pdf'), { quality: 'low' }, { limits: { timeout: 30_000 } }),
    );
    expect(outcome).toMatch(/^(done|pdf_|deadline_exceeded)/);
    expect((await inspectPdf(path)).pages).toBe(1);
  });
});

/** `done`, or the code of the error. */
async function settled(work: () => Promise<unknown>): Promise<string> {
  try {
    await work();
    return 'done';
  } catch (error) {
    return String((error as { code?: unknown }).code ?? error);
  }
}
