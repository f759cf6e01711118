import { docx, p } from '../office/build.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Serve } from '../../functions/shared/http/index.ts';
import { imageFileSchema, styleFileSchema, templateSchema } from '../../packages/contract/src/resources.ts';
import { templateRoutes } from '../../packages/contract/src/routes/templates.ts';
import { type EmbeddedStorage, startEmbeddedStorage } from '../store/embedded.ts';
import { failing, intercepting } from '../store/faults.ts';
import { sample } from '../formats/build.ts';
import { type Answer, caller, type Call, gatewayEvent, type Part } from './gateway.ts';

let storage: EmbeddedStorage;
let serve: Serve;
let call: ReturnType<typeof caller>;
beforeAll(async () => {
  storage = await startEmbeddedStorage();
  ({ serve } = await import('../../functions/templates/handler.ts'));
  call = caller(serve);
});
afterAll(() => storage.stop());

/** A tenant of its own for every test that looks at lists. */
let tenants = 0;
const newTenant = (): string => `t${(tenants += 1)}`;

const HTML = '<h1>Invoice {{ number }}</h1>';
const htmlFile = { bytes: HTML, filename: 'invoice.html' };
const add = (
  data: object,
  files: Record<string, Part> = { file_data: htmlFile },
  more: Call = {},
): Promise<Answer> =>
  call('POST', '/template', null, { ...more, form: { template_data: JSON.stringify(data), ...files } });
const addInvoice = async (tenant = 'acme', data: object = {}): Promise<string> =>
  String((await add({ name: 'Invoice', format: 'html', ...data }, undefined, { tenant })).json()['id']);
const attach = (
  kind: 'css' | 'img',
  id: string,
  data: object,
  file: Part,
  tenant = 'acme',
): Promise<Answer> =>
  call('POST', `/template/${kind}/{id}`, id, {
    tenant,
    form: { template_data: JSON.stringify(data), file_data: file },
  });
const faults = (answer: Answer): Record<string, unknown>[] =>
  answer.json()['errors'] as Record<string, unknown>[];

describe('adding and getting a template', () => {
  it('answers 200 with every scalar field, defaults filled in, files as ids only (I-3 and I-9)', async () => {
    const answer = await add({ name: 'Invoice', format: 'html' });
    expect(answer.status).toBe(200);
    const template = templateSchema.parse(answer.json());
    expect(template).toEqual({
      id: expect.any(String),
      name: 'Invoice',
      format: 'html',
      description: null,
      templating_engine: 'jinja2',
      paper_format: 'A4',
      landscape: false,
      margin_top: 2,
      margin_bottom: 2,
      margin_left: 1,
      margin_right: 1,
      css_page: null,
      paper_width: null,
      paper_height: null,
      scale: 1,
      print_background: true,
      page_range: null,
      page_number_footer_enabled: true,
      date_header_enabled: true,
      date_locale: 'en_US',
      locale: null,
      first_page_number: 1,
      title_header_enabled: true,
      display_header_footer: true,
      rendering_engine: 'chrome',
      compress: false,
      disable_header_footer_first_page: false,
      filename: null,
      undefined: 'warn',
      autoescape: null,
      template_file: { id: expect.any(String) },
      header_file: null,
      footer_file: null,
      style_files: [],
      image_files: [],
      partials: [],
      fonts: [],
      tags: [],
      samples: [],
      data_schema: null,
      version: 1,
      published_version: 1,
      latest_version: 1,
      note: null,
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    const got = await call('GET', '/template/{id}', template.id);
    expect([got.status, got.json()]).toEqual([200, template]);
  });

  it('keeps the given fields, under aliases and as text too, and accepts extra fields of clients (I-6 and I-7)', async () => {
    const answer = await add(
      {
        name: 'Ünïcode / name',
        format: 'html',
        description: 'd',
        landscape: 'true',
        margin_top: '1.5',
        scale: 0.1,
        background: false,
        page_range: '1-3',
        date_locale: 'ar_EG',
        id: null,
        number: 7,
        timestamp: 'x',
        template_name: 'x',
      },
      { file_data: htmlFile, header_data: '<b>{{ x }}</b>', footer_data: { bytes: 'page', filename: '' } },
    );
    expect([answer.status, answer.headers['warning']]).toEqual([200, undefined]);
    expect(answer.json()).toMatchObject({
      name: 'Ünïcode / name',
      description: 'd',
      landscape: true,
      margin_top: 1.5,
      margin_bottom: 2,
      scale: 0.1,
      print_background: false,
      page_range: '1-3',
      date_locale: 'ar_EG',
      header_file: { id: expect.any(String) },
      footer_file: { id: expect.any(String) },
    });
  });

  it('takes bytes without a file name, and a file as text, as clients send them', async () => {
    expect(
      (await add({ name: 'n', format: 'html' }, { file_data: { bytes: HTML, filename: '' } })).status,
    ).toBe(200);
    expect((await add({ name: 'n', format: 'html' }, { file_data: HTML })).status).toBe(200);
  });

  it.each([
    ['docx', 'letter.docx'],
    ['odt', 'letter.odt'],
    ['xlsx', 'sheets.xlsx'],
    ['ods', 'sheets.ods'],
  ])('stores a %s and gives the same bytes back', async (format, name) => {
    const bytes = sample(name);
    const { id } = (await add({ name: 'Letter', format }, { file_data: { bytes, filename: name } })).json();
    const file = await call('GET', '/template/file/{id}', String(id));
    expect(file.bytes.equals(bytes)).toBe(true);
    expect(file.headers['content-type']).toMatch(/^application\/vnd\.(openxmlformats|oasis)/);
    expect(file.headers['content-disposition']).toBe(`attachment; filename=${name}`);
  });
});

describe('a template that is refused', () => {
  it.each<[string, object, Record<string, Part>, number, string, object]>([
    [
      'without a name',
      { format: 'html' },
      { file_data: htmlFile },
      422,
      'missing_field',
      { field: 'template_data.name' },
    ],
    ['without a file', { name: 'n', format: 'html' }, {}, 422, 'missing_field', { field: 'file_data' }],
    [
      'with an empty file',
      { name: 'n', format: 'html' },
      { file_data: { bytes: '', filename: 'a.html' } },
      422,
      'missing_field',
      { field: 'file_data' },
    ],
    [
      'of an unknown format',
      { name: 'n', format: 'rtf' },
      { file_data: htmlFile },
      422,
      'invalid_field',
      { field: 'template_data.format', value: 'rtf' },
    ],
    [
      'with a scale out of range',
      { name: 'n', format: 'html', scale: 3 },
      { file_data: htmlFile },
      422,
      'invalid_field',
      { field: 'template_data.scale', value: 3 },
    ],
    [
      'that is a picture',
      { name: 'n', format: 'html' },
      { file_data: { bytes: sample('rgba.png'), filename: 'a.html' } },
      422,
      'template_file_invalid',
      { field: 'file_data', file: 'template' },
    ],
    [
      'that is html and called docx',
      { name: 'n', format: 'docx' },
      { file_data: htmlFile },
      422,
      'template_file_invalid',
      { field: 'file_data', message: 'The file is text, but template_data.format is docx.' },
    ],
    [
      'that is docx and called html',
      { name: 'n', format: 'html' },
      { file_data: { bytes: sample('letter.docx'), filename: 'a' } },
      422,
      'template_file_invalid',
      { message: 'The file is docx, but template_data.format is html.' },
    ],
    [
      'that is docx and called xlsx',
      { name: 'n', format: 'xlsx' },
      { file_data: { bytes: sample('letter.docx'), filename: 'a' } },
      422,
      'template_file_invalid',
      { field: 'file_data' },
    ],
    [
      'that is cut off',
      { name: 'n', format: 'docx' },
      { file_data: { bytes: sample('corrupt.docx'), filename: 'a' } },
      422,
      'office_file_damaged',
      { field: 'file_data' },
    ],
    [
      'whose header is a picture',
      { name: 'n', format: 'html' },
      { file_data: htmlFile, header_data: { bytes: sample('rgb.jpg'), filename: 'h' } },
      422,
      'template_file_invalid',
      { field: 'header_data', file: 'header', message: 'The header is a picture (jpeg), not text.' },
    ],
    [
      'of too many bytes',
      { name: 'n', format: 'html' },
      { file_data: { bytes: 'x'.repeat(8 * 1024 * 1024 + 1), filename: 'a' } },
      413,
      'file_too_large',
      { field: 'file_data' },
    ],
    [
      'with a header of too many bytes',
      { name: 'n', format: 'html' },
      { file_data: htmlFile, header_data: 'x'.repeat(1024 * 1024 + 1) },
      413,
      'file_too_large',
      { field: 'header_data' },
    ],
  ])('%s is named, and leaves nothing', async (_what, data, files, status, code, fault) => {
    const tenant = newTenant();
    const answer = await add(data, files, { tenant });
    expect([answer.status, answer.json()['code']]).toEqual([status, code]);
    expect(faults(answer)).toEqual([expect.objectContaining(fault)]);
    expect((await call('GET', '/template', null, { tenant })).bytes.toString()).toBe('[]');
  });

  it('is 400 if its template_data is not JSON', async () => {
    const answer = await call('POST', '/template', null, {
      form: { template_data: '{name', file_data: htmlFile },
    });
    expect([answer.status, answer.json()['code']]).toEqual([400, 'malformed_json']);
  });
});

describe('options of a template (I-7)', () => {
  it.each([
    ['a-b', 'page_range_invalid'],
    ['5-2', 'page_range_invalid'],
    ['0', 'page_range_outside_document'],
    ['1-99999999999999999999', 'page_range_outside_document'],
  ])(
    'a page range %s that no rendering could follow is refused when it is added',
    async (page_range, code) => {
      const tenant = newTenant();
      const answer = await add({ name: 'n', format: 'html', page_range }, undefined, { tenant });
      expect([answer.status, answer.json()['code']]).toEqual([422, code]);
      expect(faults(answer)).toEqual([
        expect.objectContaining({ field: 'template_data.page_range', value: page_range }),
      ]);
      expect((await call('GET', '/template', null, { tenant })).bytes.toString()).toBe('[]');
    },
  );

  it('are kept, and shown as they were given', async () => {
    const options = {
      rendering_engine: 'webkit',
      display_header_footer: false,
      compress: true,
      date_locale: 'de_AT',
      page_range: '2-',
    };
    const id = await addInvoice('acme', options);
    expect((await call('GET', '/template/{id}', id)).json()).toMatchObject(options);
  });

  it('with a password are refused, so that an unencrypted document is never mistaken for an encrypted one', async () => {
    const tenant = newTenant();
    const data = { name: 'n', format: 'docx', encrypt_password: 'hidden-word' };
    const answer = await add(
      data,
      { file_data: { bytes: await docx(p('x')), filename: 'a.docx' } },
      { tenant },
    );
    expect([answer.status, answer.json()['code']]).toEqual([422, 'option_not_supported']);
    expect(answer.bytes.toString()).not.toContain('hidden-word');
    expect((await call('GET', '/template', null, { tenant })).bytes.toString()).toBe('[]');
  });
});

describe('placeholders that do not parse (I-8)', () => {
  it('are refused with file, line and source; all files at fault at once', async () => {
    const answer = await add(
      { name: 'n', format: 'html' },
      { file_data: '<p>\n  {{ total | }}\n</p>', header_data: '{% if x %}', footer_data: 'fine {{ x }}' },
    );
    expect([answer.status, answer.json()['code']]).toEqual([422, 'template_syntax']);
    expect(faults(answer)).toEqual([
      expect.objectContaining({ field: 'file_data', file: 'template', line: 2, source: '  {{ total | }}' }),
      expect.objectContaining({ field: 'header_data', file: 'header', line: 1 }),
    ]);
    expect(answer.json()['detail']).toMatch(/^The template cannot be parsed in line 2, column \d+: /);
  });

  it('in an office file are refused with part, paragraph and tag', async () => {
    const wrong = await docx(p('fine {{ a }}') + p('{% for x in ', 'y }}'));
    const answer = await add(
      { name: 'n', format: 'docx' },
      { file_data: { bytes: wrong, filename: 'a.docx' } },
    );
    expect([answer.status, answer.json()['code']]).toEqual([422, 'template_syntax']);
    expect(faults(answer)).toEqual([
      expect.objectContaining({ field: 'file_data', file: 'word/document.xml', line: 2 }),
    ]);
    const right = await docx(p('{% for x in ', 'y %}') + p('{{ x }}') + p('{% endfor %}'));
    const file = { bytes: right, filename: 'a.docx' };
    expect((await add({ name: 'n', format: 'docx' }, { file_data: file })).status).toBe(200);
  });

  it('may contain every tag of a rendering', async () => {
    const text =
      '{% do a.append(1) %}{% for x in a %}{% if x %}{% continue %}{% endif %}{% break %}{% endfor %}{% debug %}';
    expect((await add({ name: 'n', format: 'html' }, { file_data: text })).status).toBe(200);
    const flask = await add(
      { name: 'n', format: 'html', templating_engine: 'flask' },
      { file_data: '{{ a|tojson }}' },
    );
    expect(flask.status).toBe(200);
  });

  it('are not searched for in a template with templating_engine none', async () => {
    const finished = '<style>a{#b{%c}}</style><script>f({{a:{{}}})</script>' + '{{'.repeat(20_001);
    const data = { name: 'n', templating_engine: 'none' };
    const files = { file_data: finished, header_data: '{% if x %}' };
    const html = await add({ ...data, format: 'html' }, files);
    expect([html.status, html.json()['templating_engine']]).toEqual([200, 'none']);
    const bytes = await docx(p('{% for x in y'));
    const office = await add({ ...data, format: 'docx' }, { file_data: { bytes, filename: 'a.docx' } });
    expect(office.status).toBe(200);
    const forgotten = await add({ name: 'n', format: 'html' }, { file_data: '<style>a{#b}</style>' });
    expect(forgotten.json()['detail']).toMatch(/set template_data.templating_engine .*to none if/);
  });

  it('are searched for in the templating language of the template', async () => {
    const liquid = '{% assign total = items | size %}{{ total }}';
    const refused = await add({ name: 'n', format: 'html' }, { file_data: liquid });
    expect(refused.status).toBe(422);
    expect(refused.json()['detail']).toContain(
      'It would parse as liquid: set template_data.templating_engine',
    );
    const accepted = await add(
      { name: 'n', format: 'html', templating_engine: 'liquid' },
      { file_data: liquid },
    );
    expect([accepted.status, accepted.json()['templating_engine']]).toEqual([200, 'liquid']);
    const wrong = await add(
      { name: 'n', format: 'html', templating_engine: 'liquid' },
      { file_data: 'a\n{% for x %}' },
    );
    expect(faults(wrong)).toEqual([
      expect.objectContaining({ file: 'template', line: 2, column: 1, source: '{% for x %}' }),
    ]);
    expect(String(faults(wrong)[0]?.['message'])).not.toContain('line:');
  });

  it('in a line as long as the file are shown with the text around them', async () => {
    const answer = await add(
      { name: 'n', format: 'html' },
      { file_data: `${'x'.repeat(5000)}{{ a b }}${'y'.repeat(5000)}` },
    );
    const source = String(faults(answer)[0]?.['source']);
    expect(source.length).toBeLessThan(200);
    expect(source).toContain('{{ a b }}');
  });

  it.each([
    [
      'placeholders without number',
      '{{ a }}'.repeat(20_001),
      'template_budget',
      'The template holds more than 20000 placeholders',
    ],
    [
      'placeholders without end',
      `{{ ${'a,'.repeat(300_000)} }}`,
      'template_budget',
      'The template holds placeholders of more than 512 KB in all',
    ],
    [
      'a chain of filters without end',
      `{{ a${'|upper'.repeat(60_000)} }}`,
      'template_syntax',
      'more than 1000 operators in a row',
    ],
  ])('%s are refused as too much', async (_what, text, code, message) => {
    const answer = await add({ name: 'n', format: 'html' }, { file_data: text });
    expect([answer.status, answer.json()['code']]).toEqual([422, code]);
    expect(faults(answer)).toEqual([
      expect.objectContaining({ field: 'file_data', file: 'template', message }),
    ]);
  });

  it('20000 placeholders in megabytes of text are not too much', async () => {
    const text = `<p>${'x'.repeat(300)}</p>{{ a }}\n`.repeat(20_000);
    for (const templating_engine of ['jinja2', 'liquid']) {
      expect((await add({ name: 'n', format: 'html', templating_engine }, { file_data: text })).status).toBe(
        200,
      );
    }
  });

  it.each([
    ['a template nested beyond reason', '{% if a %}'.repeat(20_000)],
    ['an expression nested beyond reason', `{{ ${'('.repeat(50_000)} }}`],
    ['an unclosed comment', '{# '.repeat(1000)],
  ])('%s is refused and the next request is served', async (_what, text) => {
    expect((await add({ name: 'n', format: 'html' }, { file_data: text })).status).toBe(422);
    expect((await add({ name: 'n', format: 'html' })).status).toBe(200);
  });
});

describe('listing', () => {
  it('is newest first, limited where asked, and ignores "active" (I-9)', async () => {
    const tenant = newTenant();
    for (const name of ['first', 'second', 'third']) await addInvoice(tenant, { name });
    const names = async (query: Record<string, string>): Promise<unknown[]> => {
      const answer = await call('GET', '/template', null, { tenant, query });
      return (answer.json() as unknown as { name: string }[]).map(({ name }) => name);
    };
    expect(await names({})).toEqual(['third', 'second', 'first']);
    expect(await names({ limit: '2', active: 'true' })).toEqual(['third', 'second']);
    expect(await names({ limit: '99' })).toHaveLength(3);
    expect(await names({ limit: '' })).toHaveLength(3);
  });

  it('continues where a page ended, until there is no next one', async () => {
    const tenant = newTenant();
    for (let n = 0; n < 5; n += 1) await addInvoice(tenant, { name: `n${n}` });
    const names: unknown[] = [];
    let query: Record<string, string> | null = { limit: '2' };
    for (let pages = 0; query !== null; pages += 1) {
      expect(pages).toBeLessThan(3);
      const answer = await call('GET', '/template', null, { tenant, query });
      names.push(...(answer.json() as unknown as { name: string }[]).map(({ name }) => name));
      const next: string | undefined = /^<\/v1\/template\?(.*)>; rel="next"$/.exec(
        answer.headers['link'] ?? '',
      )?.[1];
      query = next === undefined ? null : Object.fromEntries(new URLSearchParams(next));
    }
    expect(names).toEqual(['n4', 'n3', 'n2', 'n1', 'n0']);
    const wrong = await call('GET', '/template', null, { tenant, query: { cursor: 'nonsense' } });
    expect([wrong.status, faults(wrong)[0]?.['field']]).toEqual([422, 'cursor']);
  });

  it.each(['0', '-1', '1.5', 'ten'])('a limit of %s is refused', async (limit) => {
    const answer = await call('GET', '/template', null, { query: { limit } });
    expect([answer.status, faults(answer)[0]?.['field']]).toEqual([422, 'limit']);
  });
});

describe('style files', () => {
  it('are answered with their metadata, listed in the order added, and downloaded at both addresses (I-10 and I-11)', async () => {
    const id = await addInvoice();
    const css = '@page { margin: 0 }\n.é { color: red }';
    const answer = await attach(
      'css',
      id,
      { format: 'css', description: 'd' },
      { bytes: css, filename: 'print.css' },
    );
    expect(answer.status).toBe(200);
    const style = styleFileSchema.parse(answer.json());
    expect(style).toMatchObject({ template_id: id, format: 'css', filename: 'print.css', description: 'd' });
    const second = (await attach('css', id, { format: 'css' }, { bytes: 'b{}', filename: '' })).json();
    expect(second).toMatchObject({ filename: null, description: null });
    expect((await call('GET', '/template/{id}', id)).json()['style_files']).toEqual([style, second]);
    for (const address of ['/css/template/file/{id}', '/template/css/file/{id}']) {
      const file = await call('GET', address, style.id);
      expect([file.status, file.bytes.toString()]).toEqual([200, css]);
      expect(file.headers).toMatchObject({
        'content-type': 'text/css; charset=utf-8',
        'content-disposition': 'attachment; filename=print.css',
        'content-length': String(Buffer.byteLength(css)),
      });
    }
    const unnamed = await call('GET', '/css/template/file/{id}', String(second['id']));
    expect(unnamed.headers['content-disposition']).toBe('attachment; filename=style.css');
  });

  it('keep the name given in their data, without the folders some clients send', async () => {
    const id = await addInvoice();
    const answer = await attach(
      'css',
      id,
      { format: 'css', filename: 'C:\\styles\\a.css' },
      { bytes: 'a{}', filename: 'b.css' },
    );
    expect(answer.json()['filename']).toBe('a.css');
  });

  it('are deleted with 204 alone, and do not exist afterwards', async () => {
    const id = await addInvoice();
    const style = String((await attach('css', id, { format: 'css' }, 'a{}')).json()['id']);
    const answer = await call('DELETE', '/template/css/{id}', style);
    expect([answer.status, answer.bytes.length]).toEqual([204, 0]);
    expect((await call('DELETE', '/template/css/{id}', style)).status).toBe(404);
    expect((await call('GET', '/template/css/file/{id}', style)).status).toBe(404);
    expect((await call('GET', '/template/{id}', id)).json()['style_files']).toEqual([]);
  });

  it.each<[string, object, Part, number, string]>([
    ['without a format', {}, 'a{}', 422, 'missing_field'],
    ['of another format', { format: 'scss' }, 'a{}', 422, 'invalid_field'],
    [
      'that is a picture',
      { format: 'css' },
      { bytes: sample('rgba.png'), filename: 'a.css' },
      422,
      'stylesheet_invalid',
    ],
    ['that is html', { format: 'css' }, '<style>a{}</style>', 422, 'stylesheet_invalid'],
    ['that would end its element', { format: 'css' }, 'a{} </STYLE><script>', 422, 'stylesheet_invalid'],
    [
      'that is not text',
      { format: 'css' },
      { bytes: Buffer.from('a{content:"\xe9"}', 'latin1'), filename: 'a.css' },
      422,
      'stylesheet_invalid',
    ],
    ['of too many bytes', { format: 'css' }, 'a'.repeat(2 * 1024 * 1024 + 1), 413, 'file_too_large'],
    ['that is empty', { format: 'css' }, { bytes: '', filename: 'a.css' }, 422, 'missing_field'],
  ])('%s are refused', async (_what, data, file, status, code) => {
    const id = await addInvoice();
    const answer = await attach('css', id, data, file);
    expect([answer.status, answer.json()['code']]).toEqual([status, code]);
    expect((await call('GET', '/template/{id}', id)).json()['style_files']).toEqual([]);
  });
});

describe('images', () => {
  it.each([
    ['rgb.jpg', 'jpeg', 'image/jpeg'],
    ['rgba.png', 'png', 'image/png'],
    ['rgba.gif', 'gif', 'image/gif'],
    ['rgb.bmp', 'bmp', 'image/bmp'],
    ['g4.tiff', 'tiff', 'image/tiff'],
    ['rgba.webp', 'webp', 'image/webp'],
    ['simple.svg', 'svg', 'image/svg+xml'],
    ['multi.ico', 'ico', 'image/vnd.microsoft.icon'],
    ['x265.heic', 'heic', 'image/heic'],
  ])('%s is stored as %s and given back byte for byte', async (name, format, type) => {
    const id = await addInvoice();
    const bytes = sample(name);
    const answer = await attach('img', id, { format }, { bytes, filename: name });
    const image = imageFileSchema.parse(answer.json());
    expect(image).toMatchObject({ template_id: id, format, filename: name, uri: name.replace(/\..*/, '') });
    expect((await call('GET', '/template/{id}', id)).json()['image_files']).toEqual([image]);
    const file = await call('GET', '/template/img/file/{id}', image.id);
    expect(file.bytes.equals(bytes)).toBe(true);
    expect(file.headers).toMatchObject({
      'content-type': type,
      'content-disposition': `attachment; filename=${name}`,
    });
    expect((await call('DELETE', '/template/img/{id}', image.id)).status).toBe(204);
    expect((await call('GET', '/template/img/file/{id}', image.id)).status).toBe(404);
  });

  it('a picture in another format than declared is stored in its own, with a warning (I-8)', async () => {
    const id = await addInvoice();
    const jpeg = { bytes: sample('rgb.jpg'), filename: 'photo.png' };
    const answer = await attach('img', id, { format: 'png' }, jpeg);
    expect(answer.json()).toMatchObject({ format: 'jpeg', uri: 'photo' });
    expect(answer.headers['warning']).toContain("template_data.format is 'png', but the image is jpeg");
    const alias = await attach('img', id, { format: 'JPG' }, jpeg);
    expect([alias.json()['format'], alias.headers['warning']]).toEqual(['jpeg', undefined]);
  });

  it('get a uri that is a variable: given, or made of the file name (I-11)', async () => {
    const id = await addInvoice();
    const bytes = sample('rgba.png');
    const uri = async (data: object, filename: string): Promise<unknown> =>
      (await attach('img', id, { format: 'png', ...data }, { bytes, filename })).json()['uri'];
    expect(await uri({ uri: 'company.logo' }, 'x.png')).toBe('company.logo');
    expect(await uri({ uri: null }, 'Company logo (2).png')).toBe('Company_logo_2');
    expect(await uri({}, '')).toBe('image');
    expect(await uri({}, '')).toBe('image2');
    expect(await uri({ filename: 'given.png' }, 'sent.png')).toBe('given');
  });

  it.each<[string, object, Part, string, string]>([
    [
      'without a format',
      {},
      { bytes: sample('rgba.png'), filename: 'a.png' },
      'missing_field',
      'template_data.format',
    ],
    ['that are text', { format: 'png' }, 'hello', 'image_format_unsupported', 'file_data'],
    [
      'that are a PDF',
      { format: 'png' },
      { bytes: '%PDF-1.7', filename: 'a.png' },
      'image_format_unsupported',
      'file_data',
    ],
    [
      'whose uri is no variable',
      { format: 'png', uri: 'my-logo' },
      { bytes: sample('rgba.png'), filename: 'a.png' },
      'invalid_field',
      'template_data.uri',
    ],
    ['that are empty', { format: 'png' }, { bytes: '', filename: 'a.png' }, 'missing_field', 'file_data'],
  ])('%s are refused', async (_what, data, file, code, field) => {
    const answer = await attach('img', await addInvoice(), data, file);
    expect([answer.status, answer.json()['code'], faults(answer)[0]?.['field']]).toEqual([422, code, field]);
  });
});

describe('downloads', () => {
  it('the template file is found by its own id and by the id of the template; header and footer by theirs (I-10)', async () => {
    const answer = await add(
      { name: 'Rechnung für «Müller»', format: 'html' },
      { file_data: { bytes: HTML, filename: '' }, header_data: '<b>head</b>', footer_data: 'just text' },
    );
    const { id, template_file, header_file, footer_file } = templateSchema.parse(answer.json());
    const get = (file: string | undefined): Promise<Answer> => call('GET', '/template/file/{id}', file ?? '');
    for (const file of [id, template_file.id]) {
      const found = await get(file);
      expect([found.status, found.bytes.toString()]).toEqual([200, HTML]);
      expect(found.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'content-disposition': expect.stringContaining(
          "filename*=UTF-8''Rechnung%20f%C3%BCr%20%C2%ABM%C3%BCller%C2%BB.html",
        ),
        etag: `"${template_file.id}"`,
      });
    }
    expect((await get(header_file?.id)).headers['content-type']).toBe('text/html; charset=utf-8');
    expect((await get(footer_file?.id)).headers['content-type']).toBe('text/plain; charset=utf-8');
    expect((await get(footer_file?.id)).bytes.toString()).toBe('just text');
  });

  it('a file the caller has already is answered with 304 and its tag', async () => {
    const id = await addInvoice();
    const { etag } = (await call('GET', '/template/file/{id}', id)).headers;
    const ask = (tag: string): Promise<Answer> =>
      call('GET', '/template/file/{id}', id, { headers: { 'If-None-Match': tag } });
    for (const tag of [etag ?? '', `W/${etag}, "x"`, '*']) {
      const answer = await ask(tag);
      expect([answer.status, answer.bytes.length, answer.headers['etag']]).toEqual([304, 0, etag]);
    }
    expect((await ask('"another"')).status).toBe(200);
  });
});

describe('a template or file that does not exist', () => {
  const addresses: [string, string][] = templateRoutes.flatMap(({ method, path }) =>
    path.includes('{id}') ? [[method, path.replace('/v1', '')] as [string, string]] : [],
  );
  const form = (resource: string): Call =>
    resource.startsWith('/template/img')
      ? {
          form: {
            template_data: '{"format":"png"}',
            file_data: { bytes: sample('rgba.png'), filename: 'a.png' },
          },
        }
      : { form: { template_data: '{"format":"css"}', file_data: 'a{}' } };

  it.each(addresses)(
    '%s %s answers 404 to an unknown id, a nonsensical one, and one of another tenant',
    async (method, resource) => {
      const owned = await addInvoice('owner');
      const style = String((await attach('css', owned, { format: 'css' }, 'a{}', 'owner')).json()['id']);
      const image = String(
        (
          await attach(
            'img',
            owned,
            { format: 'png' },
            { bytes: sample('rgba.png'), filename: 'a.png' },
            'owner',
          )
        ).json()['id'],
      );
      const more = method === 'POST' ? form(resource) : {};
      const ids = [
        owned,
        style,
        image,
        '00000000000000000000000000',
        'x',
        '../../etc/passwd',
        'ü'.repeat(500),
        "' OR 1=1",
      ];
      const answers = await Promise.all(
        ids.map((id) => call(method, resource, id, { ...more, tenant: 'thief' })),
      );
      for (const answer of answers) {
        expect([answer.status, answer.json()['code']]).toEqual([404, 'not_found']);
        expect(answer.bytes.toString()).not.toContain('owner');
      }
      const template = templateSchema.parse(
        (await call('GET', '/template/{id}', owned, { tenant: 'owner' })).json(),
      );
      expect([template.style_files.length, template.image_files.length]).toEqual([1, 1]);
    },
  );
});

describe('deleting a template', () => {
  it('is complete when 204 is sent: everything of it answers 404 (I-12)', async () => {
    const tenant = newTenant();
    const id = await addInvoice(tenant);
    const style = String((await attach('css', id, { format: 'css' }, 'a{}', tenant)).json()['id']);
    const answer = await call('DELETE', '/template/{id}', id, { tenant });
    expect([answer.status, answer.bytes.length]).toEqual([204, 0]);
    const gone = await Promise.all([
      call('GET', '/template/{id}', id, { tenant }),
      call('GET', '/template/file/{id}', id, { tenant }),
      call('GET', '/template/css/file/{id}', style, { tenant }),
      call('DELETE', '/template/{id}', id, { tenant }),
      attach('css', id, { format: 'css' }, 'a{}', tenant),
    ]);
    expect(gone.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    expect((await call('GET', '/template', null, { tenant })).bytes.toString()).toBe('[]');
  });
});

describe('many at once', () => {
  it('12 stylesheets and 12 images added at the same moment are all there', async () => {
    const id = await addInvoice();
    const png = sample('rgba.png');
    const numbers = Array.from({ length: 12 }, (_, n) => n);
    const answers = await Promise.all(
      numbers.flatMap((n) => [
        attach('css', id, { format: 'css' }, { bytes: `.c${n}{}`, filename: `${n}.css` }),
        attach('img', id, { format: 'png' }, { bytes: png, filename: `i${n}.png` }),
      ]),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const template = templateSchema.parse((await call('GET', '/template/{id}', id)).json());
    expect(new Set(template.style_files.map(({ filename }) => filename))).toEqual(
      new Set(numbers.map((n) => `${n}.css`)),
    );
    expect(new Set(template.image_files.map(({ uri }) => uri))).toEqual(new Set(numbers.map((n) => `i${n}`)));
  });
});

describe('a storage that fails', () => {
  it('is answered with 503 and a sentence, without internal details', async () => {
    const answer = await intercepting('dynamo', failing('PutItemCommand'), () =>
      add({ name: 'n', format: 'html' }),
    );
    expect([answer.status, answer.json()['code']]).toEqual([503, 'storage_unavailable']);
    expect(answer.bytes.toString()).not.toMatch(/hang up|ECONN|dynamo|127\.0\.0\.1|PutItem/i);
    expect((await add({ name: 'n', format: 'html' })).status).toBe(200);
  });
});

it('a call without the scope to write is refused', async () => {
  const event = await gatewayEvent('DELETE', '/v1/template/{id}', 'x');
  event.requestContext.authorizer = { tenant: 'acme', scopes: 'templates:read' };
  expect((await serve(event, { getRemainingTimeInMillis: () => 30_000 })).status).toBe(403);
});
