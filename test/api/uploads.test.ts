import { randomBytes } from 'node:crypto';
import { createPresignedPost } from '@aws-sdk/s3-presigned-post';
import sharp from 'sharp';
import { describe, expect, inject, it } from 'vitest';
import { TokenStore } from '../../functions/authorizer/tokens.ts';
import { newUploadId } from '../../functions/shared/store/storage/ids.ts';
import { readState } from '../../packages/aws-local/src/state.ts';
import { type Clients, storageClients } from '../../packages/aws-local/src/storage/index.ts';
import {
  addTemplate,
  call,
  checkPdf,
  expectStatus,
  form,
  jsonOf,
  pdfInfo,
  pdfText,
  zipEntries,
} from './client.ts';
import { ask, send, uploaded } from './upload.ts';

/** Uploads (I-35) against a service with the limits of API Gateway and Lambda. */

const MB = 1024 * 1024;
/** Its id is of November 2023. */
const EXPIRED = 'upload:01hf0000000000000000000000';

/** Works on the storage of the service under test, past the service. */
async function withStorage<T>(
  work: (clients: Clients, outputs: Record<string, string>) => Promise<T>,
): Promise<T> {
  const state = await readState(inject('service').dataDir);
  if (!state) throw new Error('the service has left no note');
  const clients = storageClients(state.storage);
  try {
    return await work(clients, state.outputs);
  } finally {
    clients.s3.destroy();
    clients.dynamodb.destroy();
  }
}

async function tokenOfTenant(tenant: string): Promise<string> {
  return await withStorage(async ({ dynamodb }, { TokensTable = '' }) => {
    return (await new TokenStore(dynamodb, TokensTable).mint({ tenant })).token;
  });
}

/** A PDF of scans: JPEGs of noise, which no compression makes smaller; each of them is there four times. */
async function scannedPdf(pictures: number, side: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const offsets: number[] = [];
  let length = 0;
  const write = (part: string | Buffer): void => {
    const bytes = Buffer.from(part);
    chunks.push(bytes);
    length += bytes.length;
  };
  const object = (dictionary: string, stream?: Buffer): number => {
    offsets.push(length);
    write(`${offsets.length} 0 obj\n${dictionary}\n`);
    if (stream) [`stream\n`, stream, '\nendstream\n'].forEach(write);
    write('endobj\n');
    return offsets.length;
  };
  write('%PDF-1.4\n');
  const raw = { width: side, height: side, channels: 1 as const };
  const scans = await Promise.all(
    Array.from({ length: pictures }, () =>
      sharp(randomBytes(side * side), { raw })
        .jpeg({ quality: 100 })
        .toBuffer(),
    ),
  );
  const pages = [...scans, ...scans, ...scans, ...scans].map((scan) => {
    const image = object(
      `<</Type/XObject/Subtype/Image/Width ${side}/Height ${side}/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/DCTDecode/Length ${scan.length}>>`,
      scan,
    );
    const drawing = Buffer.from('500 0 0 500 50 50 cm /I Do');
    const content = object(`<</Length ${drawing.length}>>`, drawing);
    return object(
      `<</Type/Page/Parent ${pictures * 12 + 1} 0 R/MediaBox[0 0 600 600]/Resources<</XObject<</I ${image} 0 R>>>>/Contents ${content} 0 R>>`,
    );
  });
  const root = object(
    `<</Type/Pages/Count ${pages.length}/Kids[${pages.map((page) => `${page} 0 R`).join(' ')}]>>`,
  );
  const catalog = object(`<</Type/Catalog/Pages ${root} 0 R>>`);
  const start = length;
  write(`xref\n0 ${offsets.length + 1}\n0000000000 65535 f \n`);
  for (const offset of offsets) write(`${String(offset).padStart(10, '0')} 00000 n \n`);
  write(`trailer\n<</Size ${offsets.length + 1}/Root ${catalog} 0 R>>\nstartxref\n${start}\n%%EOF\n`);
  return Buffer.concat(chunks);
}

describe('POST /v1/uploads', () => {
  it('returns the address for the file, its maximum size, the expiry, and the reference to use afterwards', async () => {
    const upload = await ask({ size: '1000', name: 'Bericht ü.pdf', content_type: 'application/pdf' });
    expect(upload).toMatchObject({ reference: `upload:${upload.id}`, max_bytes: 1000 });
    const minutes = (text: string): number => Math.round((Date.parse(text) - Date.now()) / 60_000);
    expect([minutes(upload.expires_at), minutes(upload.usable_until)]).toEqual([60, 24 * 60]);
    expect(await ask()).toMatchObject({ max_bytes: 512 * MB });
  });

  it('refuses a size above the limit with 413, and an invalid one with 422', async () => {
    const large = await call('POST', '/v1/uploads', { body: form({ size: String(512 * MB + 1) }) });
    expect(jsonOf(expectStatus(large, 413))).toMatchObject({
      code: 'file_too_large',
      errors: [{ field: 'size' }],
    });
    expectStatus(await call('POST', '/v1/uploads', { body: form({ size: '0' }) }), 422);
  });

  it('lets the storage accept exactly the signed upload', async () => {
    const upload = await ask({ size: '10' });
    const large = await send(upload, 'x'.repeat(11));
    expect([large.status, await large.text()]).toEqual([400, expect.stringContaining('EntityTooLarge')]);
    const other = { ...upload.fields, key: (upload.fields['key'] ?? '').replace(upload.id, newUploadId()) };
    expect((await send({ url: upload.url, fields: other }, 'x')).status).toBe(403);
    expect(
      (await send({ url: upload.url, fields: { ...upload.fields, 'x-amz-meta-x': 'x' } }, 'x')).status,
    ).toBe(403);
    expect((await send(upload, 'x'.repeat(10))).status).toBe(204);
  });

  it('lets the storage take it until the form has expired', async () => {
    const form = await withStorage(({ s3 }, { FilesBucket = '' }) =>
      createPresignedPost(s3, { Bucket: FilesBucket, Key: 'x', Expires: -1 }),
    );
    const answer = await send(form, 'x');
    expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining('expired')]);
  });
});

describe('upload:<id> instead of a file', () => {
  it('compresses a PDF of 30 MB, more than may come in a request, to more than Lambda answers in one piece', async () => {
    const pdf = await scannedPdf(3, 1_620);
    expect(pdf.length).toBeGreaterThan(30 * MB);
    const reference = await uploaded(pdf, 'Bericht ü.pdf');
    const answer = expectStatus(
      await call('POST', '/v1/pdf/compress', { body: form({ file: reference }) }),
      200,
    );
    expect(answer.headers.get('content-disposition')).toContain("filename*=UTF-8''Bericht%20%C3%BC.pdf");
    expect(answer.bytes.length).toBeLessThan(pdf.length * 0.26);
    expect(answer.bytes.length).toBeGreaterThan(6 * MB);
    checkPdf(answer.bytes);
    expect(pdfInfo(answer.bytes)['Pages']).toBe('12');
  });

  it('prints a batch from a CSV file, and a template that was uploaded itself', async () => {
    const rows = ['name', ...Array.from({ length: 3 }, (_, i) => `Reader ${i}`)].join('\n');
    const data = await uploaded(rows, 'readers.csv');
    const id = await addTemplate('<p>Dear {{ name }}');
    const stored = await call('POST', `/v1/render/html/batch/${id}`, { body: form({ render_data: data }) });
    expect(zipEntries(expectStatus(stored, 200).bytes)).toEqual([
      'Test-1.html',
      'Test-2.html',
      'Test-3.html',
    ]);

    const template = await uploaded('<p>Hello {{ name }}', 'hello.html');
    const body = new URLSearchParams({ file_data: template, render_data: '{"name":"world"}' });
    const now = expectStatus(await call('POST', '/v1/render/pdf', { body }), 200);
    expect(pdfText(now.bytes)).toContain('Hello world');
  });

  it('adds a template with its files, under the names they were uploaded with', async () => {
    const body = form({
      file_data: await uploaded('<p>{{ x }}</p>', 'letter.html'),
      template_data: '{"name":"Letter","format":"html"}',
    });
    const template = jsonOf(expectStatus(await call('POST', '/v1/template', { body }), 200));
    const file = await call('GET', `/v1/template/file/${template['id'] as string}`);
    expect(file.headers.get('content-disposition')).toContain('letter.html');
    expect(file.bytes.toString()).toBe('<p>{{ x }}</p>');
    const style = { file_data: await uploaded('x'.repeat(3 * MB)), template_data: '{"format":"css"}' };
    const refused = await call('POST', `/v1/template/css/${template['id'] as string}`, { body: form(style) });
    expect(jsonOf(expectStatus(refused, 413))).toMatchObject({ code: 'file_too_large' });
  });

  it('answers 404 with advice for an id of another tenant, unknown, not sent yet or expired', async () => {
    const compress = async (file: string, headers: Record<string, string> = {}) =>
      jsonOf(expectStatus(await call('POST', '/v1/pdf/compress', { body: form({ file }), headers }), 404));
    const mine = await uploaded('content');
    const theirs = await compress(mine, { authorization: await tokenOfTenant('somebody-else') });
    const unknown = await compress(`upload:${newUploadId()}`);
    const unsent = await compress((await ask()).reference);
    for (const problem of [theirs, unknown, unsent]) {
      expect(problem).toMatchObject({ code: 'upload_not_found', errors: [{ field: 'file' }] });
      expect(problem['detail']).toMatch(
        /^file: There is no upload \w+, or its file has not arrived\. Create .*POST \/v1\/uploads/,
      );
    }
    const expired = await compress(EXPIRED);
    expect(expired['detail']).toMatch(/^file: The upload \w+ has expired/);
    expect(expired).toMatchObject({ code: 'upload_not_found' });
  });
});

describe('a file that is too large for the gateway', () => {
  it.each([
    ['Lambda', 5],
    ['API Gateway', 11],
  ])('is refused with 413 and the way to upload it, because %s takes no more', async (_who, megabytes) => {
    const body = form({ file: [Buffer.alloc(megabytes * MB), 'large.pdf'] });
    const answer = await call('POST', '/v1/pdf/compress', { body });
    const problem = jsonOf(expectStatus(answer, 413));
    expect(problem).toMatchObject({ code: 'request_too_large', status: 413 });
    expect(problem['detail']).toMatch(/POST \/v1\/uploads.*upload:<id>.*Prefer: respond-async/);
  });
});
