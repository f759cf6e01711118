import { execFileSync } from 'node:child_process';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../functions/pdf/config.ts';
import { pdfOperations } from '../functions/pdf/operations.ts';
import type { KeyUse } from '../functions/pdf/signatures.ts';
import { createGroup, type Reply } from '../functions/shared/http/index.ts';
import { setLogLevel } from '../functions/shared/log.ts';
import { signingSettings } from '../functions/shared/signing/config.ts';
import { Signing } from '../functions/shared/signing/signing.ts';
import { buildFontsLayer } from '../layers/fonts/build.ts';
import { keySigner, type Signer, signPdf } from '../packages/signatures/src/index.ts';
import { gatewayEvent, multipart, type MultipartPart } from '../test/support/gateway-event.ts';

/** The PDF function's operations in the form of client requests, for programs that send many documents. */

export interface Operation {
  path: string;
  fields: Record<string, string>;
  /** The field of the file; merging needs a second one. */
  files: string[];
  /** Returns the expected pages of the result from those of the file; absent if the result is not a PDF. */
  pages?: (of: number) => number;
}

const all = (of: number): number => of;

export const OPERATIONS: Record<string, Operation> = {
  split: { path: '/v1/pdf/split', fields: { splits: '[1]' }, files: ['file'], pages: () => 1 },
  'split-zip': { path: '/v1/pdf/split-zip', fields: { splits: '[[1],[1,1]]' }, files: ['file'] },
  merge: { path: '/v1/pdf/merge', fields: {}, files: ['file1', 'file2'], pages: (of) => 2 * of },
  compress: {
    path: '/v1/pdf/compress',
    fields: { options: '{"quality":"medium"}' },
    files: ['file'],
    pages: all,
  },
  metadata: { path: '/v1/pdf/metadata', fields: { metadata: '{"Title":"x"}' }, files: ['file'], pages: all },
  encrypt: { path: '/v1/pdf/encrypt', fields: { password: 'pw' }, files: ['file'], pages: all },
  info: { path: '/v1/pdf/info', fields: {}, files: ['file'] },
  attachments: { path: '/v1/pdf/attachments', fields: {}, files: ['file'] },
  text: { path: '/v1/pdf/text', fields: { format: 'json' }, files: ['file'] },
  form: { path: '/v1/pdf/form', fields: {}, files: ['file'] },
  fill: { path: '/v1/pdf/form/fill', fields: { data: '{}' }, files: ['file'], pages: all },
  flatten: {
    path: '/v1/pdf/form/fill',
    fields: { data: '{}', flatten: 'true' },
    files: ['file'],
    pages: all,
  },
  conform: { path: '/v1/pdf/conform', fields: { conformance: '["pdf/a-3b"]' }, files: ['file'], pages: all },
  'conform-tagged': {
    path: '/v1/pdf/conform',
    fields: { conformance: '["pdf/a-3a","pdf/ua-1"]', language: 'en', title: 'A file' },
    files: ['file'],
    pages: all,
  },
  sign: { path: '/v1/pdf/sign', fields: { key: 'seal' }, files: ['file'], pages: all },
  verify: { path: '/v1/pdf/verify', fields: {}, files: ['file'] },
  extract: { path: '/v1/pdf/factur-x/extract', fields: {}, files: ['file'] },
  image: { path: '/v1/pdf/image/png', fields: { dpi: '40', pages: '1' }, files: ['file'] },
};

/** The operations that claim conformance, sign, verify, and extract invoices. */
export const SEALING: readonly string[] = ['conform', 'conform-tagged', 'sign', 'verify', 'extract'];

const { dist: layers } = await buildFontsLayer('local');

/** Returns a function that sends a document through an operation, with a time limit for each. */
export function pdfClient(timeout: number): (operation: Operation, content: Buffer) => Promise<Reply> {
  const config = readConfig({
    PLATEN_PDF_TIMEOUT_MS: String(timeout),
    PLATEN_FILES_BUCKET: 'unused',
    PLATEN_LAYER_ROOT: layers,
  });
  setLogLevel('error');
  const serve = createGroup('pdf', pdfOperations(config, signing()));
  return async ({ path, fields, files }, content) => {
    const parts: MultipartPart[] = [
      ...files.map((name) => ({ name, content, filename: 'x.pdf', contentType: 'application/pdf' })),
      ...Object.entries(fields).map(([name, value]) => ({ name, content: value })),
    ];
    const event = gatewayEvent({ method: 'POST', path, ...multipart(parts) });
    return await serve(event, { getRemainingTimeInMillis: () => 3 * timeout });
  };
}

/** Signs with a generated key; a deployment uses those of its tenants. */
function signing(): KeyUse {
  let signer: Signer | undefined;
  return Object.assign(new Signing(signingSettings({})), {
    signerOf: () => Promise.resolve((pdf: Uint8Array) => signPdf(pdf, (signer ??= selfSigned()))),
  });
}

/** Returns a key with a certificate of its own. */
export function selfSigned(): Signer {
  const folder = mkdtempSync(join(tmpdir(), 'platen-key-'));
  try {
    const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
    const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=Bench', '-days', '30'];
    execFileSync('openssl', [...made, '-keyout', key, '-out', certificate], { stdio: 'ignore' });
    const pair = {
      key: createPrivateKey(readFileSync(key)),
      certificate: new X509Certificate(readFileSync(certificate)),
    };
    return keySigner({ ...pair, chain: [] });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
