import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { KMSClient } from '@aws-sdk/client-kms';
import { PlatenError } from '@platen/core/errors';
import { createFetcher, type Fetcher } from '@platen/print/fetcher';
import type { Signature, Signer } from '@platen/signatures';
import type { SignatureAppearance, SignatureContent } from '@platen/pdf/signature-appearance';
import type { SignOptions } from '@platen/contract/options';
import type { UploadedFile } from '../http/index.ts';
import { KeyStore } from '../store/keys.ts';
import { secretsManagerSealer } from '../store/storage/sealing.ts';
import type { SigningSettings } from './config.ts';

/** Milliseconds that a timestamp server or an OCSP responder may take. */
const NETWORK_TIMEOUT_MS = 10_000;
/** Most milliseconds of one KMS attempt; the SDK makes up to three. */
const KMS_TIMEOUT_MS = 3_000;

/** Loaded when needed: few requests sign or verify, and loading takes a quarter of the time that code takes. */
const signatures = async () => await import('@platen/signatures');

/** Signs and verifies PDFs in the name of a tenant. */
export class Signing {
  readonly #settings: SigningSettings;
  readonly #store: KeyStore | null;
  readonly #timestamps: Fetcher;
  readonly #revocations: Fetcher;
  #kms: KMSClient | undefined;

  constructor(settings: SigningSettings) {
    const { table, sealing, isRevocationAddress } = settings;
    this.#settings = settings;
    this.#store =
      table === null || sealing === null
        ? null
        : new KeyStore({ table, sealer: secretsManagerSealer(sealing, 'keys of tenants') });
    const limits = { outside: 'open', timeout: NETWORK_TIMEOUT_MS } as const;
    // The operator configured it, and it may be in a private network.
    this.#timestamps = createFetcher({ ...limits, isAllowedAddress: () => true });
    this.#revocations = createFetcher({ ...limits, isAllowedAddress: isRevocationAddress });
  }

  /** @throws PlatenError `not_implemented` for a deployment that keeps no keys */
  get keys(): KeyStore {
    if (this.#store !== null) return this.#store;
    throw new PlatenError('not_implemented', 'This deployment does not support keys.');
  }

  /** Returns whether a tenant may sign with that KMS key. */
  mayUseKms(tenant: string, keyId: string): boolean {
    return this.#settings.kmsKeys.some((pattern) => matches(pattern.replaceAll('{tenant}', tenant), keyId));
  }

  /**
   * Returns the signer with a tenant's key. It checks everything that needs no rendering.
   *
   * @throws PlatenError `not_found`, `certificate_expired`, `timestamp_unavailable`, `invalid_field`
   */
  async signerOf(
    tenant: string,
    options: SignOptions,
    { signal, files }: { signal: AbortSignal; files: readonly UploadedFile[] },
  ): Promise<(pdf: Uint8Array) => Promise<Uint8Array>> {
    const { checkSigning, signPdf } = await signatures();
    const signer = await this.#open(tenant, options.key);
    const { tsaUrl, fonts } = this.#settings;
    const prepared = {
      ...options,
      appearance: await appearanceOf(options, files),
      fonts,
      timestamps: tsaUrl === null ? undefined : { url: tsaUrl, loader: this.#timestamps },
      revocations: this.#revocations,
      signal,
    };
    checkSigning(signer, prepared);
    return async (pdf) => signPdf(pdf, signer, prepared);
  }

  /** Verifies all signatures of a PDF. @throws PlatenError as `verifyPdf` */
  async verify(tenant: string, pdf: Uint8Array): Promise<Signature[]> {
    const own = this.#store === null ? [] : await this.#store.anchors(tenant);
    const anchors = [...this.#settings.anchors, ...own.map((der) => new X509Certificate(der))];
    const { verifyPdf } = await signatures();
    return await verifyPdf(pdf, { anchors });
  }

  async #open(tenant: string, name: string): Promise<Signer> {
    const { keySigner, kmsSigner } = await signatures();
    const { kind, certificates, secret } = await this.keys.open(tenant, name);
    const [certificate, ...chain] = certificates.map((der) => new X509Certificate(der));
    if (secret === null || certificate === undefined) {
      const message = 'names a trusted certificate, which has no key to sign with';
      throw new PlatenError('invalid_field', `\`key\` ${message}.`, { faults: [{ field: 'key', message }] });
    }
    if (kind === 'kms') {
      const keyId = Buffer.from(secret).toString('utf8');
      // A key that was allowed when it was stored may be forbidden now.
      if (this.mayUseKms(tenant, keyId)) return kmsSigner(await this.#kmsClient(), keyId, certificate, chain);
      throw kmsRefused('key');
    }
    const key = createPrivateKey({ key: Buffer.from(secret), format: 'der', type: 'pkcs8' });
    return keySigner({ key, certificate, chain });
  }

  async #kmsClient(): Promise<KMSClient> {
    const { KMSClient: Client } = await import('@aws-sdk/client-kms');
    return (this.#kms ??= new Client({
      requestHandler: {
        connectionTimeout: KMS_TIMEOUT_MS,
        requestTimeout: KMS_TIMEOUT_MS,
        throwOnRequestTimeout: true,
      },
    }));
  }
}

/** Most bytes of the image of a visible signature. */
const MAX_IMAGE = 16 * 2 ** 20;

/** Returns the appearance of a signature, with its image. @throws PlatenError `missing_field`, `file_too_large` */
async function appearanceOf(
  { appearance }: SignOptions,
  files: readonly UploadedFile[],
): Promise<SignatureAppearance | SignatureContent | undefined> {
  if (appearance === undefined) return undefined;
  const { page, x, y, w, h, text } = appearance;
  const image = await imageOf(appearance, files);
  // The schema has all four of them, or none.
  if (x === undefined || y === undefined || w === undefined || h === undefined) return { image, text };
  return { page, x, y, w, h, image, text };
}

/** @throws PlatenError `missing_field`, `file_too_large` */
async function imageOf(
  { image }: NonNullable<SignOptions['appearance']>,
  files: readonly UploadedFile[],
): Promise<Buffer | undefined> {
  if (image === undefined) return undefined;
  const part = files.find(({ field }) => field === image);
  if (part !== undefined) return await part.bytes(MAX_IMAGE);
  const field = 'appearance.image';
  const message = `${field} names the part \`${image.slice(0, 100)}\`, which is not in the request`;
  throw new PlatenError('missing_field', `${message}.`, { faults: [{ field, message }] });
}

/** Returns the error for a KMS key that a tenant may not use. */
export function kmsRefused(field: string): PlatenError {
  const message = 'names a KMS key that this tenant may not use on this deployment';
  return new PlatenError('invalid_field', `\`${field}\` ${message}.`, { faults: [{ field, message }] });
}

/** `*` matches any text. */
function matches(pattern: string, keyId: string): boolean {
  const [start = '', ...rest] = pattern.split('*');
  const end = rest.pop();
  if (end === undefined) return keyId === pattern;
  if (!keyId.startsWith(start) || !keyId.endsWith(end) || keyId.length < start.length + end.length)
    return false;
  let at = start.length;
  for (const part of rest) {
    const found = keyId.indexOf(part, at);
    if (found === -1 || found + part.length > keyId.length - end.length) return false;
    at = found + part.length;
  }
  return true;
}
