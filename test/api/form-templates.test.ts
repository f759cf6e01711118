import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documented, xmlOf } from '../../packages/factur-x/test/invoices.ts';
import { describePdf } from '../pdf/describe.ts';
import { expectSound, pageTexts, run } from '../pdf/fixtures.ts';
import { change, fieldsByPikepdf, makeForm } from '../pdf/form-material.ts';
import { openAuthority } from '../signatures/support.ts';
import {
  type Answer,
  call,
  expectStatus,
  form,
  jsonOf,
  resultOfJob,
  zipEntries,
  zipEntry,
} from './client.ts';

/** Forms as templates: PDFs that are filled with records (I-48). */

const directory = mkdtempSync(join(tmpdir(), 'platen-api-forms-'));
const at = (name: string): string => join(directory, name);
let blank: Buffer;
let id: string;

type Fields = Parameters<typeof form>[0];

const changed = (name: string, lines: string): Buffer => {
  writeFileSync(at(name), blank);
  return readFileSync(change(at(name), lines));
};
const template = (file: Buffer | string, data: object = {}): Fields => ({
  file_data: [file, 'form.pdf'],
  template_data: JSON.stringify({ name: 'Form', format: 'pdf', ...data }),
});
const add = (...of: Parameters<typeof template>): Promise<Answer> =>
  call('POST', '/v1/template', { body: form(template(...of)) });
const render = (data: unknown, options: object = {}, path = 'pdf', more: Fields = {}): Promise<Answer> =>
  call('POST', `/v1/render/${path}/${id}`, {
    body: form({ render_data: JSON.stringify(data), render_options: JSON.stringify(options), ...more }),
  });

function saved(pdf: Buffer, name = 'answer.pdf'): string {
  writeFileSync(at(name), pdf);
  return at(name);
}

beforeAll(async () => {
  blank = readFileSync(makeForm(at('blank.pdf')));
  id = jsonOf(expectStatus(await add(blank), 200))['id'] as string;
});
afterAll(() => rmSync(directory, { recursive: true }));

const RECORD = {
  name: 'Zoë Müller',
  iban: 12_345,
  agree: true,
  colour: 'green',
  country: 'Germany',
  tags: ['b', 'd'],
  'address.street': 'Main 1',
  address: { city: '東京' },
};

describe('a form that is added', () => {
  it('is stored unchanged, and its fields are described by a JSON Schema', async () => {
    const file = expectStatus(await call('GET', `/v1/template/file/${id}`), 200);
    expect(file.bytes.equals(blank)).toBe(true);
    expect(file.headers.get('content-type')).toBe('application/pdf');
    const schema = jsonOf(expectStatus(await call('GET', `/v1/template/${id}/fields`), 200));
    expect(schema).toMatchObject({
      type: 'object',
      properties: {
        name: { type: 'string' },
        iban: { type: 'string', maxLength: 10 },
        agree: { type: 'boolean' },
        colour: { enum: ['red', 'green', 'blue'] },
        country: { enum: ['DE', 'FR'] },
        town: { type: 'string', examples: ['Bonn', 'Ulm'] },
        tags: { type: 'array', items: { enum: ['a', 'b', 'c', 'd'] } },
        address: { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } },
      },
    });
    expect(schema['properties']).not.toHaveProperty('sig');
  });

  it('is refused if it has no form, only XFA, a signature, a password, or is no PDF; also as the next version', async () => {
    const none = changed('none.pdf', 'del pdf.Root.AcroForm; del pdf.pages[0].obj["/Annots"]');
    const xfa = changed(
      'xfa.pdf',
      'pdf.Root.AcroForm = Dictionary(Fields=Array(), XFA=String("x")); del pdf.pages[0].obj["/Annots"]',
    );
    const signed = changed(
      'signed.pdf',
      "s = [f for f in pdf.Root.AcroForm.Fields if f.T == 'sig'][0]; s.V = Dictionary(Type=Name.Sig, ByteRange=[0, 1, 2, 3], Contents=String('x'))",
    );
    const owned = at('owned.pdf');
    run('qpdf', '--encrypt', '', 'owner', '256', '--', at('blank.pdf'), owned);
    const cases: [Buffer | string, string][] = [
      [none, 'template_file_invalid'],
      [xfa, 'form_xfa'],
      [signed, 'pdf_signed'],
      [readFileSync(owned), 'pdf_password_required'],
      ['<p>text</p>', 'template_file_invalid'],
    ];
    for (const [file, code] of cases) {
      const problem = { code, errors: [{ field: 'file_data' }] };
      expect(jsonOf(expectStatus(await add(file), 422))).toMatchObject(problem);
    }
    const next = await call('PUT', `/v1/template/${id}`, { body: form({ file_data: [none, 'a.pdf'] }) });
    expect(jsonOf(expectStatus(next, 422))).toMatchObject({ code: 'template_file_invalid' });
    const now = await call('POST', '/v1/render/pdf', { body: form({ ...template(xfa), render_data: '{}' }) });
    expect(jsonOf(expectStatus(now, 422))).toMatchObject({ code: 'form_xfa' });
    expect(jsonOf(expectStatus(await add(blank, { format: 'html' }), 422))).toMatchObject({
      code: 'template_file_invalid',
    });
  });
});

describe('a rendering of a form', () => {
  it('is the form with the values of the record, whether it is stored or sent with the request', async () => {
    const sent = await call('POST', '/v1/render/pdf', {
      body: form({ ...template(blank), render_data: JSON.stringify(RECORD) }),
    });
    for (const answer of [await render(RECORD), sent]) {
      const path = saved(expectStatus(answer, 200).bytes);
      expectSound(path);
      expect(fieldsByPikepdf(path)).toMatchObject({
        name: { value: 'Zoë Müller' },
        iban: { value: '12345' },
        agree: { states: ['/Ja'] },
        colour: { value: '/green' },
        country: { value: 'DE' },
        tags: { value: ['b', 'd'] },
        'address.street': { value: 'Main 1' },
        'address.city': { value: '東京' },
        notes: { value: null },
      });
      expect(pageTexts(path)[0]).toMatch(/Zoë Müller[\s\S]*Germany[\s\S]*Main 1[\s\S]*東京/);
    }
  });

  it('has large numbers and braces as they are written: no template language reads them', async () => {
    const body = form({ render_data: '{"name": 12345678901234567890, "notes": "{{ name }}"}' });
    const path = saved(expectStatus(await call('POST', `/v1/render/pdf/${id}`, { body }), 200).bytes);
    expect(fieldsByPikepdf(path)).toMatchObject({
      name: { value: '12345678901234567890' },
      notes: { value: '{{ name }}' },
    });
  });

  it('accepts the options of any PDF: pages, steps, compression, a password, a name', async () => {
    const steps = [{ flatten: {} }, { page_numbers: { format: 'p {page}' } }];
    const options = {
      page_range: '1',
      compress: true,
      encrypt_password: 'pw',
      filename: '{{ name }}',
      steps,
    };
    const answer = expectStatus(await render({ name: 'Zoë' }, options), 200);
    expect(answer.headers.get('content-disposition')).toContain('Zo%C3%AB.pdf');
    const path = saved(answer.bytes);
    expect(fieldsByPikepdf(path, 'pw')).toEqual({});
    expect(run('pdftotext', '-upw', 'pw', path, '-')).toMatch(/Zoë[\s\S]*p ?1/);
    const report = jsonOf(expectStatus(await render({ name: 'Zoë' }, {}, 'report'), 200));
    expect(report).toMatchObject({ pages: 1, missing_glyphs: [] });
    const other = jsonOf(expectStatus(await render({}, {}, 'docx'), 422));
    expect(other).toMatchObject({
      code: 'unsupported_output_format',
      errors: [{ allowed: ['pdf', 'report'] }],
    });
  });

  it('claims a conformance level, has an embedded invoice and a signature, by options and by steps', async () => {
    const authority = await openAuthority();
    try {
      const pkcs12 = authority.pki.issue('Forms').pkcs12('word');
      const key = form({ pkcs12: [pkcs12, 'forms.p12'], password: 'word' });
      expectStatus(await call('PUT', '/v1/keys/forms', { body: key }), 200);
      // Fields that nobody has drawn have no place in PDF/A.
      const drawn = changed(
        'drawn.pdf',
        "pdf.Root.AcroForm.Fields = pdf.pages[0].obj.Annots = Array([f for f in pdf.Root.AcroForm.Fields if f.get('/T') == 'name'])",
      );
      const { id: own } = jsonOf(expectStatus(await add(drawn), 200));
      const filled = (options: object, more: Fields): Promise<Answer> => {
        const fields = { render_data: '{"name": "Zoë"}', render_options: JSON.stringify(options) };
        return call('POST', `/v1/render/pdf/${String(own)}`, { body: form({ ...fields, ...more }) });
      };
      const xml: Fields[string] = [xmlOf(documented(), 'en16931'), 'factur-x.xml'];
      const claims = { conformance: ['pdf/a-3b'], language: 'de', title: 'Antrag' };
      const sign = { key: 'forms', certify: 'forms' };
      const byOptions = { ...claims, factur_x: { profile: 'en16931' }, sign };
      const steps = [{ conform: claims }, { factur_x: { xml: 'step_invoice' } }, { sign }];
      for (const answer of [
        await filled(byOptions, { factur_x_xml: xml }),
        await filled({ steps }, { step_invoice: xml }),
      ]) {
        const { bytes } = expectStatus(answer, 200);
        const path = saved(bytes);
        expectSound(path);
        expect(authority.judge([bytes])[0]).toMatchObject([{ valid: true }]);
        expect(fieldsByPikepdf(path)['name']?.value).toBe('Zoë');
        const { attachments, xmp } = describePdf(path);
        expect(attachments.map(({ name }) => name)).toEqual(['factur-x.xml']);
        expect(xmp).toContain('<pdfaid:part>3<');
        expect(xmp).toContain('<fx:ConformanceLevel>EN 16931<');
      }
    } finally {
      await authority.close();
    }
  });

  it('shows images in buttons: of a data: address, and of the template', async () => {
    const png = await sharp({ create: { width: 61, height: 60, channels: 3, background: '#f00' } })
      .png()
      .toBuffer();
    const image = form({ template_data: '{"format": "png", "uri": "portrait"}', file_data: [png, 'p.png'] });
    const { id: own } = jsonOf(expectStatus(await add(blank), 200));
    expectStatus(await call('POST', `/v1/template/img/${String(own)}`, { body: image }), 200);
    for (const photo of ['portrait', `data:image/png;base64,${png.toString('base64')}`]) {
      const body = form({ render_data: JSON.stringify({ photo }) });
      const answer = expectStatus(await call('POST', `/v1/render/pdf/${String(own)}`, { body }), 200);
      expect(run('pdfimages', '-list', saved(answer.bytes))).toMatch(/ 61 +60 +rgb/);
    }
  });

  it('is refused for an unknown field, and for an invalid value', async () => {
    expect(jsonOf(expectStatus(await render({ nome: 'a' }), 422))).toMatchObject({
      code: 'form_field_unknown',
      errors: [{ field: 'render_data.nome' }],
    });
    for (const [data, field] of [
      [{ colour: 'mauve' }, 'render_data.colour'],
      // A character that no font has.
      [{ name: '\u{10ffff}' }, 'render_data.name'],
    ] as const) {
      const problem = { code: 'form_value_invalid', errors: [{ field }] };
      expect(jsonOf(expectStatus(await render(data), 422))).toMatchObject(problem);
    }
  });
});

describe('a batch of a form', () => {
  const records = [{ nome: 'One' }, { name: 'Two' }];

  it('is a form of each record, and an error names the record at fault', async () => {
    expect(jsonOf(expectStatus(await render(records, {}, 'pdf/batch'), 422))).toMatchObject({
      code: 'batch_failed',
      errors: [{ field: 'render_data.nome', record: 0 }],
    });
    const { bytes } = expectStatus(await render(records, {}, 'pdf/batch', { on_error: 'skip' }), 200);
    expect(zipEntries(bytes)).toEqual(['Form-2.pdf', 'errors.json']);
    expect(fieldsByPikepdf(saved(zipEntry(bytes, 'Form-2.pdf')))).toMatchObject({ name: { value: 'Two' } });
    expect(JSON.parse(zipEntry(bytes, 'errors.json').toString())).toMatchObject([
      { record: 0, code: 'form_field_unknown' },
    ]);
  });

  it('becomes one file, as a job', async () => {
    const fields = { render_data: '[{"name": "One"}, {"name": "Two"}]', combine: 'pdf' };
    const { bytes } = await resultOfJob(`/v1/render/pdf/batch/${id}`, form(fields));
    const path = saved(bytes);
    expectSound(path);
    const [first, second] = pageTexts(path);
    expect(first).toMatch(/One/);
    expect(second).toMatch(/Two/);
    expect(
      jsonOf(await render([{}], {}, 'pdf/batch', { combine: 'pdf', numbering: 'through' })),
    ).toMatchObject({
      code: 'option_not_supported',
    });
  });
});
