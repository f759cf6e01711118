import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { documented, xmlOf } from '../../packages/factur-x/test/invoices.ts';
import { type Authority, openAuthority, plainPdf } from '../signatures/support.ts';
import {
  addTemplate,
  call,
  expectStatus,
  form,
  jsonOf,
  mint,
  renderNow,
  resultOfJob,
  zipEntries,
  zipEntry,
} from './client.ts';

/** Keys, signing and verifying over HTTP (I-45). */

let authority: Authority;
const pdfsToVerify: Buffer[] = [];
const { dataDir } = inject('service');

beforeAll(async () => {
  authority = await openAuthority();
  const pkcs12 = authority.pki.issue('Signer').pkcs12('secret-word');
  expectStatus(await putKey('seal', { pkcs12: [pkcs12, 'seal.p12'], password: 'secret-word' }), 200);
  expectStatus(await putKey('root', { certificate: [authority.pki.authority, 'root.pem'] }), 200);
});
afterAll(() => authority.close());

type Fields = Parameters<typeof form>[0];
const putKey = (name: string, fields: Fields, headers = {}) =>
  call('PUT', `/v1/keys/${name}`, { body: form(fields), headers });
const sign = (fields: Fields) =>
  call('POST', '/v1/pdf/sign', { body: form({ file: [plainPdf(), 'Paper.pdf'], ...fields }) });
async function verify(pdf: Buffer, headers = {}): Promise<Record<string, unknown>[]> {
  const answer = await call('POST', '/v1/pdf/verify', { body: form({ file: [pdf, 'x.pdf'] }), headers });
  return jsonOf(expectStatus(answer, 200))['signatures'] as Record<string, unknown>[];
}

describe('keys', () => {
  it('show their certificate, and nothing that is secret', async () => {
    const answer = expectStatus(await call('GET', '/v1/keys/seal'), 200);
    expect(jsonOf(answer)).toMatchObject({
      name: 'seal',
      kind: 'pkcs12',
      subject: 'CN=Signer, O=Acme',
      issuer: 'CN=Test Authority, O=Platen',
      valid_from: expect.stringMatching(/^\d{4}-.*Z$/),
      valid_to: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect(answer.bytes.toString()).not.toMatch(/PRIVATE|secret-word/);
    expect(jsonOf(await call('GET', '/v1/keys/root'))).toMatchObject({ kind: 'anchor' });
  });

  it('are not stored in plain text, nor are their passwords', () => {
    const key = Buffer.from(authority.pki.issue('Signer').key.replace(/-----.*-----|\n/g, ''), 'base64');
    // The private number of an EC key, as PKCS #8 has it.
    const secret = key.subarray(36, 68);
    for (const entry of readdirSync(dataDir, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const content = readFileSync(join(entry.parentPath, entry.name));
      expect(content.includes(secret) || content.includes('secret-word'), entry.name).toBe(false);
      expect(content.includes(secret.toString('base64').slice(2, 40)), entry.name).toBe(false);
    }
  });

  it('do not exist after they were deleted, and belong to one tenant', async () => {
    const body = { pkcs12: [authority.pki.issue('Signer').pkcs12('pw'), 'x.p12'], password: 'pw' } as Fields;
    expectStatus(await putKey('passing', body), 200);
    const other = { authorization: await mint('--tenant', 'another', '--scopes', 'keys,pdf') };
    expectStatus(await call('GET', '/v1/keys/passing', { headers: other }), 404);
    const stolen = form({ file: [plainPdf(), 'x.pdf'], key: 'passing' });
    expectStatus(await call('POST', '/v1/pdf/sign', { body: stolen, headers: other }), 404);
    expectStatus(await call('DELETE', '/v1/keys/passing'), 204);
    expectStatus(await call('GET', '/v1/keys/passing'), 404);
    expectStatus(await call('DELETE', '/v1/keys/passing'), 404);
  });

  it('need their scope', async () => {
    const headers = { authorization: await mint('--tenant', 'another', '--scopes', 'pdf') };
    const answer = expectStatus(await call('GET', '/v1/keys/seal', { headers }), 403);
    expect(jsonOf(answer)['code']).toBe('insufficient_scope');
  });

  it.each([
    ['a wrong password', { password: 'wrong' }, 'password'],
    ['no PKCS #12 file', { pkcs12: ['nonsense', 'x.p12'] }, 'pkcs12'],
    ['a key of KMS beside it', { kms_key_id: 'x' }, 'kms_key_id'],
  ] as [string, Fields, string][])('are refused with %s', async (_, fields, field) => {
    const pkcs12 = authority.pki.issue('Signer').pkcs12('pw');
    const answer = await putKey('bad', { pkcs12: [pkcs12, 'x.p12'], password: 'pw', ...fields });
    expect(jsonOf(expectStatus(answer, 422))['errors']).toMatchObject([{ field }]);
  });

  it('are refused with an invalid name, without content, and with a key of KMS of another tenant', async () => {
    const certificate = [authority.pki.authority, 'x.pem'] as [Buffer, string];
    expectStatus(await putKey('a%20b', { certificate }), 422);
    expectStatus(await putKey('empty', {}), 422);
    expectStatus(await putKey('kms', { certificate, kms_key_id: 'alias/other' }), 422);
  });
});

describe('signing', () => {
  it('returns a document that is valid in Platen and in pyHanko', async () => {
    const answer = expectStatus(await sign({ key: 'seal', reason: 'Paid', certify: 'forms' }), 200);
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename=Paper-signed.pdf');
    pdfsToVerify.push(answer.bytes);
    expect(await verify(answer.bytes)).toMatchObject([
      {
        signer: 'CN=Signer, O=Acme',
        level: 'b-b',
        reason: 'Paid',
        certify: 'forms',
        intact: true,
        covers_whole_file: true,
        changes_since: [],
        trusted: true,
        certificate_chain: [{ subject: 'CN=Signer, O=Acme' }, { subject: 'CN=Test Authority, O=Platen' }],
      },
    ]);
    // Another tenant trusts nobody.
    const other = { authorization: await mint('--tenant', 'another', '--scopes', 'pdf') };
    expect(await verify(answer.bytes, other)).toMatchObject([{ intact: true, trusted: false }]);
  });

  it('reports each fault', async () => {
    const expired = authority.pki
      .issue('Expired', { from: '250101000000Z', to: '260101000000Z' })
      .pkcs12('pw');
    expectStatus(await putKey('expired', { pkcs12: [expired, 'x.p12'], password: 'pw' }), 200);
    const codes: [Fields, number, string][] = [
      [{ key: 'unknown' }, 404, 'not_found'],
      [{ key: 'expired' }, 422, 'certificate_expired'],
      [{ key: 'seal', level: 'b-t' }, 422, 'timestamp_unavailable'],
      [{ key: 'root' }, 422, 'invalid_field'],
      [{ key: 'seal', appearance: '{"x":1,"y":1,"w":-1,"h":1}' }, 422, 'invalid_field'],
      [{ key: 'seal', file: ['no', 'x.pdf'] }, 422, 'pdf_invalid'],
    ];
    for (const [fields, status, code] of codes) {
      expect(jsonOf(expectStatus(await sign(fields), status))['code'], JSON.stringify(fields)).toBe(code);
    }
  });

  it('is the last step of a rendering, and of each in a batch', async () => {
    const options = { sign: { key: 'seal', location: 'Graz' }, compress: true };
    const single = expectStatus(await renderNow('<h1>Invoice</h1>', { options }), 200);
    pdfsToVerify.push(single.bytes);
    expect(await verify(single.bytes)).toMatchObject([
      { location: 'Graz', intact: true, covers_whole_file: true },
    ]);
    const id = await addTemplate('<h1>{{ n }}</h1>');
    const body = form({ render_data: '[{"n":1},{"n":2}]', render_options: JSON.stringify(options) });
    const batch = expectStatus(await call('POST', `/v1/render/pdf/batch/${id}`, { body }), 200).bytes;
    const entries = zipEntries(batch).filter((name) => name.endsWith('.pdf'));
    expect(entries).toHaveLength(2);
    for (const name of entries) expect(await verify(zipEntry(batch, name))).toMatchObject([{ intact: true }]);
    const locked = await renderNow('<p>x</p>', { options: { ...options, encrypt_password: 'pw' } });
    expect(jsonOf(expectStatus(locked, 422))['code']).toBe('invalid_option');
    const unknown = await renderNow('<p>x</p>', { options: { sign: { key: 'unknown' } } });
    expectStatus(unknown, 404);
  });

  it('is made of each document of a job, with its invoice, its tags and its levels', async () => {
    const records = ['A-1', 'A-2'].map((number) => ({ ...documented(), number }));
    const body = form({
      file_data: ['<html lang="en"><title>{{ number }}</title><h1>{{ number }}</h1>', 'template.html'],
      render_data: JSON.stringify(records),
      render_options: JSON.stringify({
        sign: { key: 'seal' },
        factur_x: { profile: 'en16931', data: '.' },
        conformance: ['pdf/a-3a', 'pdf/ua-1'],
      }),
    });
    const archive = expectStatus(await resultOfJob('/v1/render/pdf/batch', body), 200).bytes;
    const names = zipEntries(archive).filter((name) => name.endsWith('.pdf'));
    expect(names).toHaveLength(2);
    for (const [index, name] of names.entries()) {
      const pdf = zipEntry(archive, name);
      expect(await verify(pdf)).toMatchObject([{ intact: true, covers_whole_file: true }]);
      const extracted = await call('POST', '/v1/pdf/factur-x/extract', {
        body: form({ file: [pdf, 'x.pdf'] }),
      });
      expect(extracted.bytes.toString()).toContain(`<ram:ID>A-${index + 1}</ram:ID>`);
      const info = jsonOf(await call('POST', '/v1/pdf/info', { body: form({ file: [pdf, 'x.pdf'] }) }));
      expect(info['conformance']).toEqual(['pdf/a-3a', 'pdf/ua-1']);
    }
  });

  it('is applied to renderings of images, barcodes and stored images, with an embedded invoice', async () => {
    const xml = xmlOf(documented(), 'en16931');
    const picture = readFileSync('test/images/samples/rgba.png');
    const signature = { key: 'seal', appearance: { x: 1, y: 20, w: 6, h: 2, text: 'Sealed' } };
    const options = { sign: signature, factur_x: { profile: 'en16931' }, title: 'A scan' };
    const fields: Fields = { render_options: JSON.stringify(options), factur_x_xml: [xml, 'a.xml'] };
    const id = await addTemplate('<h1>x</h1>');
    const image = form({ file_data: [picture, 'logo.png'], template_data: '{"format":"png","uri":"logo"}' });
    const stored = jsonOf(expectStatus(await call('POST', `/v1/template/img/${id}`, { body: image }), 200));
    const barcode = JSON.stringify({ data: '5901234123457', barcode_format: 'ean13' });
    const ways: [string, Fields][] = [
      ['/v1/render/img', { image: [picture, 'scan.png'], ...fields }],
      ['/v1/render/barcode', { data: barcode, ...fields }],
      [`/v1/img/${String(stored['id'])}`, fields],
    ];
    for (const [path, sent] of ways) {
      const { bytes } = expectStatus(await call('POST', path, { body: form(sent) }), 200);
      pdfsToVerify.push(bytes);
      expect(await verify(bytes), path).toMatchObject([{ intact: true, covers_whole_file: true }]);
      const extracted = await call('POST', '/v1/pdf/factur-x/extract', {
        body: form({ file: [bytes, 'x.pdf'] }),
      });
      expect(extracted.bytes.toString(), path).toBe(xml);
    }
  });

  it('is a step of a rendering of an image too', async () => {
    const xml = xmlOf(documented(), 'en16931');
    const steps = [{ page_numbers: {} }, { factur_x: { xml: 'step_xml' } }, { sign: { key: 'seal' } }];
    const body = form({
      image: [readFileSync('test/images/samples/rgba.png'), 'scan.png'],
      render_options: JSON.stringify({ steps }),
      step_xml: [xml, 'a.xml'],
    });
    const { bytes } = expectStatus(await call('POST', '/v1/render/img', { body }), 200);
    expect(await verify(bytes)).toMatchObject([{ intact: true, covers_whole_file: true }]);
    const extracted = await call('POST', '/v1/pdf/factur-x/extract', {
      body: form({ file: [bytes, 'x.pdf'] }),
    });
    expect(extracted.bytes.toString()).toBe(xml);
  });

  it('is valid in pyHanko', () => {
    expect(authority.judge(pdfsToVerify)).toMatchObject(pdfsToVerify.map(() => [{ valid: true }]));
    expect(pdfsToVerify.length).toBe(5);
  });
});
