import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readForm } from '../../../packages/pdf/src/forms/read.ts';
import { openPdf } from '../../../packages/pdf/src/model/index.ts';
import { rawPdf, rawStream, workspace } from '../fixtures.ts';
import { chain } from './chain.ts';
import { python } from '../../support/python.ts';

/** Lists of forms: what the step `fill` leaves of them, as pikepdf reads it, and what is told of them (I-46, I-48). */

const SCRIPT = `
import sys, json, pikepdf
pdf = pikepdf.open(sys.argv[1])
field = pdf.Root.AcroForm.Fields[0]
values = field.get('/V')
print(json.dumps([
    [str(one) for one in values] if isinstance(values, pikepdf.Array) else None if values is None else str(values),
    [int(one) for one in field['/I']] if '/I' in field else None,
]))
`;

/** A list of which several may be chosen, with one chosen. @param flags beside that (tables 227 and 233) */
function list(path: string, flags = 0): string {
  return rawPdf(path, [
    '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [5 0 R] /DA (/Helv 10 Tf 0 g) /DR << /Font << /Helv 6 0 R >> >> >> >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 200 200] >>',
    '<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Annots [5 0 R] >>',
    rawStream('', ''),
    `<< /Type /Annot /Subtype /Widget /FT /Ch /T (towns) /Ff ${(1 << 21) | flags} /Rect [20 20 180 180] /P 3 0 R /Opt [(Aachen) (Bonn) (Celle) (Dresden)] /V (Celle) /I [2] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]);
}

it.each([
  [
    ['Dresden', 'Bonn'],
    ['Dresden', 'Bonn'],
    [1, 3],
  ],
  [['Aachen'], 'Aachen', [0]],
  [[], null, null],
])('selects %j in a list, with the indices for readers (table 234)', async (towns, value, indices) => {
  const at = workspace();
  const options = { data: { towns }, images: {} };
  const output = await chain([list(at('in.pdf'))], at('out.pdf'), [{ name: 'fill', options }]);
  const [written, places] = JSON.parse(python(SCRIPT, output)) as unknown[];
  expect(Array.isArray(written) ? written.toSorted() : written).toEqual(
    Array.isArray(value) ? value.toSorted() : value,
  );
  expect(places).toEqual(indices);
});

it.each([
  [0, { required: false, readOnly: false }],
  [1, { required: false, readOnly: true }],
  [2, { required: true, readOnly: false }],
  [3, { required: true, readOnly: true }],
])('reports the field flags %i as required and read-only', async (flags, told) => {
  const at = workspace();
  const [field] = readForm(await openPdf(readFileSync(list(at('in.pdf'), flags))));
  expect(field).toMatchObject({ name: 'towns', kind: 'list', value: ['Celle'], ...told });
});
