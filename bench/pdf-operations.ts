import { execFileSync } from 'node:child_process';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../functions/pdf/config.ts';
import { facturXOperations } from '../functions/pdf/factur-x.ts';
import { pdfOperations } from '../functions/pdf/operations.ts';
import type { KeyUse } from '../functions/pdf/signatures.ts';
import { createGroup, type Reply } from '../functions/shared/http/index.ts';
import { setLogLevel } from '../functions/shared/log.ts';
import { signingSettings } from '../functions/shared/signing/config.ts';
import { Signing } from '../functions/shared/signing/signing.ts';
import { buildFontsLayer } from '../layers/fonts/build.ts';
import { keySigner, type Signer, signPdf } from '../packages/signatures/src/index.ts';
import { documented, xmlOf } from '../packages/factur-x/test/invoices.ts';
import { onePage, stream } from './hostile-pdfs/build.ts';
import { gatewayEvent, multipart, type MultipartPart } from '../test/support/gateway-event.ts';

/** The PDF function's operations in the form of client requests, for programs that send many documents. */

export interface Operation {
  path: string;
  fields: Record<string, string>;
  /** The field of the file; merging needs a second one. */
  files: string[];
  /** Further parts, by their fields. */
  others?: Record<string, Buffer>;
  /** Returns the expected pages of the result from those of the file; absent if the result is not a PDF. */
  pages?: (of: number) => number;
}

const all = (of: number): number => of;
const HARMLESS = onePage('/Contents 4 0 R', stream('', '1 0 0 rg 20 20 60 60 re f'));

/** Returns the operation of one step's own route. */
function step(name: string, fields: Record<string, string>, pages = all): Operation {
  return { path: `/v1/pdf/${name}`, fields, files: ['file'], pages };
}

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
  tiff: { path: '/v1/pdf/image/tiff', fields: { dpi: '20', pages: '1' }, files: ['file'] },
  'image-pdf': { path: '/v1/pdf/image/pdf', fields: { pages: '1' }, files: ['file'] },
  lossless: { path: '/v1/pdf/compress', fields: {}, files: ['file'], pages: all },
  'text-plain': { path: '/v1/pdf/text', fields: {}, files: ['file'] },
  stamp: step('stamp', { text: 'COPY' }),
  watermark: step('watermark', { text: 'DRAFT', opacity: '0.5' }),
  attach: {
    ...step('attach', { files: '[{"file":"part1","name":"n.txt"}]' }),
    others: { part1: Buffer.from('x') },
  },
  outline: step('outline', { items: '[{"title":"One","page":1}]' }),
  'flatten-step': step('flatten', {}),
  pages: step('pages', { pages: '1,1' }, () => 2),
  rotate: step('rotate', { angle: '90' }),
  'redact-words': step('redact', { words: '["secret","a"]' }),
  'redact-areas': step('redact', { areas: '[{"page":1,"x":0,"y":0,"w":3,"h":3}]' }),
  impose: step('impose', { columns: '2' }, (of) => Math.ceil(of / 2)),
  scale: step('scale', { paper_format: 'A5' }),
  'page-numbers': step('page-numbers', {}),
  letterhead: { ...step('letterhead', {}), others: { pdf: HARMLESS } },
  decrypt: step('decrypt', { password: '' }),
  linearize: step('linearize', {}),
  'factur-x': {
    path: '/v1/pdf/factur-x',
    fields: {},
    files: ['file'],
    others: { xml: Buffer.from(xmlOf(documented(), 'en16931')) },
    pages: all,
  },
  'sign-visibly': {
    path: '/v1/pdf/sign',
    fields: { key: 'seal', appearance: '{"page":1,"x":1,"y":1,"w":4,"h":2}' },
    files: ['file'],
    pages: all,
  },
  'as-letterhead': { path: '/v1/pdf/letterhead', fields: {}, files: ['pdf'], others: { file: HARMLESS } },
  'as-stamp': { path: '/v1/pdf/stamp', fields: {}, files: ['pdf'], others: { file: HARMLESS } },
  chain: {
    path: '/v1/pdf/process',
    fields: {
      steps:
        '[{"flatten":{}},{"rotate":{"angle":90}},{"stamp":{"text":"x"}},{"redact":{"words":["a"]}},{"impose":{"columns":2}},{"page_numbers":{}}]',
    },
    files: ['file'],
    pages: all,
  },
};

/** The operations that claim conformance, sign, verify, and extract invoices. */
export const SEALING: readonly string[] = ['conform', 'conform-tagged', 'sign', 'verify', 'extract'];

const { dist: layers } = await buildFontsLayer('local');

/** Returns a function that sends a document through an operation, with a time limit for each. */
export function pdfClient(
  timeout: number,
  environment: Record<string, string> = {},
): (operation: Operation, content: Buffer) => Promise<Reply> {
  const config = readConfig({
    PLATEN_PDF_TIMEOUT_MS: String(timeout),
    PLATEN_FILES_BUCKET: 'unused',
    PLATEN_LAYER_ROOT: layers,
    ...environment,
  });
  setLogLevel('error');
  const serve = createGroup('pdf', { ...pdfOperations(config, signing()), ...facturXOperations() });
  return async ({ path, fields, files, others = {} }, content) => {
    const parts: MultipartPart[] = [
      ...files.map((name) => ({ name, content, filename: 'x.pdf', contentType: 'application/pdf' })),
      ...Object.entries(others).map(([name, other]) => ({ name, content: other, filename: name })),
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
