import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { KMSClient } from '@aws-sdk/client-kms';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type KeyUse, signatureOperations } from '../../functions/pdf/signatures.ts';
import { createGroup, type Operations } from '../../functions/shared/http/index.ts';
import { setLogLevel } from '../../functions/shared/log.ts';
import type { StoredKey } from '../../functions/shared/store/keys.ts';
import { kmsSigner } from '../../packages/signatures/src/kms.ts';
import { readPkcs12 } from '../../packages/signatures/src/pkcs12.ts';
import { signPdf } from '../../packages/signatures/src/sign.ts';
import { verifyPdf } from '../../packages/signatures/src/verify.ts';
import { CONTEXT, gatewayEvent, multipart } from '../support/gateway-event.ts';
import { type Authority, openAuthority, plainPdf } from './support.ts';

let authority: Authority;
beforeAll(async () => {
  authority = await openAuthority();
});
afterAll(() => authority.close());

describe('PKCS #12', () => {
  it.each([
    ['as OpenSSL writes it today', []],
    ['of PBES2 with SHA-1 MAC', ['-macalg', 'sha1']],
    ['with triple DES', ['-keypbe', 'PBE-SHA1-3DES', '-certpbe', 'PBE-SHA1-3DES', '-macalg', 'sha1']],
    ['with RC2, as old Windows wrote it', ['-legacy']],
    ['without a MAC', ['-nomac']],
  ])('is opened: %s', (_, options) => {
    for (const password of ['pw', '', 'пароль – 密码']) {
      const file = authority.pki.issue('Signer').pkcs12(password, ...options);
      const { certificate, chain, key } = readPkcs12(file, password);
      expect([certificate, ...chain].map(({ subject }) => subject)).toEqual([
        'CN=Signer\nO=Acme',
        'CN=Test Authority\nO=Platen',
      ]);
      expect(certificate.checkPrivateKey(key)).toBe(true);
      expect(() => readPkcs12(file, 'wrong')).toThrow('`password` does not open the PKCS #12 file');
    }
  });

  it('is refused if it is not PKCS #12, has no key, or asks for endless work', () => {
    expect(() => readPkcs12(Buffer.from('no'), '')).toThrow('is not a PKCS #12 file');
    const noKey = authority.pki.issue('Signer').pkcs12('pw', '-nokeys');
    expect(() => readPkcs12(noKey, 'pw')).toThrow('has no private key');
    const slow = authority.pki.issue('Signer').pkcs12('pw', '-iter', '6000000', '-nomac');
    expect(() => readPkcs12(slow, 'pw')).toThrow('asks for more than');
  });
});

it('is in no line of the log, nor is its password, be it taken, refused or used', async () => {
  const lines: string[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
  setLogLevel('debug');
  try {
    const kept: StoredKey[] = [];
    const keys = { put: (_: string, __: string, key: StoredKey) => Promise.resolve(kept.push(key)) };
    const signer = authority.signer('Signer');
    const use = { keys, signerOf: () => Promise.resolve((pdf: Uint8Array) => signPdf(pdf, signer)) };
    const serve = createGroup('pdf', signatureOperations(use as unknown as KeyUse) as Operations<'pdf'>);
    const send = async (method: string, path: string, fields: Record<string, string | Buffer>) => {
      const parts = Object.entries(fields).map(([name, content]) =>
        typeof content === 'string' ? { name, content } : { name, content, filename: name },
      );
      const event = gatewayEvent({ method, path, scopes: 'keys pdf', ...multipart(parts) });
      return (await serve(event, CONTEXT)).status;
    };
    const pkcs12 = authority.pki.issue('Signer').pkcs12('secret-word');
    expect(await send('PUT', '/v1/keys/seal', { pkcs12, password: 'secret-word' })).toBe(200);
    expect(await send('PUT', '/v1/keys/seal', { pkcs12, password: 'secret-wordy' })).toBe(422);
    expect(await send('PUT', '/v1/keys/seal', { pkcs12: pkcs12.subarray(9), password: 'secret-word' })).toBe(
      422,
    );
    expect(await send('POST', '/v1/pdf/sign', { file: plainPdf(), key: 'seal' })).toBe(200);
    const log = lines.join('');
    expect(log.match(/"message":"request"/g)).toHaveLength(4);
    const secret = Buffer.from(kept[0]?.secret ?? []).subarray(36, 68);
    expect(secret).toHaveLength(32);
    for (const text of ['secret-word', secret.toString('base64').slice(2, 40), secret.toString('hex')])
      expect(log).not.toContain(text);
  } finally {
    write.mockRestore();
    setLogLevel('silent');
  }
});

describe('KMS', () => {
  it.each(['rsa', 'ec'] as const)('signs with a key that stays in KMS: %s', async (kind) => {
    const { certificate, chain } = authority.signer(`Kept ${kind}`, { kind });
    const { key } = authority.pki.issue(`Kept ${kind}`);
    const asked: Record<string, unknown>[] = [];
    const kms = await serveKms(key, asked);
    try {
      const signer = kmsSigner(kms.client, 'alias/platen/acme/seal', certificate, chain);
      const pdf = await signPdf(plainPdf(), signer);
      expect(await verifyPdf(pdf, { anchors: authority.anchors })).toMatchObject([
        { intact: true, trusted: true },
      ]);
      expect(asked).toMatchObject([
        {
          KeyId: 'alias/platen/acme/seal',
          MessageType: 'DIGEST',
          SigningAlgorithm: kind === 'ec' ? 'ECDSA_SHA_256' : 'RSASSA_PKCS1_V1_5_SHA_256',
        },
      ]);
    } finally {
      await kms.close();
    }
  });

  it('is not waited for beyond its time', async () => {
    const { certificate, chain } = authority.signer('Other');
    const { key } = authority.pki.issue('Other');
    const kms = await serveKms(key, []);
    try {
      const signer = kmsSigner(kms.client, 'silent', certificate, chain);
      await expect(signPdf(plainPdf(), signer)).rejects.toMatchObject({ code: 'storage_unavailable' });
    } finally {
      await kms.close();
    }
  });

  it('is not believed where it signs with another key', async () => {
    const { certificate, chain } = authority.signer('Other');
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const kms = await serveKms(privateKey.export({ format: 'pem', type: 'pkcs8' }) as string, []);
    try {
      await expect(signPdf(plainPdf(), kmsSigner(kms.client, 'x', certificate, chain))).rejects.toMatchObject(
        {
          code: 'invalid_field',
        },
      );
      await expect(
        signPdf(plainPdf(), kmsSigner(kms.client, 'missing', certificate, chain)),
      ).rejects.toMatchObject({
        code: 'invalid_field',
        message: expect.stringContaining('NotFoundException'),
      });
    } finally {
      await kms.close();
    }
  });
});

/**
 * A server that speaks the protocol of KMS: Sign with a digest, for all keys but one that is missing, and one for which it
 * never answers.
 */
async function serveKms(
  key: string,
  asked: Record<string, unknown>[],
): Promise<{ client: KMSClient; close: () => Promise<void> }> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const order = JSON.parse(Buffer.concat(parts).toString()) as { KeyId: string; Message: string };
      asked.push(order);
      if (order.KeyId === 'silent') return;
      const isKnown = request.headers['x-amz-target'] === 'TrentService.Sign' && order.KeyId !== 'missing';
      response.writeHead(isKnown ? 200 : 400, { 'content-type': 'application/x-amz-json-1.1' });
      const answer = isKnown
        ? {
            KeyId: order.KeyId,
            Signature: signDigest(key, Buffer.from(order.Message, 'base64')).toString('base64'),
          }
        : { __type: 'NotFoundException', message: 'no such key' };
      response.end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const client = new KMSClient({
    endpoint: `http://127.0.0.1:${port}`,
    region: 'eu-west-1',
    credentials: { accessKeyId: 'x', secretAccessKey: 'y' },
    maxAttempts: 1,
    requestHandler: { requestTimeout: 2_000, throwOnRequestTimeout: true },
  });
  return {
    client,
    close: async () => {
      client.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}

/** Signs what is a digest already, which Node's own functions do not. */
function signDigest(key: string, digest: Buffer): Buffer {
  const keyFile = join(authority.pki.folder, 'kms.key');
  writeFileSync(keyFile, key);
  return execFileSync('openssl', ['pkeyutl', '-sign', '-inkey', keyFile, '-pkeyopt', 'digest:sha256'], {
    input: digest,
  });
}
