import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPdf } from '../../packages/pdf/src/model/index.ts';
import { type PdfDict, pdfText } from '../../packages/pdf/src/model/values.ts';
import { signPdf } from '../../packages/signatures/src/sign.ts';
import { verifyPdf } from '../../packages/signatures/src/verify.ts';
import { buildFontsLayer } from '../../layers/fonts/build.ts';
import { type Authority, openAuthority, plainPdf } from './support.ts';

/** Signing in a signature field that the document has (I-45), judged by pyHanko too. */

const { dist } = await buildFontsLayer('local');
const fonts = join(dist, 'fonts', 'files');

let authority: Authority;
beforeAll(async () => {
  authority = await openAuthority();
});
afterAll(() => authority.close());

const RECTANGLE = [50, 50, 200, 100];

/** A document with two empty signature fields, one below another field, and a text field. */
async function form(more: PdfDict = {}): Promise<Uint8Array> {
  const file = await openPdf(plainPdf());
  const [page = ''] = file.pages();
  const widget: PdfDict = { '/Type': '/Annot', '/Subtype': '/Widget', '/F': 4, '/P': page };
  const manager = file.add({
    ...widget,
    '/FT': '/Sig',
    '/T': pdfText('Manager'),
    '/Rect': RECTANGLE,
    ...more,
  });
  const group = file.allocate();
  const employee = file.add({
    ...widget,
    '/FT': '/Sig',
    '/T': pdfText('Employee'),
    '/Rect': [220, 50, 380, 100],
    '/Parent': group,
  });
  file.set(group, { '/T': pdfText('staff'), '/Kids': [employee] });
  const town = file.add({ ...widget, '/FT': '/Tx', '/T': pdfText('town'), '/Rect': [50, 200, 200, 220] });
  file.set(page, { ...file.dict(page), '/Annots': [manager, employee, town] });
  file.set(file.catalogRef, { ...file.catalog, '/AcroForm': { '/Fields': [manager, group, town] } });
  return await file.save();
}

/** The fields of a document by name. */
async function fieldsOf(pdf: Uint8Array): Promise<Record<string, PdfDict>> {
  const file = await openPdf(pdf);
  const [page = ''] = file.pages();
  const all = file.array(file.dict(page)['/Annots']).map((ref) => file.dict(ref));
  return Object.fromEntries(all.map((dict) => [String(dict['/T']).slice(2), dict]));
}

describe('a signature in an existing field', () => {
  it('is in the fields that are named, and valid in pyHanko, also with a lock and one after the other', async () => {
    const lock = { '/Type': '/SigFieldLock', '/Action': '/Include', '/Fields': [pdfText('town')] };
    const given = await form({ '/Lock': lock });
    const once = await signPdf(given, authority.signer('Signer'), { field: 'Manager', certify: 'forms' });
    const twice = await signPdf(once, authority.signer('Second'), { field: 'staff.Employee' });
    const fields = await fieldsOf(twice);
    expect(Object.keys(fields)).toHaveLength(3);
    expect(fields['Manager']).toMatchObject({ '/Rect': RECTANGLE, '/V': expect.anything() as string });
    expect(await verifyPdf(twice, { anchors: authority.anchors })).toMatchObject([
      { field: 'Manager', intact: true, trusted: true, changesSince: ['signatures'], changesAllowed: true },
      { field: 'staff.Employee', intact: true, trusted: true, coversWholeFile: true },
    ]);
    expect(authority.judge([once, twice])).toMatchObject([
      [{ valid: true, coverage: 'ENTIRE_FILE', permitted: true }],
      [
        { valid: true, permitted: true },
        { valid: true, coverage: 'ENTIRE_FILE' },
      ],
    ]);
  });

  it('shows its text in the rectangle of the field', async () => {
    const pdf = await signPdf(await form(), authority.signer('Signer'), {
      field: 'Manager',
      appearance: { text: 'Signed by Ada' },
      fonts,
    });
    const { Manager: field = {} } = await fieldsOf(pdf);
    expect(field).toMatchObject({ '/Rect': RECTANGLE });
    const file = await openPdf(pdf);
    const shown = file.dict(file.dict(field['/AP'])['/N']);
    expect(file.array(shown['/BBox'])).toEqual(
      [0, 0, 150, 50].map((side) => expect.closeTo(side, 0) as number),
    );
    expect(authority.judge([pdf])).toMatchObject([[{ valid: true, coverage: 'ENTIRE_FILE' }]]);
  });

  it.each([
    ['Boss', {}, 'Manager, staff.Employee'],
    ['town', {}, 'not a signature field'],
    [
      'Manager',
      { '/SV': { '/Type': '/SV', '/Ff': 2, '/SubFilter': ['/adbe.pkcs7.detached'] } },
      'requirements',
    ],
  ])('is refused where that cannot be: %s %j', async (field, more, message) => {
    const signed = signPdf(await form(more), authority.signer('Signer'), { field });
    await expect(signed).rejects.toMatchObject({
      code: 'invalid_field',
      faults: [{ field: 'field', message: expect.stringContaining(message) as string }],
    });
  });

  it('is refused in a field that is signed', async () => {
    const once = await signPdf(await form(), authority.signer('Signer'), { field: 'Manager' });
    await expect(signPdf(once, authority.signer('Second'), { field: 'Manager' })).rejects.toMatchObject({
      code: 'invalid_field',
      faults: [{ field: 'field' }],
    });
  });

  it('has the position of its field, or one of its own without a field', async () => {
    const signer = authority.signer('Signer');
    for (const options of [
      { field: 'Manager', appearance: { x: 1, y: 1, w: 5, h: 2, text: 'A' } },
      { appearance: { text: 'A' } },
    ]) {
      const refused = { code: 'invalid_field', faults: [{ field: 'appearance' }] };
      await expect(signPdf(await form(), signer, options)).rejects.toMatchObject(refused);
    }
  });
});
