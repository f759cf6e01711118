import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { expect, inject, it } from 'vitest';
import { form } from './client.ts';

/** Text is compressed for callers who accept it, and documents stay as they are (RFC 9110, 12.5.3). */

const { url, token } = inject('service');

/** Sends a request without the decompression that `fetch` has. */
async function raw(method: string, path: string, accepted: string | undefined, fields?: FormData) {
  const sent = fields === undefined ? undefined : new Response(fields);
  const body = sent === undefined ? undefined : Buffer.from(await sent.arrayBuffer());
  return await new Promise<{ headers: NodeJS.Dict<string | string[]>; bytes: Buffer }>((resolve, reject) => {
    const outgoing = request(`${url}${path}`, {
      method,
      headers: {
        authorization: token,
        ...(sent === undefined ? {} : { 'content-type': sent.headers.get('content-type') ?? '' }),
        ...(accepted === undefined ? {} : { 'accept-encoding': accepted }),
      },
    });
    outgoing.once('error', reject);
    outgoing.once('response', (response) => {
      buffer(response).then((bytes) => resolve({ headers: response.headers, bytes }), reject);
    });
    outgoing.end(body);
  });
}

it('JSON is the same with and without gzip, and a fifth as long with it', async () => {
  const plain = await raw('GET', '/v1/openapi.json', undefined);
  const packed = await raw('GET', '/v1/openapi.json', 'gzip, br');
  expect([plain.headers['content-encoding'], packed.headers['content-encoding']]).toEqual([
    undefined,
    'gzip',
  ]);
  expect(packed.headers['vary']).toBe('accept-encoding');
  expect(gunzipSync(packed.bytes)).toEqual(plain.bytes);
  expect(packed.bytes.length * 5).toBeLessThan(plain.bytes.length);
});

it('html of a rendering is compressed, a PDF is not', async () => {
  const fields = () => form({ file_data: [`<p>${'Hello. '.repeat(1_000)}</p>`, 'x.html'] });
  const html = await raw('POST', '/v1/render/html', 'gzip', fields());
  expect(html.headers['content-encoding']).toBe('gzip');
  expect(gunzipSync(html.bytes).toString()).toContain('Hello. Hello.');
  const pdf = await raw('POST', '/v1/render/pdf', 'gzip', fields());
  expect(pdf.headers['content-encoding']).toBeUndefined();
  expect(pdf.headers['content-length']).toBe(String(pdf.bytes.length));
  expect(pdf.bytes.toString('latin1', 0, 5)).toBe('%PDF-');
});
