import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { PlatenError } from '../../packages/core/src/errors.ts';
import {
  createGroup,
  json,
  type Operations,
  type StoredUpload,
  type UploadedFile,
  type UploadSource,
} from '../../functions/shared/http/index.ts';
import { setLogLevel } from '../../functions/shared/log.ts';
import {
  bodyText,
  CONTEXT,
  type EventInput,
  gatewayEvent,
  multipart,
  urlencoded,
} from '../support/gateway-event.ts';

beforeAll(() => setLogLevel('silent'));

/** One upload there is, of the tenant `acme`. */
const UPLOAD: StoredUpload = {
  filename: 'report.pdf',
  contentType: 'application/pdf',
  size: 7,
  read: async () => Buffer.from('content'),
  save: (path) => writeFile(path, 'content'),
};

const uploads: UploadSource = {
  find: async (tenant, id) => {
    if (tenant === 'acme' && id === 'known') return UPLOAD;
    throw new PlatenError('upload_not_found', `There is no upload ${id}.`);
  },
};

const paths: string[] = [];

async function described(file: UploadedFile): Promise<object> {
  const { field, filename, contentType, size } = file;
  const path = await file.path(1_000);
  paths.push(path);
  const [onDisk, inMemory] = [await readFile(path, 'utf8'), String(await file.bytes(1_000))];
  return { field, filename, contentType, size, onDisk, inMemory };
}

const files =
  async ({ files: sent }: { files: readonly UploadedFile[] }) =>
  async () =>
    json(await Promise.all(sent.map(described)));

const pdf: Operations<'pdf'> = {
  mergePdf: files,
  splitPdf:
    async ({ file }) =>
    async () =>
      json(String(await file('file').bytes(6))),
  compressPdf:
    async ({ file }) =>
    async () =>
      json(await file('file').path(6)),
};
const render: Operations<'render'> = {
  renderNow:
    async ({ files: sent, form }) =>
    async () =>
      json({ files: await Promise.all(sent.map(described)), form }),
};

async function call(path: string, input: Partial<EventInput>) {
  const serve = path.startsWith('/v1/pdf')
    ? createGroup('pdf', pdf, { uploads })
    : createGroup('render', render, { uploads });
  const reply = await serve(gatewayEvent({ method: 'POST', path, ...input }), CONTEXT);
  const text = bodyText(reply);
  await reply.close?.();
  return { status: reply.status, json: JSON.parse(text) as Record<string, unknown> };
}

const REFERENCE = 'upload:known';
const REFERRED = {
  field: 'file',
  filename: 'report.pdf',
  contentType: 'application/pdf',
  size: 7,
  onDisk: 'content',
  inMemory: 'content',
};

describe('a file field that holds upload:<id> (I-35)', () => {
  it.each([
    ['a text part', multipart([{ name: 'file', content: REFERENCE }])],
    ['a file part without a name', multipart([{ name: 'file', content: REFERENCE, filename: '' }])],
    ['a field of a urlencoded body', urlencoded({ file: REFERENCE })],
    [
      'a member of a JSON body',
      { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ file: `${REFERENCE}\n` }) },
    ],
  ])('is the file that was uploaded, as %s', async (_what, input) => {
    expect(await call('/v1/pdf/merge', input)).toEqual({ status: 200, json: [REFERRED] });
  });

  it('is a file even in a field that accepts text, together with files in the request', async () => {
    const input = multipart([
      { name: 'render_data', content: REFERENCE },
      { name: 'file_data', content: '<p>', filename: 'a.html', contentType: 'text/html' },
    ]);
    const { json: answer } = await call('/v1/render/pdf', input);
    expect(answer).toMatchObject({
      form: {},
      files: [
        { ...REFERRED, field: 'render_data' },
        { field: 'file_data', filename: 'a.html', size: 3, onDisk: '<p>', inMemory: '<p>' },
      ],
    });
    expect(answer['form']).not.toHaveProperty('render_data');
  });

  it('is a plain file if it has a name, and text in a field without files', async () => {
    const named = await call(
      '/v1/pdf/merge',
      multipart([{ name: 'file', content: REFERENCE, filename: 'notes.txt' }]),
    );
    expect(named.json).toMatchObject([{ filename: 'notes.txt', inMemory: REFERENCE }]);
    const text = await call(
      '/v1/render/pdf',
      multipart([{ name: 'template_data', content: '{"name":"upload:known"}' }]),
    );
    expect(text.json).toMatchObject({ files: [], form: { template_data: { name: REFERENCE } } });
  });

  it.each([
    ['an id that was never made', 'upload:unknown', 'acme'],
    ['an upload of another tenant', REFERENCE, 'other'],
  ])('is answered with 404 and the field for %s', async (_what, reference, tenant) => {
    const id = reference.slice('upload:'.length);
    const input = multipart([{ name: 'file', content: reference }]);
    expect(await call('/v1/pdf/compress', { ...input, tenant })).toMatchObject({
      status: 404,
      json: {
        code: 'upload_not_found',
        detail: `file: There is no upload ${id}.`,
        errors: [{ field: 'file', value: reference }],
      },
    });
  });
});

describe('a file of a request', () => {
  it.each([
    ['sent along', 'content', '/v1/pdf/split'],
    ['sent along', 'content', '/v1/pdf/compress'],
    ['uploaded before', REFERENCE, '/v1/pdf/split'],
    ['uploaded before', REFERENCE, '/v1/pdf/compress'],
  ])('%s is refused with 413 and the field where the operation takes less', async (_what, content, path) => {
    const input = multipart([
      { name: 'file', content },
      { name: 'splits', content: '[1]' },
    ]);
    expect(await call(path, input)).toMatchObject({
      status: 413,
      json: { code: 'file_too_large', errors: [{ field: 'file' }] },
    });
  });

  it('is removed from disk after the answer was sent', () => {
    expect(paths.length).toBeGreaterThan(0);
    expect(paths.filter((path) => existsSync(path))).toEqual([]);
  });
});
