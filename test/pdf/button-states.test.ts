import { expect, it } from 'vitest';
import { fillPdfForm, readPdfForm } from '../../packages/pdf/src/forms/index.ts';
import { expectSound, rawPdf, rawStream, workspace } from './fixtures.ts';
import { chain } from './steps/chain.ts';
import { pixels } from './steps/pixels.ts';

/** A page with these objects from number 4 on; the first is the field, and 9 the red look of a state that is on. */
function form(path: string, annots: string, objects: readonly string[]): string {
  return rawPdf(path, [
    '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [4 0 R] >> >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 100 50] >>',
    `<< /Type /Page /Parent 2 0 R /Annots [${annots}] >>`,
    ...objects,
    ...Array.from({ length: 5 - objects.length }, () => 'null'),
    rawStream('/Type /XObject /Subtype /Form /BBox [0 0 20 20]', '1 0 0 rg 0 0 20 20 re f'),
  ]);
}

function box(x: number, state: string, rest: string): string {
  return `<< /Type /Annot /Subtype /Widget /F 4 /Rect [${x} 10 ${x + 20} 30] /AP << /N << /${state} 9 0 R >> >> ${rest} >>`;
}

it('a box without a state has the value of its field, also when it is flattened', async () => {
  const at = workspace();
  const single = form(at('a.pdf'), '4 0 R', [box(10, 'Ja', '/FT /Btn /T (a) /V /Ja')]);
  const radio = form(at('r.pdf'), '5 0 R 6 0 R', [
    '<< /FT /Btn /Ff 32768 /T (r) /V /two /Kids [5 0 R 6 0 R] >>',
    box(10, 'one', '/Parent 4 0 R'),
    box(50, 'two', '/Parent 4 0 R'),
  ]);
  expect(await readPdfForm({ path: single })).toMatchObject([{ name: 'a', value: true }]);
  expect(await readPdfForm({ path: radio })).toMatchObject([{ name: 'r', value: 'two' }]);
  const reds = async (path: string): Promise<boolean[]> => {
    const { at: pixel } = await pixels(
      await chain([path], `${path}.flat`, [{ name: 'flatten', options: {} }]),
    );
    return [20, 60].map((x) => pixel(x, 30)[1] === 0);
  };
  expect(await reds(single)).toEqual([true, false]);
  expect(await reds(radio)).toEqual([false, true]);
});

it('states whose names are UTF-16 are text, and are set by it or by their bytes', async () => {
  const at = workspace();
  const states = ['#FE#FF#04#34#04#30', '#FE#FF#04#3D#04#35'] as const;
  const path = form(at('a.pdf'), '5 0 R 6 0 R', [
    '<< /FT /Btn /Ff 32768 /T (r) /Kids [5 0 R 6 0 R] >>',
    box(10, states[0], '/Parent 4 0 R /AS /Off'),
    box(50, states[1], '/Parent 4 0 R /AS /Off'),
  ]);
  expect(await readPdfForm({ path })).toMatchObject([{ options: ['да', 'не'], value: null }]);
  const bytes = '\u00fe\u00ff\u00044\u00040';
  for (const [value, shown] of [
    ['не', 'не'],
    [bytes, 'да'],
  ] as const) {
    await fillPdfForm({
      input: { path },
      output: at('f.pdf'),
      data: { r: value },
      images: {},
      flatten: false,
      fontFolder: at('.'),
      breakSignatures: false,
    });
    expectSound(at('f.pdf'));
    expect(await readPdfForm({ path: at('f.pdf') })).toMatchObject([{ value: shown }]);
  }
});
