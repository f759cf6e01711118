import { readFileSync, writeFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { PDFDocument } from 'pdf-lib';
import { describe, expect, it } from 'vitest';
import { DRAWINGS } from '../../bench/hostile-pdfs/drawings.ts';
import { TREES } from '../../bench/hostile-pdfs/trees.ts';
import { editPdfMetadata } from '../../packages/pdf/src/operations/metadata.ts';
import { mergePdfs } from '../../packages/pdf/src/operations/merge.ts';
import { withRepair } from '../../packages/pdf/src/operations/repair.ts';
import { splitPdf } from '../../packages/pdf/src/operations/split.ts';
import { compressPdf, conformPdf, inspectPdf, selectPages } from '../../packages/pdf/src/index.ts';
import { expectSound, rawPdf, rawStream, workspace } from './fixtures.ts';

/** Small documents that mean to be expensive end in a clear answer: `pdf_too_complex`, or a document. */

const CATALOG = '<< /Type /Catalog /Pages 2 0 R >>';
const TREE = '<< /Type /Pages /Count 1 /Kids [3 0 R] >>';
const PAGE = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 10 10] >>';

/** A tree whose every node has the next one twice. */
function sharing(levels: number, count: (level: number) => string): string[] {
  return [
    CATALOG,
    ...Array.from(
      { length: levels },
      (_, n) => `<< /Type /Pages ${count(levels - n)} /Kids [${n + 3} 0 R ${n + 3} 0 R] >>`,
    ),
    PAGE,
  ];
}

describe(
  'objects that refer to themselves, or share what they refer to, many times',
  { timeout: 10_000 },
  () => {
    it.each([
      ...Object.entries(TREES).filter(([name]) => /^(?:actions|default resources)/.test(name)),
      ['order of layers in a loop', DRAWINGS['order of layers in a loop'] ?? ((): Buffer => Buffer.alloc(0))],
    ] as const)('are merged: %s', async (_, make) => {
      const at = workspace();
      const path = at('a.pdf');
      writeFileSync(path, make());
      await mergePdfs([{ path }, { path }], at('m.pdf'));
      expect((await inspectPdf(at('m.pdf'))).pages).toBe(2);
      expect(readFileSync(at('m.pdf')).length).toBeLessThan(40_000);
      await splitPdf({ path: at('m.pdf') }, [1], at('s.pdf'));
    });

    it('are checked: inks defined by themselves', async () => {
      const at = workspace();
      writeFileSync(at('a.pdf'), TREES['inks defined by themselves, ten times each']?.() ?? '');
      const levels = ['pdf/a-2b'] as const;
      const { violations } = await conformPdf(at('a.pdf'), at('c.pdf'), { levels, onViolation: 'warn' });
      expect(JSON.stringify(violations)).toContain('6.2.4');
    });
  },
);

const tooComplex = { code: 'pdf_too_complex' };

describe('page trees', () => {
  it.each([
    ['with counts', (level: number) => `/Count ${2 ** level}`],
    ['without', () => ''],
    ['with counts that lie', () => '/Count 1'],
  ])('are refused if they share their branches thirty levels deep, %s', async (_, count) => {
    const at = workspace();
    const path = rawPdf(at('a.pdf'), sharing(30, count));
    const work = withRepair([{ path }], at('.'), {}, ([input = { path }]) =>
      splitPdf(input, [1], at('s.pdf')),
    );
    await expect(work).rejects.toMatchObject(tooComplex);
    await expect(inspectPdf(path)).rejects.toMatchObject(tooComplex);
    await expect(selectPages(path, at('s.pdf'), [1])).rejects.toMatchObject(tooComplex);
    await expect(mergePdfs([{ path }, { path }], at('m.pdf'))).rejects.toMatchObject(tooComplex);
  });

  it('are read if they have a page twice', async () => {
    const at = workspace();
    const path = rawPdf(at('a.pdf'), [CATALOG, TREE.replace('3 0 R', '3 0 R 3 0 R'), PAGE]);
    expect((await inspectPdf(path)).pages).toBe(2);
  });

  it('in compressed objects are checked, too', async () => {
    const at = workspace();
    const plain = rawPdf(
      at('a.pdf'),
      sharing(30, () => ''),
    );
    // qpdf 12 follows the tree, which pdf-lib does not where nobody asks for a page.
    const document = await PDFDocument.load(readFileSync(plain), { updateMetadata: false });
    writeFileSync(at('b.pdf'), await document.save({ useObjectStreams: true, addDefaultPage: false }));
    await expect(inspectPdf(at('b.pdf'))).rejects.toMatchObject(tooComplex);
  });

  it('a page that is there three hundred thousand times is refused', async () => {
    const at = workspace();
    const path = rawPdf(at('a.pdf'), [
      CATALOG,
      `<< /Type /Pages /Kids [${'3 0 R '.repeat(300_000)}] >>`,
      PAGE,
    ]);
    await expect(inspectPdf(path)).rejects.toMatchObject(tooComplex);
  });
});

describe('streams', () => {
  it('content that inflates beyond the limit is refused when it is read', async () => {
    const at = workspace();
    const bomb = deflateSync(deflateSync(Buffer.alloc(160e6, 0x20), { level: 1 })).toString('latin1');
    const path = rawPdf(at('a.pdf'), [
      CATALOG,
      TREE,
      PAGE.replace('>>', '/Contents 4 0 R >>'),
      rawStream('/Filter [/FlateDecode /FlateDecode]', bomb),
    ]);
    await expect(compressPdf(path, at('c.pdf'), { quality: 'medium' })).rejects.toMatchObject(tooComplex);
    expect((await inspectPdf(path)).pages).toBe(1);
  });

  it.each([
    ['of 160 MB', rawStream('/Filter /FlateDecode', deflateSync(Buffer.alloc(160e6)).toString('latin1'))],
    ['of elements without end', rawStream('', '<a/>'.repeat(300_000))],
  ])('an XMP packet %s is refused', async (_, packet) => {
    const at = workspace();
    const path = rawPdf(at('a.pdf'), [CATALOG.replace('>>', '/Metadata 4 0 R >>'), TREE, PAGE, packet]);
    await expect(editPdfMetadata({ path }, at('m.pdf'), { Title: 'x' })).rejects.toMatchObject(tooComplex);
  });
});

describe('lists', () => {
  it('with more entries than a call can have arguments are read', async () => {
    const at = workspace();
    const elements = 150_000;
    const path = rawPdf(at('a.pdf'), [
      '<< /Type /Catalog /Pages 2 0 R /StructTreeRoot 4 0 R >>',
      TREE,
      PAGE.replace('>>', '/StructParents 0 >>'),
      '<< /Type /StructTreeRoot /K 5 0 R /ParentTree << /Nums [0 [5 0 R]] >> >>',
      `<< /Type /StructElem /S /P /P 4 0 R /Pg 3 0 R /K [${'0 '.repeat(elements)}] >>`,
    ]);
    await mergePdfs([{ path }, { path }], at('m.pdf'));
    expectSound(at('m.pdf'));
  });
});
