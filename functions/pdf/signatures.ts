import { X509Certificate } from 'node:crypto';
import { PlatenError } from '@platen/core/errors';
import { mayBePdf, notPdf } from '@platen/pdf/operations';
import type { Signature } from '@platen/signatures';
import { type CertificateInfo, certificateInfo, readCertificates } from '@platen/signatures/certificate';
import { KEY_NAME } from '@platen/contract/options';
import { warnOfUnnamed } from '@platen/contract/reading';
import { document, json, noContent, type Operations, type UploadedFile } from '../shared/http/index.ts';
import { kmsRefused, type Signing } from '../shared/signing/signing.ts';
import type { StoredKey } from '../shared/store/keys.ts';
import { nameOf } from './names.ts';

type SignatureOperation = 'putKey' | 'getKey' | 'deleteKey' | 'signPdf' | 'verifyPdf';

/** Most bytes of a PKCS #12 file or of certificates. */
const MAX_KEY_BYTES = 256 * 1024;
/** Most bytes of a document that is signed or verified: it is in memory, twice while it is written. */
export const MAX_SIGNED_BYTES = 128 * 2 ** 20;

/** The parts of `Signing` that sign, verify and store keys for tenants. */
export type KeyUse = Pick<Signing, 'keys' | 'mayUseKms' | 'signerOf' | 'verify'>;

/** The operations of the routes for keys, signing and verifying. */
export function signatureOperations(signing: KeyUse): Pick<Operations<'pdf'>, SignatureOperation> {
  return {
    async putKey({ tenant, params, form, optionalFile }) {
      const name = checkedName(params);
      const read = async (field: string): Promise<Buffer | null> =>
        (await optionalFile(field)?.bytes(MAX_KEY_BYTES)) ?? null;
      const key = await readKey({
        pkcs12: await read('pkcs12'),
        certificate: await read('certificate'),
        chain: await read('certificate_chain'),
        password: form.password,
        kmsKeyId: form.kms_key_id,
      });
      if (form.kms_key_id !== undefined && !signing.mayUseKms(tenant, form.kms_key_id)) {
        throw kmsRefused('kms_key_id');
      }
      await signing.keys.put(tenant, name, key);
      return json(keyJson(name, key));
    },

    async getKey({ tenant, params }) {
      const name = params['name'] ?? '';
      return json(keyJson(name, await signing.keys.describe(tenant, name)));
    },

    async deleteKey({ tenant, params }) {
      await signing.keys.remove(tenant, params['name'] ?? '');
      return noContent();
    },

    async signPdf({ tenant, form, file, files, signal, warnings }) {
      const upload = file('file');
      upload.checkSize(MAX_SIGNED_BYTES);
      warnOfUnnamed(warnings, files, new Set(['file', form.appearance?.image]));
      const sign = await signing.signerOf(tenant, form, { signal, files });
      return async () =>
        document({
          body: await sign(await pdfOf(upload)),
          contentType: 'application/pdf',
          filename: `${nameOf(upload)}-signed.pdf`,
        });
    },

    async verifyPdf({ tenant, file }) {
      const pdf = await pdfOf(file('file'));
      return json({ signatures: (await signing.verify(tenant, pdf)).map(signatureJson) });
    },
  };
}

/** @throws PlatenError `file_too_large`, `pdf_invalid` */
async function pdfOf(upload: UploadedFile): Promise<Buffer> {
  const content = await upload.bytes(MAX_SIGNED_BYTES);
  if (!mayBePdf(content)) throw notPdf();
  return content;
}

interface SentKey {
  pkcs12: Buffer | null;
  certificate: Buffer | null;
  chain: Buffer | null;
  password: string | undefined;
  kmsKeyId: string | undefined;
}

/** @throws PlatenError `invalid_field`, `missing_field` */
async function readKey({ pkcs12, certificate, chain, password, kmsKeyId }: SentKey): Promise<StoredKey> {
  if (pkcs12 !== null) {
    if (kmsKeyId !== undefined) throw notBoth('kms_key_id');
    if (certificate !== null || chain !== null) throw notBoth('certificate');
    const { readPkcs12 } = await import('@platen/signatures');
    const pair = readPkcs12(pkcs12, password ?? '');
    return {
      kind: 'pkcs12',
      certificates: [pair.certificate, ...pair.chain].map(({ raw }) => raw),
      secret: pair.key.export({ format: 'der', type: 'pkcs8' }),
    };
  }
  const certificates = [
    ...(certificate === null ? [] : readCertificates(certificate, 'certificate')),
    ...(chain === null ? [] : readCertificates(chain, 'certificate_chain')),
  ].map(({ raw }) => raw);
  if (certificates.length === 0) throw missing(kmsKeyId === undefined ? 'pkcs12' : 'certificate');
  if (kmsKeyId === undefined) return { kind: 'anchor', certificates, secret: null };
  return { kind: 'kms', certificates, secret: Buffer.from(kmsKeyId) };
}

function notBoth(field: string): PlatenError {
  const message = 'cannot be given together with pkcs12';
  return new PlatenError('invalid_field', `\`${field}\` ${message}.`, { faults: [{ field, message }] });
}

function missing(field: string): PlatenError {
  const message =
    field === 'pkcs12'
      ? 'or certificate, or kms_key_id with certificate, is needed'
      : 'is needed for kms_key_id';
  return new PlatenError('missing_field', `\`${field}\` ${message}.`, { faults: [{ field, message }] });
}

/** @throws PlatenError `invalid_field` */
function checkedName({ name = '' }: Record<string, string>): string {
  if (KEY_NAME.test(name)) return name;
  const message =
    'must be letters, digits, dots, hyphens and underscores, a letter or digit first, 64 at most';
  throw new PlatenError('invalid_field', `\`name\` ${message}.`, { faults: [{ field: 'name', message }] });
}

function keyJson(name: string, { kind, certificates }: Omit<StoredKey, 'secret'>): object {
  const [certificate] = certificates;
  if (certificate === undefined) throw new Error(`The key ${name} has no certificate.`);
  return { name, kind, ...certificateJson(certificateInfo(new X509Certificate(certificate))) };
}

function certificateJson({ validFrom, validTo, ...others }: CertificateInfo): object {
  return { ...others, valid_from: validFrom, valid_to: validTo };
}

function signatureJson(signature: Signature): object {
  const { timeSource, coversWholeFile, changesSince, changesAllowed, trustFault, chain, ...others } =
    signature;
  return {
    ...others,
    time_source: timeSource,
    covers_whole_file: coversWholeFile,
    changes_since: changesSince,
    changes_allowed: changesAllowed,
    trust_fault: trustFault,
    certificate_chain: chain.map(certificateJson),
  };
}
