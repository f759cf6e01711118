import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { MultipartPart } from '../support/gateway-event.ts';
import { type Answer, field, file, post } from './ask.ts';
import { expectSound, rawPdf, run, workspace } from './fixtures.ts';
import { change, fieldsByPikepdf, makeForm } from './form-material.ts';

/** Reading and filling forms, looked at with pikepdf, poppler, PDFium and qpdf. */

const DATA = {
  name: 'Zoë Müller Łódź',
  auto: 'שלום مرحبا',
  notes: 'Dear all,\nthis is a longer text that has to be wrapped at its words, 日本語も สวัสดี नमस्ते.',
  iban: 'DE12X',
  secret: 'abc',
  agree: true,
  bare: 'yes',
  colour: 'green',
  country: 'Germany',
  town: 'Köln',
  tags: ['b', 'd'],
  turned: 'turned',
  address: { street: 'Main 1', city: 'Αθήνα Москва' },
};

interface Told {
  name: string;
  kind: string;
  value: unknown;
  options: string[];
  page: number;
  x: number;
  y: number;
  w: number;
  h: number;
}

async function fieldsOf(path: string): Promise<Told[]> {
  const answer = await post('/v1/pdf/form', [file(path)], '/dev/null');
  expect(answer.status).toBe(200);
  return answer.problem['fields'] as Told[];
}

async function fill(
  path: string,
  output: string,
  data: unknown,
  ...more: readonly MultipartPart[]
): Promise<Answer> {
  return await post('/v1/pdf/form/fill', [file(path), field('data', data), ...more], output);
}

/** A page as poppler and as PDFium draw it, in greys. */
async function drawings(path: string, at: (name: string) => string): Promise<Buffer[]> {
  run('pdftoppm', '-r', '72', '-png', '-singlefile', path, at('poppler'));
  await post('/v1/pdf/image/png', [file(path), field('dpi', 72)], at('pdfium.png'));
  return await Promise.all(
    [at('poppler.png'), at('pdfium.png')].map((image) =>
      sharp(image)
        .flatten({ background: '#fff' })
        .greyscale()
        .resize(595, 842, { fit: 'fill' })
        .raw()
        .toBuffer(),
    ),
  );
}

/** How much of a page differs, in parts of what is inked on it: strokes of letters are drawn a little apart. */
function difference([a = Buffer.alloc(0), b = Buffer.alloc(0)]: readonly Buffer[]): number {
  let [different, inked] = [0, 0];
  for (let at = 0; at < a.length; at++) {
    const [one, other] = [a[at] ?? 255, b[at] ?? 255];
    if (Math.min(one, other) < 200) inked++;
    if (Math.abs(one - other) > 160) different++;
  }
  return different / inked;
}

describe('the fields of a form', () => {
  it('are the same as those that pikepdf reads, with their choices and their places', async () => {
    const at = workspace();
    const form = makeForm(at('form.pdf'));
    const fields = await fieldsOf(form);
    expect(fields.map(({ name }) => name)).toEqual(Object.keys(fieldsByPikepdf(form)));
    const byName = Object.fromEntries(fields.map((one) => [one.name, one]));
    expect(fields.map(({ kind }) => kind)).toEqual([
      'text', 'text', 'text', 'text', 'text', 'checkbox', 'checkbox', 'radio', 'choice', 'choice', 'list', 'button',
      'text', 'text', 'text', 'signature',
    ]); // prettier-ignore
    expect(byName['country']).toMatchObject({
      options: ['DE', 'FR'],
      labels: ['Germany', 'France'],
      value: null,
    });
    expect(byName['colour']).toMatchObject({ options: ['red', 'green', 'blue'], value: null });
    expect(byName['agree']).toMatchObject({ value: false, required: false, read_only: false });
    // 50 points from the left, 842 - 800 from the top.
    expect(byName['name']).toMatchObject({ page: 1, x: 1.7639, y: 1.4817, w: 8.8194, h: 0.7056 });
    expect(byName['iban']).toMatchObject({ max_length: 10 });
  });

  it('have their positions on the visible page if it is cropped and rotated', async () => {
    const at = workspace();
    const form = change(
      makeForm(at('form.pdf')),
      'p = pdf.pages[0].obj; p.CropBox = [40, 0, 595, 810]; p.Rotate = 90',
    );
    const [name] = await fieldsOf(form);
    // Turned clockwise, its lower left corner is the upper left one.
    expect(name).toMatchObject({ x: 27.5167, y: 0.3528, w: 0.7056, h: 8.8194 });
  });

  it('are merged if several have the same name (12.7.4.2)', async () => {
    const at = workspace();
    const path = change(
      makeForm(at('in.pdf')),
      `radio = next(f for f in pdf.Root.AcroForm.Fields if f.T == 'colour')
kids = list(radio.Kids)
for kid in kids:
    kid.T = String('same')
    del kid.Parent
    kid.FT = Name.Btn; kid.Ff = radio.Ff
pdf.Root.AcroForm.Fields = Array(kids)
for page in pdf.pages:
    page.obj.Annots = Array(kids)`,
    );
    const [field, ...others] = await fieldsOf(path);
    expect(others).toEqual([]);
    expect(field).toMatchObject({ name: 'same', kind: 'radio', options: ['red', 'green', 'blue'] });
    expect(field).toHaveProperty('places.length', 3);
    expect((await fill(path, at('out.pdf'), { same: 'green' })).status).toBe(200);
    expectSound(at('out.pdf'));
    expect((await fieldsOf(at('out.pdf')))[0]?.value).toBe('green');
    const states = run('qpdf', '--qdf', '--object-streams=disable', at('out.pdf'), '-').match(/\/AS \/\w+/g);
    expect(states?.sort()).toEqual(['/AS /Off', '/AS /Off', '/AS /green']);
  });

  it('have the characters of PDFDocEncoding, below 0x20 too (annex D.3)', async () => {
    const at = workspace();
    const path = makeForm(at('in.pdf'));
    change(path, "pdf.Root.AcroForm.Fields[0].V = String(b'a\\x18\\x1f\\x80\\xa0'.decode('pdfdoc'))");
    const [first] = await fieldsOf(path);
    expect(first?.value).toBe('a˘˜•€');
    expect(fieldsByPikepdf(path)['name']?.value).toBe(first?.value);
  });

  it('are empty for an XFA form, with a warning', async () => {
    const at = workspace();
    const path = rawPdf(at('xfa.pdf'), [
      '<< /Type /Catalog /Pages 2 0 R /NeedsRendering true /AcroForm << /Fields [] /XFA 4 0 R >> >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] >>',
      '<< /Length 6 >>\nstream\n<xdp/>\nendstream',
    ]);
    expect(await post('/v1/pdf/form', [file(path)], at('x'))).toMatchObject({
      status: 422,
      problem: { code: 'form_xfa', detail: expect.stringContaining('XFA') as string },
    });
    expect(await fill(path, at('x'), {})).toMatchObject({ status: 422, problem: { code: 'form_xfa' } });
  });
});

describe('filling a form', () => {
  it('sets the values that pikepdf reads, and draws them in every script, alike in poppler and PDFium', async () => {
    const at = workspace();
    const form = makeForm(at('form.pdf'));
    const image = await sharp({ create: { width: 40, height: 20, channels: 3, background: '#f00' } })
      .png()
      .toBuffer();
    const photo = `data:image/png;base64,${image.toString('base64')}`;
    expect(await fill(form, at('out.pdf'), { ...DATA, photo })).toMatchObject({ status: 200 });
    expectSound(at('out.pdf'));
    const fields = fieldsByPikepdf(at('out.pdf'));
    expect(fields).toMatchObject({
      name: { value: DATA.name },
      auto: { value: DATA.auto },
      notes: { value: DATA.notes },
      agree: { value: '/Ja', states: ['/Ja'] },
      bare: { value: '/Yes', states: ['/Yes'] },
      colour: { value: '/green', states: ['/Off', '/green', '/Off'] },
      country: { value: 'DE' },
      town: { value: 'Köln' },
      tags: { value: ['b', 'd'] },
      'address.city': { value: 'Αθήνα Москва' },
    });
    expect(difference(await drawings(at('out.pdf'), at))).toBeLessThan(0.01);
    const told = Object.fromEntries((await fieldsOf(at('out.pdf'))).map((one) => [one.name, one.value]));
    expect(told).toMatchObject({
      name: DATA.name,
      agree: true,
      bare: true,
      colour: 'green',
      tags: ['b', 'd'],
    });
    // Every font that the appearances use is embedded, and says which characters its glyphs are.
    const fonts = run('pdffonts', at('out.pdf'))
      .split('\n')
      .slice(2)
      .filter((line) => line !== '');
    expect(fonts.length).toBeGreaterThan(4);
  });

  it('flattens: the appearance stays, its text can be read, and no fields are left', async () => {
    const at = workspace();
    const form = makeForm(at('form.pdf'));
    const part: MultipartPart = {
      name: 'portrait',
      content: await sharp({ create: { width: 9, height: 9, channels: 3, background: '#00f' } })
        .png()
        .toBuffer(),
      filename: 'a.png',
      contentType: 'image/png',
    };
    const data = { ...DATA, photo: 'portrait' };
    await fill(form, at('kept.pdf'), data, part);
    expect(await fill(form, at('flat.pdf'), data, part, field('flatten', 'true'))).toMatchObject({
      status: 200,
    });
    expectSound(at('flat.pdf'));
    expect(fieldsByPikepdf(at('flat.pdf'))).toEqual({});
    expect(run('qpdf', '--json', '--json-key=acroform', at('flat.pdf'))).toContain('"hasacroform": false');
    const [kept] = await drawings(at('kept.pdf'), at);
    const [flat, byPdfium] = await drawings(at('flat.pdf'), at);
    expect(difference([kept ?? Buffer.alloc(0), flat ?? Buffer.alloc(0)])).toBe(0);
    expect(difference([flat ?? Buffer.alloc(0), byPdfium ?? Buffer.alloc(0)])).toBeLessThan(0.01);
    const text = run('pdftotext', '-layout', at('flat.pdf'), '-');
    for (const words of ['Zoë Müller Łódź', 'Αθήνα Москва', 'Germany', '日本語', 'turned'])
      expect(text).toContain(words);
    expect(text).not.toContain('abc');
    expect(run('pdfimages', '-list', at('flat.pdf'))).toMatch(/^ +1 +0 image +9 +9/m);
  });

  it('refuses names that the form has not, and values that its fields cannot have, all at once', async () => {
    const at = workspace();
    const form = makeForm(at('form.pdf'));
    const unknown = await fill(form, at('x'), { name: 'a', Name: 'b', address: { zip: 1 } });
    expect(unknown).toMatchObject({ status: 422, problem: { code: 'form_field_unknown' } });
    expect(unknown.problem['errors']).toMatchObject([{ field: 'data.Name' }, { field: 'data.address.zip' }]);
    const wrong = await fill(form, at('x'), {
      iban: 'longer than ten', country: 'Spain', tags: ['a', 'x'], colour: 'pink', sig: 'me', photo: 'nowhere',
    }); // prettier-ignore
    expect(wrong).toMatchObject({ status: 422, problem: { code: 'form_value_invalid' } });
    expect(wrong.problem['errors']).toMatchObject(
      ['iban', 'country', 'tags', 'colour', 'sig'].map((name) => ({ field: `data.${name}` })),
    );
    const image = await fill(form, at('x'), { photo: 'nowhere' });
    expect(image).toMatchObject({ status: 422, problem: { code: 'form_value_invalid' } });
    const glyph = await fill(form, at('x'), { name: '\u{10ffff}' });
    expect(glyph).toMatchObject({ status: 422, problem: { code: 'invalid_field' } });
    expect(JSON.stringify(glyph.problem)).toContain('data.name');
  });

  it('empties fields, switches boxes off, and leaves other fields unchanged', async () => {
    const at = workspace();
    const form = makeForm(at('form.pdf'));
    await fill(form, at('one.pdf'), DATA);
    expect(
      await fill(at('one.pdf'), at('two.pdf'), { name: null, agree: false, colour: null, tags: [] }),
    ).toMatchObject({
      status: 200,
    });
    expect(fieldsByPikepdf(at('two.pdf'))).toMatchObject({
      name: { value: null },
      agree: { value: '/Off', states: ['/Off'] },
      colour: { value: '/Off', states: ['/Off', '/Off', '/Off'] },
      tags: { value: null },
      town: { value: 'Köln' },
    });
  });

  /** A form as LibreOffice writes it: with values, and empty appearances that readers are asked to draw. */
  function askingForm(path: string, value = 'Kept Ж'): string {
    makeForm(path);
    const empty = `lambda: pdf.make_stream(b'/Tx BMC EMC', Type=Name.XObject, Subtype=Name.Form, BBox=[0, 0, 250, 20])`;
    change(
      path,
      `
empty = ${empty}
values = {'name': ${JSON.stringify(value)}, 'country': 'FR', 'tags': 'c'}
for field in pdf.Root.AcroForm.Fields:
    if str(field.T) in values:
        field.V = values[str(field.T)]
        field.AP = Dictionary(N=empty())`,
    );
    return path;
  }

  it('draws the other fields too where the form asks readers to draw them, because no reader does afterwards', async () => {
    const at = workspace();
    const output = at('filled.pdf');
    const answer = await fill(askingForm(at('form.pdf')), output, { auto: 'filled' });
    expect(answer.status).toBe(200);
    const text = run('pdftotext', '-layout', output, '-');
    for (const shown of ['Kept Ж', 'France', 'filled']) expect(text).toContain(shown);
    expect(run('qpdf', '--qdf', '--object-streams=disable', output, '-')).not.toContain('NeedAppearances');
    expect(fieldsByPikepdf(output)).toHaveProperty('notes');
  });

  it('leaves a value without a font to readers, and refuses to claim PDF/A for it', async () => {
    const at = workspace();
    const form = askingForm(at('form.pdf'), 'Kept \u{12000}');
    const output = at('filled.pdf');
    expect((await fill(form, output, { auto: 'filled' })).status).toBe(200);
    expect(run('qpdf', '--qdf', '--object-streams=disable', output, '-')).toContain('NeedAppearances true');
    const options = [field('conformance', ['pdf/a-2b'])];
    const refused = await post('/v1/pdf/conform', [file(form), ...options], at('refused.pdf'));
    expect(refused.status).toBe(422);
    expect(JSON.stringify(refused.problem)).toContain('field name');
  });

  it('shows the values of such a form in PDF/A as well', async () => {
    const at = workspace();
    const output = at('archive.pdf');
    const options = [field('conformance', ['pdf/a-2b']), field('language', 'en')];
    const answer = await post('/v1/pdf/conform', [file(askingForm(at('form.pdf'))), ...options], output);
    expect(answer.problem).toEqual({});
    const text = run('pdftotext', '-layout', output, '-');
    for (const shown of ['Kept Ж', 'France']) expect(text).toContain(shown);
  });

  it('keeps a file protected, and warns of removed XFA and remaining calculations', async () => {
    const at = workspace();
    const form = change(
      makeForm(at('form.pdf')),
      "f = pdf.Root.AcroForm; f.XFA = pdf.make_stream(b'<xdp/>'); f.CO = Array([f.Fields[0]])",
    );
    run('qpdf', '--encrypt', 'user', 'owner', '256', '--', form, at('locked.pdf'));
    const answer = await fill(at('locked.pdf'), at('out.pdf'), { name: 'x' }, field('password', 'user'));
    expect(answer.status).toBe(200);
    expect(answer.headers['warning']).toMatch(/XFA.*calculates/);
    expect(fieldsByPikepdf(at('out.pdf'), 'user')['name']).toMatchObject({ value: 'x' });
    expect(run('qpdf', '--show-encryption', '--password=owner', at('out.pdf'))).toContain('R = 6');
    expect(run('qpdf', '--qdf', '--password=user', at('out.pdf'), '-')).not.toContain('/XFA');
  });

  it('appends to a signed file, and breaks its signatures only if that is allowed', async () => {
    const at = workspace();
    const form = change(
      makeForm(at('form.pdf')),
      "s = [f for f in pdf.Root.AcroForm.Fields if f.T == 'sig'][0]; s.V = Dictionary(Type=Name.Sig, Filter=Name('/Adobe.PPKLite'), ByteRange=[0, 1, 2, 3], Contents=String('x'))",
    );
    expect(await fill(form, at('out.pdf'), { name: 'x' })).toMatchObject({ status: 200 });
    const [before, after] = [readFileSync(form), readFileSync(at('out.pdf'))];
    expect(after.subarray(0, before.length).equals(before)).toBe(true);
    expectSound(at('out.pdf'));
    expect(fieldsByPikepdf(at('out.pdf'))['name']).toMatchObject({ value: 'x' });
    const flatten = field('flatten', 'true');
    expect(await fill(form, at('x'), { name: 'x' }, flatten)).toMatchObject({
      status: 422,
      problem: { code: 'pdf_signed' },
    });
    expect(
      await fill(form, at('x'), { name: 'x' }, flatten, field('break_signatures', 'true')),
    ).toMatchObject({ status: 200 });
  });
});
