import { expect, it } from 'vitest';
import { field, file, post } from './ask.ts';
import { rawPdf, run, workspace } from './fixtures.ts';

/** Fields with a format script of Acrobat: the appearance shows the formatted value, as pdf.js does (I-48). */

function form(path: string, script: string): string {
  return rawPdf(path, [
    '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [4 0 R] /DA (/Helv 10 Tf 0 g) >> >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Annots [4 0 R] >>',
    `<< /Type /Annot /Subtype /Widget /FT /Tx /T (x) /F 4 /Rect [10 10 290 40] /P 3 0 R /AA << /F << /S /JavaScript /JS (${script.replace(/[\\()]/g, '\\$&')}) >> >> >>`,
  ]);
}

it.each([
  ['AFNumber_Format(2, 0, 0, 0, "$", true);', '1234567.5', '$1,234,567.50', false],
  ['AFNumber_Format(2, 2, 0, 0, " \\u20ac", false)', '-1234,5', '-1.234,50 €', false],
  ['AFNumber_Format(0, 4, 2, 0, "", true);', '-12345', "(12'345)", false],
  ['AFPercent_Format(2, 0);', '0.19', '19.00%', false],
  ['AFDate_FormatEx("dd.mm.yyyy");', '2024-02-29', '29.02.2024', false],
  ['AFDate_FormatEx("mmm d, yyyy");', 'Mar 4, 2024', 'Mar 4, 2024', false],
  ['AFTime_Format(1);', '21:05', '9:05 pm', false],
  ['AFSpecial_Format(2);', '2125551234', '(212) 555-1234', false],
  // What does not apply is shown as it is, and named.
  ['AFSpecial_Format(2);', '+49 30 123', '+49 30 123', true],
  ['AFDate_FormatEx("dd.mm.yyyy");', '31.02.2024', '31.02.2024', true],
  ['event.value = "x" + event.value;', 'raw', 'raw', true],
])('%s shows %s as %s', async (script, value, shown, warns) => {
  const at = workspace();
  const parts = [file(form(at('a.pdf'), script)), field('data', { x: value }), field('flatten', 'true')];
  const { status, headers } = await post('/v1/pdf/form/fill', parts, at('o.pdf'));
  expect(status).toBe(200);
  expect(run('pdftotext', '-layout', at('o.pdf'), '-').trim()).toBe(shown);
  expect((headers['warning'] ?? '').includes('cannot be applied to them: x')).toBe(warns);
});

it.each([
  ['', 'Option 15'],
  ['/TI 12', 'Option 3'],
  ['/TI 12', 'Option 19'],
])('a list %s shows its selected %s', async (top, chosen) => {
  const at = workspace();
  const options = Array.from({ length: 20 }, (_, index) => `(Option ${index})`).join(' ');
  const list = rawPdf(at('l.pdf'), [
    '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [4 0 R] /DA (/Helv 10 Tf 0 g) >> >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Annots [4 0 R] >>',
    `<< /Type /Annot /Subtype /Widget /FT /Ch /T (x) /F 4 /Rect [10 10 140 110] ${top} /P 3 0 R /Opt [${options}] >>`,
  ]);
  const parts = [file(list), field('data', { x: chosen }), field('flatten', 'true')];
  expect((await post('/v1/pdf/form/fill', parts, at('o.pdf'))).status).toBe(200);
  expect(run('pdftotext', at('o.pdf'), '-').split('\n')).toContain(chosen);
});
