import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { withAlternateText } from '../../packages/pdf/src/conformance/alternate-text.ts';
import { conform } from '../../packages/pdf/src/conformance/index.ts';
import { openPdf } from '../../packages/pdf/src/model/index.ts';
import { pagePixels, plainPdf } from '../conformance/look.ts';
import { expectSound, rawPdf, rawStream, run, workspace } from './fixtures.ts';

/** What conformance mends (I-43). `npm run verify:conformance` has veraPDF judge a whole corpus. */

/** A document of one page with a paragraph of a type, and what the types of its tags stand for. */
function tagged(type: string, roles: string, untagged = '', trailer = ''): Buffer {
  const path = rawPdf(
    workspace()('tagged.pdf'),
    [
      '<< /Type /Catalog /Pages 2 0 R /StructTreeRoot 4 0 R /MarkInfo << /Marked true >> /Lang (en) >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /StructParents 0 /Contents 7 0 R >>',
      `<< /Type /StructTreeRoot /K 5 0 R /ParentTree 6 0 R /RoleMap << ${roles} >> >>`,
      `<< /Type /StructElem /S /${type} /P 4 0 R /Pg 3 0 R /K 0 >>`,
      '<< /Nums [0 [5 0 R]] >>',
      rawStream('', `/${type} << /MCID 0 >> BDC 9 9 9 9 re f EMC ${untagged}`),
    ],
    trailer,
  );
  return readFileSync(path);
}

async function rolesOf(pdf: Buffer): Promise<unknown> {
  const conformed = await conform(pdf, { levels: ['pdf/a-2a', 'pdf/ua-1'], title: 'x' });
  const path = workspace()('conformed.pdf');
  writeFileSync(path, conformed.pdf);
  expectSound(path);
  const file = await openPdf(conformed.pdf);
  return file.dict(file.dict(file.catalog['/StructTreeRoot'])['/RoleMap']);
}

it('takes mappings of standard types away, which LibreOffice maps to themselves (ISO 14289-1, 7.1)', async () => {
  expect(await rolesOf(tagged('H1', '/H1 /H1 /Document /Document /Standard /P'))).toEqual({
    '/Standard': '/P',
  });
  expect(await rolesOf(tagged('P', '/P /Span'))).toEqual({});
});

it('breaks mappings that go round in a circle (ISO 14289-1, 7.1)', async () => {
  expect(await rolesOf(tagged('One', '/One /Two /Two /One'))).toEqual({
    '/One': '/NonStruct',
    '/Two': '/One',
  });
});

it('names text of LibreOffice that is in no tag, which is content and nothing that repeats on the pages', async () => {
  const report = async (producer: string): Promise<unknown> => {
    const shown = 'BT /F 9 Tf (cell) Tj 3 0 Td (cell) Tj ET BT (cell) Tj ET';
    const pdf = tagged('P', '', shown, `/Info << /Producer (${producer}) >>`);
    const { violations } = await conform(pdf, { levels: ['pdf/ua-1'], title: 'x', onViolation: 'warn' });
    return violations.filter(({ detail }) => detail.startsWith('Text stands in no tag'));
  };
  expect(await report('LibreOffice 7.4')).toMatchObject([
    { rule: 'ISO 14289-1, 7.1', page: 1, element: null },
  ]);
  expect(await report('Skia/PDF m153')).toEqual([]);
});

it('gives pages that are pictures a tag with their alternate text (ISO 14289-1, 7.3)', async () => {
  const page = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Contents';
  const path = rawPdf(workspace()('plain.pdf'), [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>',
    `${page} 5 0 R >>`,
    `${page} [5 0 R 5 0 R] >>`,
    rawStream('', '1 0 0 rg 9 9 50 50 re f'),
  ]);
  const tags = { levels: ['pdf/a-3a', 'pdf/ua-1'], title: 'x', language: 'de' } as const;
  const { pdf } = await conform(await withAlternateText(readFileSync(path), 'Ein Quadrat'), tags);
  const saved = workspace()('conformed.pdf');
  writeFileSync(saved, pdf);
  expectSound(saved);
  expect(run('pdfinfo', '-struct', saved).trim().split(/\s+/)).toEqual(['Document', 'Figure', 'Figure']);
  expect(plainPdf(pdf).match(/\/Alt \(Ein Quadrat\)/g)).toHaveLength(2);
  expect(pagePixels(pdf)).toEqual(pagePixels(readFileSync(path)));
  await expect(conform(readFileSync(path), tags)).rejects.toMatchObject({ code: 'not_conformant' });
});
