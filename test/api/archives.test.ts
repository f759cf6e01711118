import { crc32 } from 'node:zlib';
import { beforeAll, expect, it } from 'vitest';
import { type Answer, call, expectStatus, form, jsonOf, mint, zipEntries, zipEntry } from './client.ts';

/** Export and import of a tenant's templates as one ZIP. */

type Files = Record<string, string | Buffer>;

interface Imported {
  templates: { folder: string; id: string; version: number; result: string; files: Record<string, string> }[];
  partials: { name: string; result: string }[];
  translations: { name: string; result: string }[];
}

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const PO = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "Total"\nmsgstr "Summe"\n';
const INVOICE: Files = {
  'templates/Invoice/template.json': JSON.stringify({
    name: 'Invoice',
    format: 'html',
    paper_format: 'A5',
    file: 'invoice.html',
    tags: ['money', 'paper'],
    footer: 'footer.html',
    styles: [{ file: 'styles/print.css', description: 'For paper' }, { file: 'styles/brand.css' }],
    images: [{ file: 'images/logo.png', uri: 'company.logo' }],
    data_schema: { type: 'object' },
  }),
  'templates/Invoice/invoice.html':
    '<img src="{{ company.logo }}">{% include "parts/head.html" %} {{ number }}',
  'templates/Invoice/footer.html': '<b>foot</b>',
  'templates/Invoice/styles/print.css': 'p { color: red }',
  'templates/Invoice/styles/brand.css': 'p { color: blue }',
  'templates/Invoice/images/logo.png': PIXEL,
  'templates/Invoice/samples/short.json': '{"number": 7}',
  'partials/parts/head.html': '<h1>Head</h1>',
  'translations/de.po': PO,
};

/** A ZIP as it stands in the specification, without compression: any name can be in it. */
function zip(files: Files): Buffer {
  const [parts, directory]: [Buffer[], Buffer[]] = [[], []];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const [path, bytes] = [Buffer.from(name), Buffer.from(content)];
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(0x800, 2);
    fields.writeUInt32LE(crc32(bytes), 10);
    fields.writeUInt32LE(bytes.length, 14);
    fields.writeUInt32LE(bytes.length, 18);
    fields.writeUInt16LE(path.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, path, bytes]);
    const [made, rest] = [Buffer.from([20, 0]), Buffer.alloc(14)];
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02'), made, fields, rest, path]));
    parts.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(parts.length, 4);
  end.writeUInt16LE(parts.length, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, central, Buffer.from('PK\x05\x06'), end]);
}

let [ada, bob] = ['', ''];
beforeAll(async () => {
  [ada, bob] = await Promise.all([mint('--tenant', 'archive-ada'), mint('--tenant', 'archive-bob')]);
});

async function callAs(token: string, method: string, path: string, init: RequestInit = {}): Promise<Answer> {
  const headers = { ...(init.headers as Record<string, string> | undefined), authorization: token };
  return await call(method, path, { ...init, headers });
}

async function importAs(token: string, files: Files, headers: Record<string, string> = {}) {
  return await callAs(token, 'POST', '/v1/import', {
    body: form({ file_data: [zip(files), 'a.zip'] }),
    headers,
  });
}

async function imported(token: string, files: Files): Promise<Imported> {
  return jsonOf(expectStatus(await importAs(token, files), 200)) as unknown as Imported;
}

async function exported(token: string, query = ''): Promise<Files> {
  const { bytes } = expectStatus(await callAs(token, 'GET', `/v1/export${query}`), 200);
  return Object.fromEntries(zipEntries(bytes).map((name) => [name, zipEntry(bytes, name)]));
}

const textsOf = (files: Files): Record<string, string> =>
  Object.fromEntries(
    Object.entries(files)
      .filter(([name]) => name !== 'export.json')
      .map(([name, content]) => [
        name,
        name.endsWith('template.json')
          ? JSON.stringify(JSON.parse(content.toString()))
          : Buffer.from(content).toString('base64'),
      ]),
  );

it('an export equals the import, and only its tenant can access it', async () => {
  const first = await imported(ada, INVOICE);
  expect(first).toMatchObject({
    templates: [{ folder: 'Invoice', version: 1, result: 'added' }],
    partials: [{ name: 'parts/head.html', result: 'added' }],
    translations: [{ name: 'de', result: 'added' }],
  });
  const files = await exported(ada);
  expect(Object.keys(textsOf(files)).sort()).toEqual(Object.keys(INVOICE).sort());
  expect(textsOf({ ...files, 'templates/Invoice/template.json': '{}' })).toEqual(
    textsOf({ ...INVOICE, 'templates/Invoice/template.json': '{}' }),
  );
  expect(JSON.parse(String(files['templates/Invoice/template.json']))).toEqual(
    JSON.parse(String(INVOICE['templates/Invoice/template.json'])),
  );
  const [template] = first.templates;
  const rendered = await callAs(ada, 'POST', `/v1/render/html/${template?.id}`, {
    body: form({ render_data: '{"number": 9}' }),
  });
  const html = expectStatus(rendered, 200).bytes.toString();
  expect(html).toMatch(/color: red[^]*color: blue/);
  expect(html).toMatch(/src="data:image\/png[^]*<h1>Head<\/h1> 9/);

  // Another tenant gets templates of its own, also from a ZIP that names those of the first one.
  expect(await exported(bob)).toEqual({ 'export.json': Buffer.from('{\n  "templates": {}\n}\n') });
  expect((await callAs(bob, 'GET', `/v1/export?template=${template?.id}`)).status).toBe(404);
  const other = (await imported(bob, files)).templates[0];
  expect(other).toMatchObject({ result: 'added', version: 1 });
  expect(other?.id).not.toBe(template?.id);
  const stolen = { ...files };
  delete stolen['templates/Invoice/images/logo.png'];
  const refused = await importAs(bob, {
    ...stolen,
    'templates/Invoice/template.json': manifest({ name: 'New' }),
  });
  expect([refused.status, jsonOf(refused)['code']]).toEqual([422, 'archive_invalid']);
  const list = jsonOf(await callAs(ada, 'GET', `/v1/template/${template?.id}`));
  expect(list).toMatchObject({ version: 1, latest_version: 1 });
});

function manifest(changes: object): string {
  return JSON.stringify({
    ...(JSON.parse(String(INVOICE['templates/Invoice/template.json'])) as object),
    ...changes,
  });
}

it('importing writes one version of a changed template, keeps its unchanged files, and writes nothing if nothing changed', async () => {
  const files = await exported(ada);
  expect((await imported(ada, files)).templates[0]).toMatchObject({ result: 'unchanged', version: 1 });
  const { id, files: ids = {} } = (await imported(ada, INVOICE)).templates[0] ?? {};
  // Without the files that stay; styles the other way round.
  const changed: Files = {
    'export.json': JSON.stringify({ templates: { mine: { id, files: ids } } }),
    'templates/mine/template.json': manifest({
      name: 'Renamed',
      paper_format: undefined,
      styles: [{ file: 'styles/brand.css' }, { file: 'styles/print.css', description: 'For paper' }],
    }),
    'templates/mine/invoice.html': 'two {{ number }}',
    'templates/mine/samples/long.json': '{"number": 70}',
  };
  const result = (await imported(ada, changed)).templates[0];
  expect(result).toMatchObject({ id, folder: 'mine', version: 2, result: 'changed' });
  expect(result?.files).toEqual({ ...ids, 'invoice.html': result?.files['invoice.html'] });
  expect(result?.files['invoice.html']).not.toBe(ids['invoice.html']);
  const template = jsonOf(await callAs(ada, 'GET', `/v1/template/${id}`));
  expect(template).toMatchObject({
    name: 'Renamed',
    paper_format: 'A4',
    published_version: 2,
    style_files: [{ id: ids['styles/brand.css'] }, { id: ids['styles/print.css'] }],
    samples: [{ name: 'long' }],
    partials: [],
  });
  expect((await imported(ada, changed)).templates[0]).toMatchObject({ result: 'unchanged', version: 2 });

  const again = { ...changed, 'templates/mine/invoice.html': 'three' };
  const late = await importAs(ada, again, { 'if-match': '"1"' });
  expect([late.status, jsonOf(late)['code']]).toEqual([412, 'version_conflict']);
  const gone = await importAs(
    ada,
    { ...INVOICE, 'templates/Invoice/template.json': manifest({ name: 'Gone' }) },
    { 'if-match': '"1"' },
  );
  expect([gone.status, jsonOf(gone)['code']]).toEqual([412, 'version_conflict']);
  const draft = await callAs(ada, 'POST', '/v1/import', {
    body: form({ file_data: [zip(again), 'a.zip'], publish: 'false', note: 'Why' }),
    headers: { 'if-match': '"2"' },
  });
  expect(jsonOf(expectStatus(draft, 200))).toMatchObject({ templates: [{ version: 3, result: 'changed' }] });
  expect(jsonOf(await callAs(ada, 'GET', `/v1/template/${id}`))).toMatchObject({
    version: 2,
    latest_version: 3,
  });
  expect((await imported(ada, again)).templates[0]).toMatchObject({ result: 'published', version: 3 });
  const second = (
    await imported(ada, {
      'templates/second/template.json': '{"name":"Second","format":"html","file":"a.html"}',
      'templates/second/a.html': 'a',
    })
  ).templates[0];
  const both = Object.keys(await exported(ada, `?template=${id},${second?.id}`));
  expect(both.filter((name) => name.endsWith('template.json'))).toEqual([
    'templates/Renamed/template.json',
    'templates/Second/template.json',
  ]);
  // What templates share goes with all of them alone.
  expect(both.some((name) => name.startsWith('partials/letters'))).toBe(false);
  expect((await callAs(ada, 'GET', `/v1/export?template=${id},${second?.id}&version=1`)).status).toBe(422);
  expect((await callAs(ada, 'GET', `/v1/export?template=${id},none`)).status).toBe(404);
  await callAs(ada, 'DELETE', `/v1/template/${second?.id}`);
  const old = await exported(ada, `?template=${id}&version=1`);
  expect(Buffer.from(old['templates/Invoice/invoice.html'] ?? '').toString()).toContain('include');
});

it('a ZIP with a fault is refused completely, with its place', async () => {
  const good = {
    'templates/a/template.json': '{"name":"a","format":"html","file":"a.html"}',
    'templates/a/a.html': 'a',
  };
  const faulty: Record<string, [Files, string, RegExp]> = {
    syntax: [
      {
        'templates/b/template.json': '{"name":"b","format":"html","file":"b.html"}',
        'templates/b/b.html': '\n{% if %}',
      },
      'template_syntax',
      /templates\/b/,
    ],
    option: [
      { 'templates/b/template.json': '{"name":"b","format":"html","file":"a","scale":9}' },
      'invalid_field',
      /scale/,
    ],
    missing: [
      { 'templates/b/template.json': '{"name":"b","format":"html","file":"b.html"}' },
      'archive_invalid',
      /b\.html/,
    ],
    outside: [{ '../evil.html': 'x' }, 'archive_invalid', /invalid relative path/],
    absolute: [{ '/etc/passwd': 'x' }, 'archive_invalid', /absolute path/],
    partial: [{ 'partials/a//b.html': 'x' }, 'invalid_field', /name of a partial/],
    hidden: [{ 'partials/.git/config': 'x' }, 'invalid_field', /"\.git" begins with a dot/],
    device: [{ 'partials/letters/Con.html': 'x' }, 'invalid_field', /"Con\.html" is a device on Windows/],
    twice: [
      { 'partials/A.html': 'x', 'partials/a.html': 'x' },
      'invalid_field',
      /"a\.html".*is the same file as "A\.html" on macOS and Windows/,
    ],
    stylesheet: [
      {
        'templates/b/template.json':
          '{"name":"b","format":"html","file":"a","styles":[{"file":"css/.x.css"}]}',
        'templates/b/a': 'a',
        'templates/b/css/.x.css': 'a{}',
      },
      'invalid_field',
      /templates\/b.*"\.x\.css".*begins with a dot/,
    ],
    stream: [{ 'templates/a/samples/s:t.json': '{}' }, 'invalid_field', /"s:t\.json".*contains :/],
    sample: [{ 'templates/a/samples/s.json': '{' }, 'malformed_json', /samples\/s\.json/],
    font: [{ 'fonts/a.ttf': 'none' }, 'font_invalid', /./],
    json: [{ 'templates/b/template.json': '[1' }, 'malformed_json', /templates\/b\/template\.json/],
  };
  const before = (await callAs(bob, 'GET', '/v1/template')).bytes.toString();
  for (const [name, [files, code, detail]] of Object.entries(faulty)) {
    const answer = await importAs(bob, { ...good, ...files });
    expect([answer.status, jsonOf(answer)['code']], name).toEqual([
      code === 'malformed_json' ? 400 : 422,
      code,
    ]);
    expect(jsonOf(answer)['detail'], name).toMatch(detail);
  }
  const notZip = await callAs(bob, 'POST', '/v1/import', { body: form({ file_data: ['no', 'a.zip'] }) });
  expect([notZip.status, jsonOf(notZip)['code']]).toEqual([422, 'archive_invalid']);
  const bomb = zip({ 'templates/a/template.json': Buffer.alloc(1) });
  // Says that it unpacks to 4 GB.
  bomb.writeUInt32LE(0xfffffff0, bomb.indexOf('PK\x01\x02') + 24);
  const large = await callAs(bob, 'POST', '/v1/import', { body: form({ file_data: [bomb, 'a.zip'] }) });
  expect(jsonOf(large)).toMatchObject({ code: 'archive_invalid' });
  expect((await callAs(bob, 'GET', '/v1/template')).bytes.toString()).toBe(before);
  const odd = await importAs(bob, { ...good, 'notes.txt': 'x', 'templates/a/readme.md': 'x' });
  expect(expectStatus(odd, 200).headers.get('warning')).toMatch(/notes\.txt/);
});
