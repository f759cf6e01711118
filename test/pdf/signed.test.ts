import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { MultipartPart } from '../support/gateway-event.ts';
import { field, file, post } from './ask.ts';
import { expectSound, rawPdf, rawStream, run, workspace } from './fixtures.ts';

/** Signed files in every route that changes or recombines them (I-28 to I-33, I-44, I-48). */

/** A signed document with an empty text field. @param reference entries of the signature's references */
function signedPdf(path: string, reference = ''): string {
  return rawPdf(path, [
    '<< /Type /Catalog /Pages 2 0 R /AcroForm 4 0 R /Perms << /DocMDP 6 0 R >> >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Annots [5 0 R 8 0 R] >>',
    '<< /SigFlags 3 /Fields [5 0 R 8 0 R] /DA (/Helv 12 Tf 0 g) >>',
    '<< /Type /Annot /Subtype /Widget /FT /Sig /T (seal) /F 132 /Rect [10 10 99 50] /P 3 0 R /V 6 0 R /AP << /N 7 0 R >> >>',
    `<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /adbe.pkcs7.detached /ByteRange [0 10 20 30] /Contents <00> ${reference} >>`,
    rawStream('/Type /XObject /Subtype /Form /BBox [0 0 89 40]', '0 0 89 40 re f'),
    '<< /Type /Annot /Subtype /Widget /FT /Tx /T (town) /F 4 /Rect [10 100 200 120] /P 3 0 R >>',
  ]);
}

const REMOVED = 'the signatures were removed, because they are not valid for the result: seal';

/** Each route with what it needs besides the file. */
const CHANGES: readonly (readonly [route: string, parts: readonly MultipartPart[]])[] = [
  ['metadata', [field('metadata', { Title: 'New' })]],
  ['compress', []],
  ['form/fill', [field('data', { town: 'Bern' }), field('flatten', 'true')]],
  ['encrypt', [field('password', 'secret')]],
  ['conform', [field('conformance', ['pdf/a-3b']), field('on_violation', 'warn')]],
  ['rotate', [field('angle', 90)]],
  ['flatten', []],
  ['linearize', []],
  ['process', [field('steps', [{ metadata: { Title: 'New' } }, { compress: {} }])]],
];

function expectUnsigned(path: string, password = ''): void {
  expectSound(path, password);
  const plain = `${path}.plain.pdf`;
  run('qpdf', `--password=${password}`, '--decrypt', '--object-streams=disable', path, plain);
  expect(readFileSync(plain, 'latin1')).not.toMatch(/\/ByteRange|\/SigFlags|\/DocMDP/);
}

describe('a signed file', () => {
  it.each(CHANGES)('is refused by %s, or loses its signature with a Warning', async (route, parts) => {
    const at = workspace();
    const sent = [file(signedPdf(at('signed.pdf'))), ...parts];
    const refused = await post(`/v1/pdf/${route}`, sent, at('no.pdf'));
    expect(refused).toMatchObject({ status: 422, problem: { code: 'pdf_signed' } });
    const broken = await post(
      `/v1/pdf/${route}`,
      [...sent, field('break_signatures', 'true')],
      at('out.pdf'),
    );
    expect(broken.status).toBe(200);
    expect(broken.headers['warning']).toContain(REMOVED);
    expectUnsigned(at('out.pdf'), route === 'encrypt' ? 'secret' : '');
  });

  it.each([
    ['merge', (signed: MultipartPart) => [signed, { ...signed, name: 'file2' }]],
    ['split', (signed: MultipartPart) => [signed, field('splits', [1])]],
  ] as const)('goes through %s, whose result is a new document, with a Warning', async (route, parts) => {
    const at = workspace();
    const sent = parts(file(signedPdf(at('signed.pdf')), route === 'merge' ? 'file1' : 'file'));
    const answer = await post(`/v1/pdf/${route}`, sent, at('out.pdf'));
    expect(answer.status).toBe(200);
    expect(answer.headers['warning']).toContain(REMOVED);
    expectUnsigned(at('out.pdf'));
    const refused = await post(
      `/v1/pdf/${route}`,
      [...sent, field('break_signatures', 'false')],
      at('no.pdf'),
    );
    expect(refused).toMatchObject({ status: 422, problem: { code: 'pdf_signed' } });
  });

  it('keeps its protection when the signature is removed', async () => {
    const at = workspace();
    const locked = at('locked.pdf');
    run('qpdf', '--encrypt', 'user', 'owner', '256', '--', signedPdf(at('signed.pdf')), locked);
    const parts = [file(locked), field('input_password', 'user'), field('metadata', { Title: 'New' })];
    const refused = await post('/v1/pdf/metadata', parts, at('no.pdf'));
    expect(refused).toMatchObject({ status: 422, problem: { code: 'pdf_signed' } });
    await post('/v1/pdf/metadata', [...parts, field('break_signatures', 'true')], at('out.pdf'));
    expect(() => run('pdfinfo', at('out.pdf'))).toThrow('Incorrect password');
    expectUnsigned(at('out.pdf'), 'owner');
  });

  it.each([
    ['no lock', '', 200],
    [
      'certified against any change',
      '/Reference [<< /TransformMethod /DocMDP /TransformParams << /P 1 >> >>]',
      422,
    ],
    [
      'certified, with forms allowed',
      '/Reference [<< /TransformMethod /DocMDP /TransformParams << /P 2 >> >>]',
      200,
    ],
    [
      'locks the field',
      '/Reference [<< /TransformMethod /FieldMDP /TransformParams << /Action /Include /Fields [(town)] >> >>]',
      422,
    ],
    [
      'locks all fields but this one',
      '/Reference [<< /TransformMethod /FieldMDP /TransformParams << /Action /Exclude /Fields [(town)] >> >>]',
      200,
    ],
  ])('is filled by an update only if its signature permits that: %s', async (_case, reference, status) => {
    const at = workspace();
    const signed = signedPdf(at('signed.pdf'), reference);
    const answer = await post(
      '/v1/pdf/form/fill',
      [file(signed), field('data', { town: 'Bern' })],
      at('out.pdf'),
    );
    expect(answer.status).toBe(status);
    if (status === 422) expect(answer.problem['code']).toBe('pdf_signed');
    else {
      const before = readFileSync(signed);
      expect(readFileSync(at('out.pdf')).subarray(0, before.length)).toEqual(before);
    }
  });
});
