import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { pdfPicture, pdfRaster } from '../chrome/pdf.ts';
import { change, fieldsByPikepdf } from '../pdf/form-material.ts';
import { asFile, call, checkPdf, expectStatus, form, jsonOf, pdfText, renderNow } from './client.ts';

/** Form controls of html documents, which become fields of the PDF on request (I-48). */

interface Told {
  name: string;
  kind: string;
  value: unknown;
  page: number;
  x: number;
  y: number;
  w: number;
  h: number;
  options: string[];
  places?: { page: number }[];
  [key: string]: unknown;
}

async function fieldsOf(pdf: Buffer): Promise<Told[]> {
  const answer = await call('POST', '/v1/pdf/form', { body: form({ file: [pdf, 'form.pdf'] }) });
  return jsonOf(expectStatus(answer, 200))['fields'] as Told[];
}

async function printed(html: string, options: object = {}): Promise<{ pdf: Buffer; warning: string }> {
  const { bytes, headers } = expectStatus(
    await renderNow(html, { options: { form_fields: true, ...options } }),
    200,
  );
  checkPdf(bytes);
  return { pdf: bytes, warning: headers.get('warning') ?? '' };
}

const page = (body: string, css = ''): string =>
  `<!doctype html><html lang="en"><title>Form</title><style>${css}</style>${body}</html>`;

const CONTROLS = page(
  `<p><label>Full name <input name="person.name" value="Zoë Ж" maxlength="40" required></label> <input id="mail" type="email" placeholder="you@example.org"></p>
  <p><input type="number" name="n" value="4777"><input type="date" name="day" value="2024-01-02"><input type="password" name="pin" value="opensesame"></p>
  <p><label><input type="checkbox" name="agree" checked> I agree</label><input type="checkbox" name="hobby" value="chess"><input type="checkbox" name="hobby" value="go ж" checked></p>
  <fieldset><legend>Colour</legend><input type="radio" name="colour" value="red"><input type="radio" name="colour" value="green" checked></fieldset>
  <form><input type="radio" name="colour" value="so-so"></form>
  <p><select name="country"><option value="de">Germany<option value="fr" selected>France</select>
  <select name="tongues" multiple size="3"><option selected>German<option>French<option selected>Italian</select></p>
  <p><textarea name="notes" rows="4" cols="30">First line
second line</textarea> <input value="closed" disabled> <input type="hidden" name="secret" value="1"></p>
  <p dir="rtl"><input name="hebrew" value="שלום"></p><p><input name="kanji" value="漢字かな"></p>`,
);

test('controls become fields with their kinds, names, values and descriptions', async () => {
  const { pdf, warning } = await printed(CONTROLS);
  expect(warning).toBe('');
  const fields = new Map((await fieldsOf(pdf)).map((field) => [field.name, field]));
  expect([...fields.keys()]).toEqual(
    [
      ['person_name', 'mail', 'n', 'day', 'pin', 'agree', 'hobby', 'hobby 2', 'colour', 'colour 2'],
      ['country', 'tongues', 'notes', 'field 15', 'hebrew', 'kanji'],
    ].flat(),
  );
  expect(fields.get('person_name')).toMatchObject({
    kind: 'text',
    value: 'Zoë Ж',
    max_length: 40,
    required: true,
  });
  expect(fields.get('mail')).toMatchObject({ kind: 'text', value: null, required: false });
  expect(fields.get('day')).toMatchObject({ value: '2024-01-02' });
  expect(fields.get('pin')).toMatchObject({ kind: 'text', value: null });
  expect(fields.get('agree')).toMatchObject({ kind: 'checkbox', value: true, options: ['on'] });
  expect(fields.get('hobby')).toMatchObject({ value: false, options: ['chess'] });
  expect(fields.get('hobby 2')).toMatchObject({ value: true, options: ['go ж'] });
  expect(fields.get('colour')).toMatchObject({ kind: 'radio', value: 'green', options: ['red', 'green'] });
  expect(fields.get('colour 2')).toMatchObject({ kind: 'radio', value: null, options: ['so-so'] });
  expect(fields.get('country')).toMatchObject({
    kind: 'choice',
    value: 'fr',
    options: ['de', 'fr'],
    labels: ['Germany', 'France'],
  });
  expect(fields.get('tongues')).toMatchObject({ kind: 'list', value: ['German', 'Italian'] });
  expect(fields.get('notes')).toMatchObject({ multiline: true, value: 'First line\nsecond line' });
  expect(fields.get('field 15')).toMatchObject({ value: 'closed', read_only: true });
  const raw = asFile(pdf, (path) =>
    execFileSync('qpdf', ['--json', path], { encoding: 'utf8', maxBuffer: 64e6 }),
  );
  for (const described of ['Full name', 'you@example.org', 'I agree', 'Colour'])
    expect(raw).toContain(`"/TU": "u:${described}"`);
  expect(raw).not.toContain('opensesame');
  expect(raw).not.toContain('/NeedAppearances');
});

test('values are drawn once, and placeholders are not', async () => {
  const { pdf } = await printed(CONTROLS);
  const bare = asFile(pdf, (path) => readFileSync(change(path, 'del pdf.pages[0].Annots')));
  const [text, below] = [pdfText(pdf), pdfText(bare)];
  for (const shown of ['Zoë Ж', '4777', 'France', 'Italian', 'second line', 'closed', 'שלום', '漢字かな']) {
    expect(text).toContain(shown);
    expect(below).not.toContain(shown);
  }
  expect(text).not.toContain('you@example.org');
  expect(below).toContain('I agree');
});

const BOXED = `input { border: 3px solid #f00; padding: 4px; width: 200px; height: 30px; border-radius: 5px }
  h2 { break-before: page; margin: 0 } body { margin: 0 } input.inner { margin: 17.3px 0 0 41.7px }`;
const THREE = page(
  `<h1>One</h1><input name="first" value="1"><h2>Two</h2><input class="inner" name="second" value="2">
  <h2>Three</h2><div style="transform:scale(1.25);transform-origin:0 0;width:300px"><input name="third" value="3"></div>`,
  BOXED,
);
const isRed = ([red, green, blue]: [number, number, number]): boolean => red > 200 && green < 80 && blue < 80;
const DPI = 144;

/** The distances between the border of the field on a page and its rectangle, in points: left, top, right, bottom. */
async function insets(pdf: Buffer, field: Told | undefined, number: number): Promise<number[]> {
  const box = (await pdfRaster(pdf, number, DPI)).box(isRed);
  if (box === null || field === undefined) throw new Error(`no field on page ${number}`);
  const points = (pixels: number): number => (pixels * 72) / DPI;
  const [x, y, w, h] = [field.x, field.y, field.w, field.h].map((length) => (length / 2.54) * 72);
  const [left = 0, top = 0, wide = 0, high = 0] = [x, y, w, h];
  return [
    left - points(box.left),
    top - points(box.top),
    points(box.right + 1) - left - wide,
    points(box.bottom + 1) - top - high,
  ];
}

const BY_PAGE = { default: '<p>Page <span class="pageNumber"></span></p>', 2: '<p>Other</p>' };
test.each([
  ['on their pages', {}, 0.75],
  ['with a scale and headers by page', { scale: 0.6, header_file: BY_PAGE, margin_top: 3 }, 0.45],
  ['without a header on the first page', { disable_header_footer_first_page: true }, 0.75],
])('fields are where the borders of their controls are, %s', async (_, options, unit) => {
  const { pdf, warning } = await printed(THREE, options);
  expect(warning).toBe('');
  const fields = await fieldsOf(pdf);
  expect(fields.map(({ name, page: on }) => [name, on])).toEqual([
    ['first', 1],
    ['second', 2],
    ['third', 3],
  ]);
  // The text of a field begins two points from its edge.
  const beside = (pixel: number): number => 7 * pixel - 2;
  const above = (pixel: number): number => 3 * pixel;
  for (const [index, pixel] of [unit, unit, unit * 1.25].entries()) {
    const found = await insets(pdf, fields[index], index + 1);
    const wanted = [beside(pixel), above(pixel), beside(pixel), above(pixel)];
    for (const [side, distance] of found.entries())
      expect(Math.abs(distance - (wanted[side] ?? 0)), `side ${side} of ${index + 1}`).toBeLessThan(0.75);
  }
});

test('apart from the controls, a page looks as without fields', async () => {
  const html = page(
    `<p>Before <label><input type="checkbox" name="box"> box</label> <input type="radio"> <input name="field" size="8"> after</p>
    <div style="zoom:1.5">large <input type="checkbox"> text <input name="large"> end</div><p>The next line</p>
    <p style="display:flex"><span>flex</span><input type="checkbox" style="margin:7px"><select><option>x</select></p><p>The last line</p>`,
  );
  const [plain, { pdf }] = await Promise.all([renderNow(html), printed(html)]);
  const [before, after] = await Promise.all([pdfRaster(plain.bytes), pdfRaster(pdf)]);
  const boxes = (await fieldsOf(pdf)).map(({ x, y, w, h }) =>
    [x, y, x + w, y + h].map((length) => (length / 2.54) * 72),
  );
  const isOutside = (x: number, y: number): boolean =>
    boxes.every(
      ([left = 0, top = 0, right = 0, bottom = 0]) =>
        x < left - 2 || x > right + 2 || y < top - 2 || y > bottom + 2,
    );
  let different = 0;
  for (let y = 0; y < before.height; y++) {
    for (let x = 0; x < before.width; x++)
      if (isOutside(x, y) && before.at(x, y).join() !== after.at(x, y).join()) different += 1;
  }
  expect(different).toBe(0);
});

test('of a page range, the fields are those of its pages, with the same names', async () => {
  const html = page(
    '<p><input name="same" value="1"><p style="break-before:page"><input name="same" value="2"><input type="radio" name="r" value="a" checked><p style="break-before:page"><input type="radio" name="r" value="b">',
  );
  const whole = await fieldsOf((await printed(html)).pdf);
  expect(whole.map(({ name, page: on }) => [name, on])).toEqual([
    ['same', 1],
    ['same 2', 2],
    ['r', 2],
  ]);
  const { pdf, warning } = await printed(html, { page_range: '2-' });
  expect(warning).toBe('');
  const fields = await fieldsOf(pdf);
  expect(fields.map(({ name, value, page: on }) => [name, value, on])).toEqual([
    ['same 2', '2', 1],
    ['r', 'a', 1],
  ]);
  expect(fields[1]?.places?.map((place) => place.page)).toEqual([1, 2]);
});

test('a document with contents and footnotes has its fields where they are at last', async () => {
  const html = page(
    `<p><a href="#two">Second</a></p><p>Text<span class="note">a note</span> <input name="first" value="1"></p>
    <h2 id="two">Two</h2><input name="second" value="2">`,
    'a::after{content:" on page " target-counter(attr(href), page)} .note{float:footnote} h2{break-before:page}',
  );
  const { pdf, warning } = await printed(html);
  expect(warning).toBe('');
  expect(pdfText(pdf)).toContain('on page 2');
  expect((await fieldsOf(pdf)).map(({ name, page: on }) => [name, on])).toEqual([
    ['first', 1],
    ['second', 2],
  ]);
});

test('controls that cannot become fields are named once, and printed as without the option', async () => {
  const html = page(
    `<input name="good" value="fine"> <input type="file" name="upload"> <input type="range" name="volume"> <button>Send</button>
    <p style="opacity:.5"><input name="faint" value="faint one"></p>
    <p style="margin:40px"><input name="turned" value="turned" style="transform:rotate(9deg)"></p>
    <p><input type="checkbox" name="switch" style="appearance:none;width:50px;height:16px;background:#ccc"></p>
    <p style="overflow:hidden;width:50px;height:30px;white-space:nowrap"><input name="cut" value="cut one"></p>
    <p><label><input type="checkbox" name="drawn" style="display:none"> drawn otherwise</label></p>`,
  );
  const { pdf, warning } = await printed(html);
  expect(warning.match(/form_fields/g)).toHaveLength(1);
  for (const name of [
    'file upload',
    'range volume',
    'button Send',
    'text faint',
    'text turned',
    'checkbox switch',
    'text cut',
    'checkbox drawn',
  ])
    expect(warning).toContain(name);
  expect(warning).not.toContain('good');
  expect((await fieldsOf(pdf)).map(({ name }) => name)).toEqual(['good']);
  for (const shown of ['faint one', 'turned', 'fine']) expect(pdfText(pdf)).toContain(shown);
  const only = page('<p style="margin:40px"><input value="x" style="transform:rotate(9deg)"></p>');
  const [plain, none] = await Promise.all([renderNow(only), printed(only)]);
  expect(pdfPicture(none.pdf).equals(pdfPicture(plain.bytes))).toBe(true);
  expect(await fieldsOf(none.pdf)).toEqual([]);
});

test('the fields can be filled and flattened, and look the same afterwards', async () => {
  const { pdf } = await printed(CONTROLS);
  const data = {
    person_name: 'Łukasz',
    agree: false,
    colour: 'red',
    country: 'de',
    tongues: ['French'],
    hebrew: 'עולם',
  };
  const filling = { file: [pdf, 'form.pdf'] as [Buffer, string], data: JSON.stringify(data) };
  const filled = expectStatus(await call('POST', '/v1/pdf/form/fill', { body: form(filling) }), 200);
  expect(asFile(filled.bytes, (path) => fieldsByPikepdf(path))).toMatchObject({
    person_name: { value: 'Łukasz' },
    agree: { value: '/Off' },
    colour: { value: '/red', states: ['/red', '/Off'] },
    country: { value: 'de' },
  });
  for (const shown of ['Łukasz', 'Germany', 'עולם']) expect(pdfText(filled.bytes)).toContain(shown);
  const body = form({ file: [filled.bytes, 'filled.pdf'] });
  const flat = expectStatus(await call('POST', '/v1/pdf/flatten', { body }), 200);
  expect(asFile(flat.bytes, (path) => fieldsByPikepdf(path))).toEqual({});
  expect(pdfPicture(flat.bytes, 1, 100).equals(pdfPicture(filled.bytes, 1, 100))).toBe(true);
});

test('each field has a tag beside its label, with PDF/A and PDF/UA', async () => {
  const html = page(
    '<p><label>Name <input name="a" value="Ж"></label> between <input type="checkbox" name="b" title="B"> after</p>',
  );
  const { pdf, warning } = await printed(html, { conformance: ['pdf/a-2a', 'pdf/ua-1'] });
  expect(warning).toMatch(/^[^,]*Helvetica by Arimo"$/);
  const tree = asFile(pdf, (path) => execFileSync('pdfinfo', ['-struct-text', path], { encoding: 'utf8' }));
  const order = Array.from(
    tree.matchAll(/"(\w+) *"|" *(\w+) *"|(Form)\n +Object/g),
    ([, a, b, c]) => a ?? b ?? c,
  );
  expect(order).toEqual(['Name', 'Form', 'between', 'Form', 'after']);
});

test('the documents of a batch keep their fields in one PDF', async () => {
  const body = form({
    file_data: ['<html lang="en"><title>t</title><input name="who" value="{{ who }}">', 'template.html'],
    render_data: JSON.stringify([{ who: 'Ada' }, { who: 'Bob' }]),
    combine: 'pdf',
    render_options: JSON.stringify({ form_fields: true }),
  });
  const { bytes } = expectStatus(await call('POST', '/v1/render/pdf/batch', { body }), 200);
  expect((await fieldsOf(bytes)).map(({ value, page: on }) => [value, on])).toEqual([
    ['Ada', 1],
    ['Bob', 2],
  ]);
});

test('WebKit prints the controls, with a warning', async () => {
  const { pdf, warning } = await printed(page('<input name="a" value="shown">'), {
    rendering_engine: 'webkit',
  });
  expect(warning).toContain('form_fields');
  expect(await fieldsOf(pdf)).toEqual([]);
  expect(pdfText(pdf)).toContain('shown');
});
