import { readFileSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { describePdf } from '../describe.ts';
import { expectSound, pageTexts, rawPdf, rawStream, run, workspace } from '../fixtures.ts';
import { richPdf } from '../rich.ts';
import { chain } from './chain.ts';
import { pixels } from './pixels.ts';

/** Form fields and annotations that become part of their pages (I-46). */

const drawn = (path: string): Buffer => execFileSync('pdftoppm', ['-r', '40', path], { maxBuffer: 2 ** 26 });

it('changes no pixel of a document with fields, and removes the fields but no links', async () => {
  const at = workspace();
  const input = richPdf(at('in.pdf'), 'alpha');
  const before = describePdf(input);
  const output = await chain([input], at('out.pdf'), [{ name: 'flatten', options: {} }]);
  expectSound(output);
  const after = describePdf(output);
  expect(after.fields).toEqual({});
  expect(after.catalog['/AcroForm']).toBeUndefined();
  expect(after.pages.map(({ links }) => links)).toEqual(before.pages.map(({ links }) => links));
  expect(after.faults).toEqual([]);
  expect(pageTexts(output)).toEqual(pageTexts(input));
  expect(drawn(output).equals(drawn(input))).toBe(true);
});

it('draws fields without an appearance in every script that the fonts have', async () => {
  const at = workspace();
  const value = `<FEFF${Buffer.from('Żółć 東京', 'utf16le').swap16().toString('hex')}>`;
  const input = form(at('in.pdf'), '/DA (/Helv 12 Tf 0 g)', value);
  const output = await chain([input], at('out.pdf'), [{ name: 'flatten', options: {} }]);
  expectSound(output);
  expect(pageTexts(output)[0]?.split(/\s+/)).toEqual(['Name:', 'Żółć', '東京', 'checked']);
  expect(run('pdffonts', output)).toMatch(/yes yes yes/);
  const unknown = form(at('none.pdf'), '/DA (/Helv 12 Tf 0 g)', '<FEFFE000>');
  await expect(chain([unknown], at('out.pdf'), [{ name: 'flatten', options: {} }])).rejects.toMatchObject({
    code: 'option_not_supported',
  });
});

it('draws the values of fields in a form with NeedAppearances', async () => {
  const at = workspace();
  const input = form(
    at('in.pdf'),
    '/DA (/Helv 12 Tf 0 g) /AP << /N 13 0 R >>',
    '(new)',
    '/NeedAppearances true',
  );
  const output = await chain([input], at('out.pdf'), [{ name: 'flatten', options: {} }]);
  expect(pageTexts(output)[0]?.split(/\s+/)).toEqual(['Name:', 'new', 'checked']);
});

/** A tagged page with a field in an element, a check box that is on, a hidden one and a note. */
function form(path: string, field: string, value = '(Erika)', more = ''): string {
  const appearance = (text: string): string =>
    rawStream(
      '/Type /XObject /Subtype /Form /BBox [0 0 50 10] /Matrix [2 0 0 2 5 5] /Resources << /Font << /F 5 0 R >> >>',
      `BT /F 9 Tf 1 2 Td (${text}) Tj ET`,
    );
  return rawPdf(path, [
    `<< /Type /Catalog /Pages 2 0 R /MarkInfo << /Marked true >> /StructTreeRoot 10 0 R /AcroForm << ${more} /Fields [6 0 R 7 0 R 8 0 R] /DA (/Helv 12 Tf 0 g) /DR << /Font << /Helv 5 0 R >> >> >> >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 4 0 R /StructParents 0 /Annots [6 0 R 7 0 R 8 0 R 9 0 R] /Resources << /Font << /F 5 0 R >> >> >>',
    rawStream('', '/P <</MCID 0>> BDC BT /F 12 Tf 20 250 Td (Name:) Tj ET EMC'),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    `<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /V ${value} /Rect [20 200 220 240] /F 4 /StructParent 1 ${field} >>`,
    '<< /Type /Annot /Subtype /Widget /FT /Btn /T (box) /V /On /AS /On /Rect [20 150 120 170] /F 4 /AP << /N << /On 12 0 R /Off 13 0 R >> >> >>',
    '<< /Type /Annot /Subtype /Widget /FT /Tx /T (gone) /V (secret) /Rect [20 100 120 120] /F 2 /AP << /N 13 0 R >> >>',
    '<< /Type /Annot /Subtype /Text /Rect [200 100 220 120] /Contents (a note) >>',
    '<< /Type /StructTreeRoot /K 11 0 R /ParentTree << /Nums [0 [14 0 R] 1 15 0 R] >> /ParentTreeNextKey 2 >>',
    '<< /Type /StructElem /S /Document /P 10 0 R /K [14 0 R 15 0 R] >>',
    appearance('checked'),
    appearance('secret'),
    '<< /Type /StructElem /S /P /P 11 0 R /Pg 3 0 R /K 0 >>',
    '<< /Type /StructElem /S /Form /P 11 0 R /K << /Type /OBJR /Obj 6 0 R /Pg 3 0 R >> >>',
    appearance('Erika'),
  ]);
}

it.each([
  ['its own appearance', '/AP << /N 16 0 R >>'],
  ['an appearance that is made of its value', '/DA (/Helv 12 Tf 0 g)'],
])('shows a field with %s, in the reading order of its element, and no hidden fields', async (_, field) => {
  const at = workspace();
  const output = await chain([form(at('in.pdf'), field)], at('out.pdf'), [{ name: 'flatten', options: {} }]);
  expectSound(output);
  const text = pageTexts(output)[0] ?? '';
  expect(text.split(/\s+/)).toEqual(['Name:', 'Erika', 'checked']);
  expect(run('pdfinfo', '-struct-text', output).replace(/\s+/g, ' ')).toMatch(
    /Document P .*"Name:" Form .*"Erika"/,
  );
  const source = run('qpdf', '--qdf', '--object-streams=disable', output, '-');
  expect(source).not.toContain('secret');
  // Printed, an element Form says what kind of field it was (ISO 14289-1, 7.18.4).
  expect(source.replace(/\s+/g, ' ')).toMatch(/\/A << \/O \/PrintField \/Role \/tv >>/);
  // The note has no appearance of its own: readers draw it.
  expect(run('qpdf', '--json', '--json-key=qpdf', output)).toContain('u:a note');
});

it('removes the element of a field with a hidden widget (ISO 14289-1, 7.18.4)', async () => {
  const at = workspace();
  const input = form(at('in.pdf'), '/AP << /N 16 0 R >>');
  const hidden = readFileSync(input, 'latin1').replace('/F 4 /StructParent 1', '/F 2 /StructParent 1');
  writeFileSync(input, hidden, 'latin1');
  const output = await chain([input], at('out.pdf'), [{ name: 'flatten', options: {} }]);
  const structure = run('pdfinfo', '-struct', output);
  expect(structure).toContain('NonStruct');
  expect(structure).not.toContain('Form');
});

it('leaves links alone that have a look of their own, and draws other annotations that have one', async () => {
  const at = workspace();
  const annotation = (subtype: string, x: number, more: string): string =>
    `<< /Type /Annot /Subtype /${subtype} /Rect [${x} 10 ${x + 20} 30] /Border [0 0 0] /AP << /N 7 0 R >> ${more} >>`;
  const input = rawPdf(at('in.pdf'), [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 100 100] >>',
    '<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Annots [5 0 R 6 0 R] >>',
    rawStream('', ''),
    annotation('Link', 10, '/A << /S /URI /URI (https://example.org/) >>'),
    annotation('Square', 60, ''),
    rawStream('/Type /XObject /Subtype /Form /BBox [0 0 20 20]', '1 0 0 rg 0 0 20 20 re f'),
  ]);
  const output = await chain([input], at('out.pdf'), [{ name: 'flatten', options: {} }]);
  const found = run('qpdf', '--qdf', '--object-streams=disable', output, '-');
  expect(found).toContain('/Subtype /Link');
  expect(found).toContain('https://example.org/');
  expect(found).not.toContain('/Subtype /Square');
  expect((await pixels(output)).at(70, 80)).toEqual([255, 0, 0]);
});

it('flattens 60,000 fields of a page in linear time', async () => {
  const at = workspace();
  const count = 60_000;
  const fields = Array.from({ length: count }, (_, index) => `${index + 5} 0 R`).join(' ');
  const input = rawPdf(at('in.pdf'), [
    `<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [${fields}] >> >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Annots [${fields}] >>`,
    rawStream('/Type /XObject /Subtype /Form /BBox [0 0 9 9]', '0 0 9 9 re f'),
    ...Array<string>(count).fill(
      '<< /Type /Annot /Subtype /Widget /FT /Tx /T (a) /Rect [10 10 60 20] /F 4 /AP << /N 4 0 R >> >>',
    ),
  ]);
  const output = await chain([input], at('out.pdf'), [{ name: 'flatten', options: {} }]);
  const shown = run('qpdf', '--qdf', '--object-streams=disable', output, '-').match(/\/Pl\d+ Do/g);
  expect(new Set(shown).size).toBe(count);
});
