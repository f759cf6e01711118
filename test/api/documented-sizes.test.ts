import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ROUTES } from '../../packages/contract/src/routes.ts';
import { addTemplate, type Answer, call, jsonOf } from './client.ts';
import { uploaded } from './upload.ts';

/** The sizes in docs/limits.md are those of the service: one more byte is refused, and not one less. */

interface Row {
  method: string;
  path: string;
  /** null for a body that is the file. */
  field: string | null;
  filename: string;
  bytes: number;
}

const KB = 1024;
const MB = 1024 * KB;

const [, afterFiles = ''] = readFileSync('docs/limits.md', 'utf8').split('## Files\n');
const ROWS: Row[] = afterFiles
  .slice(0, afterFiles.indexOf('\n## '))
  .split('\n')
  .flatMap((line) => {
    const found = /^\| `(\w+) (\S+)` +\| (?:`(\w+)`|the body) +\| (.*?) +\| (\d+) ([KM]B) +\|$/.exec(line);
    if (found === null) return [];
    const [, method = '', path = '', field = null, file = '', number = '', unit = ''] = found;
    return [
      {
        method,
        path,
        field,
        filename: /`(.*)`/.exec(file)?.[1] ?? '',
        bytes: Number(number) * (unit === 'MB' ? MB : KB),
      },
    ];
  });

/** Larger files do not fit into the memory of a test, or into a request. */
const SENT = 64 * 1024 * 1024;

/** Larger files are sent to the storage first, since the gateway accepts no larger requests. */
const UPLOADED = 2 * 1024 * 1024 + 1;

/** The fields that a request needs besides the file. */
const FIELDS: Readonly<Record<string, Record<string, string>>> = {
  '/v1/template': { template_data: '{"name":"a","format":"html"}' },
  '/v1/template/css/{id}': { template_data: '{"format":"css"}' },
  '/v1/template/img/{id}': { template_data: '{"format":"png"}' },
  '/v1/pdf/form/fill': { data: '{"logo":"logo"}' },
};

/** A form with a button for an image. Its cross-references are left to be rebuilt. */
const FORM = [
  '%PDF-1.7',
  '1 0 obj <</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[4 0 R]>>>> endobj',
  '2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj',
  '3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Annots[4 0 R]>> endobj',
  '4 0 obj <</Type/Annot/Subtype/Widget/FT/Btn/Ff 65536/T(logo)/Rect[10 10 90 90]/P 3 0 R>> endobj',
  'trailer <</Root 1 0 R>>',
  '%%EOF',
].join('\n');

async function send({ method, path, field, filename }: Row, bytes: number): Promise<Answer> {
  const address = path.replace('{id}', await addTemplate('<p>x</p>'));
  if (field === null) {
    const body = `"${'x'.repeat(bytes - 2)}"`;
    return call(method, address, { body, headers: { 'content-type': 'application/json' } });
  }
  const body = new FormData();
  for (const [name, value] of Object.entries(FIELDS[path] ?? {})) {
    const isOffice = name === 'template_data' && filename.endsWith('.docx');
    body.append(name, isOffice ? value.replace('html', 'docx') : value);
  }
  const content = Buffer.alloc(bytes, ' ');
  if (bytes > UPLOADED) body.append(field, await uploaded(content, filename));
  else body.append(field, new Blob([content]), filename);
  if (/^(header|footer|css|img)_/.test(field)) body.append('file_data', new Blob(['<p>x</p>']), 'a.html');
  if (path === '/v1/pdf/form/fill') body.append('file', new Blob([FORM]), 'a.pdf');
  return call(method, address, { body });
}

it('the table has rows for every limit of the code', () => {
  expect(ROWS).toHaveLength(25);
  const known = ROUTES.map(
    ({ method, path }) => `${method} ${path.replace('{format}', 'pdf').replace(/\{\w+\+?\}/g, '*')}`,
  );
  for (const { method, path } of ROWS) {
    const pattern = `${method} ${path.replace(/\{\w+\}/g, '*')}`;
    expect(
      known.some((route) => matches(route, pattern)),
      pattern,
    ).toBe(true);
  }
});

/** Whether a path fits a route whose parameters are stars. */
function matches(route: string, path: string): boolean {
  const [expected, given] = [route.split('/'), path.split('/')];
  return (
    expected.length === given.length &&
    expected.every((segment, index) => segment === '*' || segment === given[index])
  );
}

describe.each(ROWS.filter(({ bytes }) => bytes <= SENT))('$method $path: $field $filename', (row) => {
  it('one byte more is refused with the limit', async () => {
    const answer = await send(row, row.bytes + 1);
    expect(jsonOf(answer)).toMatchObject({ code: 'file_too_large' });
    expect(answer.status).toBe(413);
    const limit = row.bytes / MB;
    expect(jsonOf(answer)['detail']).toMatch(new RegExp(`${+limit.toFixed(1)} MB|${row.bytes / KB} KB`));
  });

  it('a file of the limit is not too large', async () => {
    const answer = await send(row, row.bytes);
    const isDone = answer.status === 200 || answer.status === 204;
    expect(isDone ? null : jsonOf(answer)['code']).not.toBe('file_too_large');
  });
});
