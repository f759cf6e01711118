import { execFileSync } from 'node:child_process';
import { PDFDocument, PDFName } from 'pdf-lib';
import { describe, expect, it } from 'vitest';
import {
  addTemplate,
  call,
  checkPdf,
  expectStatus,
  form,
  jsonOf,
  pdfInfo,
  pdfText,
  pixel,
  renderNow,
  zipEntries,
  zipEntry,
} from './client.ts';

const attach = async (id: string, kind: 'css' | 'img', content: string, filename: string, data: object) =>
  jsonOf(
    expectStatus(
      await call('POST', `/v1/template/${kind}/${id}`, {
        body: form({ file_data: [content, filename], template_data: JSON.stringify(data) }),
      }),
      200,
    ),
  );

const square = (colour: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><rect width="100" height="100" fill="${colour}"/></svg>`;

/** Puts an element at a place of the page, in centimetres. */
const at = (x: number, y: number, element: string) =>
  `<div style="position:absolute;left:${x}cm;top:${y}cm;width:1cm;height:1cm">${element}</div>`;

describe('rendering a stored template', () => {
  it('prints its data, its styles in the order added, and its images (I-11, I-13, I-15)', async () => {
    const html = `<style>h1 { color: rgb(0, 255, 0) }</style><h1>Grüße {{ name }}</h1>
      ${at(1, 5, '<div style="width:1cm;height:1cm" class="box"></div>')}
      ${at(3, 5, '<img style="width:1cm" src="{{ logos.red }}">')}
      ${at(5, 5, '<image style="width:1cm" src="{{ blue }}">')}`;
    const id = await addTemplate(html, {
      name: 'Größe 7',
      margin_top: 0,
      margin_left: 0,
      display_header_footer: false,
    });
    await attach(id, 'css', '.box { background: rgb(255, 0, 0) }', 'a.css', { format: 'css' });
    await attach(id, 'css', '.box { background: rgb(255, 255, 0) }', 'b.css', { format: 'css' });
    await attach(id, 'img', square('rgb(200,0,0)'), 'x.svg', { format: 'svg', uri: 'logos.red' });
    await attach(id, 'img', square('rgb(0,0,200)'), 'blue.svg', { format: 'svg' });

    const answer = expectStatus(
      await call('POST', `/v1/render/pdf/${id}`, {
        body: form({ render_data: '{"name": "Wörld"}', render_options: '{"display_header_footer": false}' }),
      }),
      200,
    );
    expect(answer.headers.get('content-type')).toBe('application/pdf');
    expect(answer.headers.get('content-disposition')).toContain("filename*=UTF-8''Gr%C3%B6%C3%9Fe%207.pdf");
    checkPdf(answer.bytes);
    expect(pdfText(answer.bytes)).toContain('Grüße Wörld');
    expect(pixel(answer.bytes, 1.5, 5.5)).toEqual([255, 255, 0]);
    expect(pixel(answer.bytes, 3.5, 5.5)).toEqual([200, 0, 0]);
    expect(pixel(answer.bytes, 5.5, 5.5)).toEqual([0, 0, 200]);
  });

  it('takes the options of the call, else of the template, else the defaults (I-7)', async () => {
    const id = await addTemplate('<p>x', { paper_format: 'A5', landscape: true });
    const own = expectStatus(await call('POST', `/v1/render/pdf/${id}`), 200);
    expect(pdfInfo(own.bytes)['Page size']).toMatch(/^595\.\d+ x 419\.\d+ pts/);
    const body = form({ render_options: '{"paper_format":"Letter","landscape":"false"}' });
    const called = expectStatus(await call('POST', `/v1/render/pdf/${id}`, { body }), 200);
    expect(pdfInfo(called.bytes)['Page size']).toBe('612 x 792 pts (letter)');
  });

  it('has the paper size of its style files, unless an option overrides it (I-49)', async () => {
    const id = await addTemplate('<p>x', { landscape: true });
    await attach(id, 'css', '@media print { @page { size: A6; margin: 1cm } }', 'print.css', {
      format: 'css',
    });
    const size = async (options: object): Promise<string> => {
      const body = form({ render_options: JSON.stringify(options) });
      const { bytes } = expectStatus(await call('POST', `/v1/render/pdf/${id}`, { body }), 200);
      return pdfInfo(bytes)['Page size'] ?? '';
    };
    for (const rendering_engine of ['chrome', 'webkit']) {
      expect(await size({ rendering_engine })).toMatch(/^419\.\d+ x 297\.\d+ pts/);
      expect(await size({ rendering_engine, css_page: true })).toMatch(/^297\.\d+ x 419\.\d+ pts/);
      expect(await size({ rendering_engine, css_page: false })).toMatch(/^841\.\d+ x 595\.\d+ pts/);
    }
  });

  it('lets a key of the data win over an image of that name (I-11)', async () => {
    const id = await addTemplate('[{{ logo }}]');
    await attach(id, 'img', square('red'), 'logo.svg', { format: 'svg' });
    const text = async (data: string) =>
      expectStatus(
        await call('POST', `/v1/render/html/${id}`, { body: form({ render_data: data }) }),
        200,
      ).bytes.toString();
    expect(await text('{"logo": "mine"}')).toBe('[mine]');
    expect(await text('{}')).toMatch(/^\[data:image\/svg\+xml;base64,/);
  });

  it('returns the filled html byte for byte, with the styles at the end of the head (I-13)', async () => {
    const html = '<!doctype html>\n<head><title>{{ t }}</title></head >\n<P >{{ n }} {{ f }}\t</p\n>&amp;é';
    const filled =
      '<!doctype html>\n<head><title>T</title></head >\n<P >10000000000000000000001 1.0\t</p\n>&amp;é';
    const id = await addTemplate(html);
    const body = () => form({ render_data: '{"t":"T","n":10000000000000000000001,"f":1.0}' });
    const plain = expectStatus(await call('POST', `/v1/render/html/${id}`, { body: body() }), 200);
    expect(plain.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(plain.bytes.toString()).toBe(filled);
    await attach(id, 'css', 'p { color: red }', 'a.css', { format: 'css' });
    const styled = expectStatus(await call('POST', `/v1/render/html/${id}`, { body: body() }), 200);
    expect(styled.bytes.toString()).toBe(
      filled.replace('</head >', '<style>\np { color: red }\n</style>\n</head >'),
    );
  });

  it('answers 404 for an unknown id, and 422 with the list for a format it cannot become', async () => {
    expect((await call('POST', '/v1/render/pdf/nothing')).status).toBe(404);
    const id = await addTemplate('x');
    const wrong = await call('POST', `/v1/render/xlsx/${id}`);
    expect(wrong.status).toBe(422);
    expect(jsonOf(wrong)).toMatchObject({
      code: 'unsupported_output_format',
      errors: [{ allowed: ['pdf', 'html', 'docx', 'odt', 'report', 'png', 'jpeg', 'webp'] }],
    });
  });
});

describe('rendering a template sent along', () => {
  it('has the name document without template_data, and accepts text parts as files (I-6 and I-13)', async () => {
    const body = new FormData();
    body.append('file_data', '<p>{{ a }}</p>');
    body.append('render_data', new Blob(['{"a": "from a file"}'], { type: 'application/json' }), 'data.json');
    const answer = expectStatus(await call('POST', '/v1/render/pdf', { body }), 200);
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename=document.pdf');
    expect(pdfText(answer.bytes)).toContain('from a file');
  });

  it('prints header and footer filled like the template, and the defaults where there are none (I-20)', async () => {
    const html = '<title>The {{ n }}</title><p>body</p>';
    const custom = await renderNow(html, {
      data: { n: 'Title' },
      header_data: ['<div style="font-size:12px">Head {{ n }} <span class=title></span></div>', 'h.html'],
      footer_data: ['Foot {{ n }}', 'f.txt'],
    });
    const text = pdfText(expectStatus(custom, 200).bytes);
    expect(text).toContain('Head Title The Title');
    expect(text).toContain('Foot Title');
    const standard = pdfText(expectStatus(await renderNow(html, { data: { n: 'Title' } }), 200).bytes);
    const today = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date());
    expect(standard).toContain('The Title');
    expect(standard).toContain(today);
    expect(standard).toMatch(/1\s*\/\s*1/);
    const none = await renderNow(html, { options: { display_header_footer: false } });
    expect(pdfText(none.bytes).trim()).toBe('body');
  });

  it('keeps the pages of page_range, compresses and encrypts (I-21)', async () => {
    const html = Array.from({ length: 5 }, (_, i) => `<p style="break-after:page">page ${i + 1}</p>`).join(
      '',
    );
    const some = expectStatus(
      await renderNow(html, { options: { page_range: '2-3,5', compress: true } }),
      200,
    );
    checkPdf(some.bytes);
    expect(pdfText(some.bytes).match(/page \d/g)).toEqual(['page 2', 'page 3', 'page 5']);
    const outside = await renderNow(html, { options: { page_range: '4-9' } });
    expect(jsonOf(outside)).toMatchObject({ status: 422, code: 'page_range_outside_document' });
    const locked = expectStatus(await renderNow(html, { options: { encrypt_password: 'sésame' } }), 200);
    expect(() => pdfInfo(locked.bytes)).toThrow(/Incorrect password/);
    expect(pdfInfo(locked.bytes, '-upw', 'sésame')['Encrypted']).toMatch(/^yes .*AES-256/);
  });

  it('names the file and the line of a template error, and shows nothing else (I-4)', async () => {
    const answer = await renderNow('<p>\n\n{{ 1 // 0 }}</p>');
    expect(answer.status).toBe(422);
    expect(jsonOf(answer)).toMatchObject({
      code: 'template_render',
      errors: [{ file: 'template', line: 3 }],
    });
    const header = await renderNow('<p>', { header_data: ['{% if %}', 'h.html'] });
    expect(jsonOf(header)).toMatchObject({ code: 'template_syntax', errors: [{ file: 'header', line: 1 }] });
    expect(answer.bytes.toString()).not.toMatch(/node_modules|\.ts|\.mjs|at .*\(/);
  });

  it('supports Flask and Liquid too (I-18)', async () => {
    const html = async (source: string, engine: string) =>
      (
        await renderNow(source, { data: { x: '<b>' }, options: { templating_engine: engine } }, 'html')
      ).bytes.toString();
    expect(await html('{{ x }}', 'jinja2')).toBe('<b>');
    expect(await html('{{ x }}', 'flask')).toBe('&lt;b&gt;');
    expect(await html('{% assign y = x | escape %}{{ y }}', 'liquid')).toBe('&lt;b&gt;');
  });

  it.each([
    ['a picture', Buffer.from('89504e470d0a1a0a0000', 'hex')],
    ['a PDF', Buffer.from('%PDF-1.7\n')],
    ['random bytes', Buffer.from('00ff00fe80817f', 'hex')],
  ])('refuses %s as a template', async (_, bytes) => {
    const body = form({ file_data: [bytes, 'x.html'], template_data: '{"name":"x","format":"html"}' });
    expect(jsonOf(await call('POST', '/v1/render/pdf', { body }))).toMatchObject({
      status: 422,
      code: 'template_file_invalid',
    });
  });
});

describe('batches', () => {
  it('renders a CSV of 25 rows into a ZIP, named and in order (I-15 and I-16)', async () => {
    const id = await addTemplate('<p>Dear {{ name }} of {{ city }}</p>', { name: 'Letter' });
    const rows = Array.from({ length: 25 }, (_, i) => `Person ${i + 1};Köln`).join('\n');
    const answer = expectStatus(
      await call('POST', `/v1/render/pdf/batch/${id}`, {
        body: form({ render_data: [`name;city\n${rows}\n`, 'people.csv'] }),
      }),
      200,
    );
    expect(answer.headers.get('content-type')).toBe('application/zip');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename=Letter.zip');
    const names = zipEntries(answer.bytes);
    expect(names).toEqual(
      Array.from({ length: 25 }, (_, i) => `Letter-${String(i + 1).padStart(2, '0')}.pdf`),
    );
    expect(pdfText(zipEntry(answer.bytes, 'Letter-17.pdf'))).toContain('Dear Person 17 of Köln');
  });

  it('is all or nothing, or skips on request by field or query (I-17)', async () => {
    const id = await addTemplate('{{ 10 // n }}', { name: 'N' });
    const data = '[{"n":1},{"n":0},{"n":2}]';
    const failed = await call('POST', `/v1/render/html/batch/${id}`, { body: form({ render_data: data }) });
    expect(failed.status).toBe(422);
    expect(jsonOf(failed)).toMatchObject({
      code: 'batch_failed',
      errors: [{ record: 1, file: 'template', line: 1 }],
    });
    for (const [path, extra] of [
      [`/v1/render/html/batch/${id}`, { on_error: 'skip' }],
      [`/v1/render/html/batch/${id}?on_error=skip`, {}],
    ] as const) {
      const answer = expectStatus(
        await call('POST', path, { body: form({ render_data: data, ...extra }) }),
        200,
      );
      expect(zipEntries(answer.bytes)).toEqual(['N-1.html', 'N-3.html', 'errors.json']);
      expect(JSON.parse(zipEntry(answer.bytes, 'errors.json').toString())).toMatchObject([{ record: 1 }]);
    }
  });

  it('takes a JSON body, and refuses an empty batch', async () => {
    const id = await addTemplate('{{ n }}');
    const headers = { 'content-type': 'application/json' };
    const json = await call('POST', `/v1/render/html/batch/${id}`, {
      headers,
      body: '{"render_data": [{"n": 1.0}, {"n": 2}]}',
    });
    expect(zipEntry(expectStatus(json, 200).bytes, 'Test-1.html').toString()).toBe('1.0');
    const empty = await call('POST', `/v1/render/html/batch/${id}`, { headers, body: '{"render_data": []}' });
    expect(jsonOf(empty)).toMatchObject({ status: 422, code: 'batch_empty' });
  });
});

it('warns of an unknown option and refuses a wrong one (I-7)', async () => {
  const warned = expectStatus(await renderNow('x', { options: { papr_format: 'A5' } }, 'html'), 200);
  expect(warned.headers.get('warning')).toContain('nearest known one is paper_format');
  const refused = await renderNow('x', { options: { scale: 5 } });
  expect(jsonOf(refused)).toMatchObject({ status: 422, code: 'invalid_option', errors: [{ value: 5 }] });
});

it('warns of each character that no font has, with both engines', async () => {
  for (const rendering_engine of ['chrome', 'webkit']) {
    const options = { rendering_engine };
    const warned = await renderNow('<p>{{ a }} Ω', { data: { a: '\u{12000}' }, options });
    expect(expectStatus(warned, 200).headers.get('warning')).toContain('No font has the character U+12000');
    const plain = await renderNow('<p>{{ a }} Ω', { data: { a: '日本 مرحبا' }, options });
    expect(expectStatus(plain, 200).headers.get('warning')).toBeNull();
  }
});

it('a document without a title has the name of its file as its title, in its own language', async () => {
  const german = '<html lang="de"><p>Guten Tag';
  const send = async (filename: string): Promise<string> => {
    const body = form({ file_data: [Buffer.from(german), filename] });
    const { bytes } = expectStatus(await call('POST', '/v1/render/pdf', { body }), 200);
    const { catalog } = await PDFDocument.load(bytes, { updateMetadata: false });
    expect(String(catalog.lookup(PDFName.of('Lang')))).toBe('(de)');
    return pdfText(bytes);
  };
  const text = await send('Rechnung 7.html');
  expect(text).toContain('Rechnung 7');
  expect(text).toContain(new Date().toLocaleDateString('de', { dateStyle: 'long', timeZone: 'UTC' }));
  expect(await send('file_data')).toContain('document');
});

describe('the metadata of a page', () => {
  const HEAD =
    '<meta name=author content="Ina Muster"><meta name=Author content="Jo &amp; Söhne"><meta name=keywords content="a, b">' +
    '<meta name=description content=" Kurz\n gesagt "><meta name=generator content=mine>';

  async function propertiesOf(html: string, options: object = {}) {
    const body = form({
      file_data: [html, 'a.html'],
      render_data: '{}',
      render_options: JSON.stringify(options),
    });
    const { bytes } = expectStatus(await call('POST', '/v1/render/pdf', { body }), 200);
    const lines = execFileSync('pdfinfo', ['-isodates', '-'], { input: bytes, encoding: 'utf8' }).split('\n');
    return Object.fromEntries(lines.map((line) => [line.split(':', 1)[0], line.replace(/^[^:]*:\s*/, '')]));
  }

  it.each(['chrome', 'webkit'])('becomes properties of the PDF: %s', async (engine) => {
    const html = `<!doctype html>${HEAD}<meta name=date content="2031-02-03T04:05:06Z"><title>T</title><p>x`;
    expect(await propertiesOf(html, { rendering_engine: engine })).toMatchObject({
      Title: 'T',
      Author: 'Ina Muster, Jo & Söhne',
      Keywords: 'a, b',
      Subject: 'Kurz gesagt',
      CreationDate: '2031-02-03T04:05:06Z',
    });
  });

  it('gives way to the steps of the request, and stays in PDF/A', async () => {
    const options = { steps: [{ metadata: { Author: 'Another' } }], conformance: ['pdf/a-2b'] };
    expect(await propertiesOf(`<html lang=de><title>T</title>${HEAD}<p>x`, options)).toMatchObject({
      Author: 'Another',
      Keywords: 'a, b',
      'Metadata Stream': 'yes',
    });
  });

  it('counts in the head alone, and a date that is none is no property', async () => {
    const properties = await propertiesOf(
      `<title>T</title><meta name=date content="next week"><template>${HEAD}</template><body>${HEAD}`,
    );
    expect(properties).not.toHaveProperty('Author');
    expect(properties['CreationDate']).toMatch(/^20/);
  });
});
