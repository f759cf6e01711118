import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { storageCall } from './dynamodb.ts';

/**
 * Encrypts confidential data of callers: files of jobs hold passwords and records, and tenants store signing keys. The
 * deployment has one secret, from which an encryption key for each purpose and a key for fingerprints are
 * derived. Access to the bucket, a table or a copy of them does not reveal any of them.
 */

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** First byte of encrypted data: its format. */
const FORMAT = 1;
const HEAD_BYTES = 1 + IV_BYTES + TAG_BYTES;

const CONNECTION_TIMEOUT_MS = 2_000;
const REQUEST_TIMEOUT_MS = 3_000;

/** The kind of encrypted data. */
export type SealingPurpose = 'requests of jobs' | 'keys of tenants';

interface Keys {
  seal: Buffer;
  fingerprint: Buffer;
}

/** Every method throws PlatenError `storage_unavailable` when the secret cannot be read. */
export class Sealer {
  readonly #load: () => Promise<string>;
  #keys: Promise<Keys> | undefined;

  readonly #purpose: string;

  /**
   * @param load returns the secret: it is called once, and again only after a failure
   * @param purpose kind of the data: data that was encrypted for another purpose cannot be decrypted
   */
  constructor(load: () => Promise<string>, purpose: SealingPurpose = 'requests of jobs') {
    this.#load = load;
    this.#purpose = purpose;
  }

  /** @param place where it is stored: the bytes cannot be decrypted in any other place */
  async seal(place: string, bytes: Uint8Array): Promise<Buffer> {
    const { seal } = await this.#derived();
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(CIPHER, seal, iv).setAAD(Buffer.from(place));
    const content = [cipher.update(bytes), cipher.final()];
    return Buffer.concat([Buffer.of(FORMAT), iv, cipher.getAuthTag(), ...content]);
  }

  /** @throws Error for bytes that were not encrypted for this place, or with another secret */
  async open(place: string, sealed: Buffer): Promise<Buffer> {
    if (sealed.length < HEAD_BYTES || sealed[0] !== FORMAT) throw new Error(`${place} is not sealed`);
    const { seal } = await this.#derived();
    const decipher = createDecipheriv(CIPHER, seal, sealed.subarray(1, 1 + IV_BYTES))
      .setAAD(Buffer.from(place))
      .setAuthTag(sealed.subarray(1 + IV_BYTES, HEAD_BYTES));
    return Buffer.concat([decipher.update(sealed.subarray(HEAD_BYTES)), decipher.final()]);
  }

  /** Returns a keyed hash, so that passwords cannot be tested against it without the secret. */
  async fingerprint(text: string): Promise<string> {
    const { fingerprint } = await this.#derived();
    return createHmac('sha256', fingerprint).update(text).digest('hex');
  }

  #derived(): Promise<Keys> {
    if (this.#keys === undefined) {
      const loading = this.#load().then((secret) => ({
        seal: derive(secret, `platen: ${this.#purpose}`),
        fingerprint: derive(secret, 'platen: fingerprints of requests'),
      }));
      this.#keys = loading;
      loading.catch(() => {
        this.#keys = undefined;
      });
    }
    return this.#keys;
  }
}

/** Returns a sealer with a secret from AWS Secrets Manager, which is read when first needed. */
export function secretsManagerSealer(secretId: string, purpose?: SealingPurpose): Sealer {
  let client: SecretsManagerClient | undefined;
  return new Sealer(async () => {
    const manager = await import('@aws-sdk/client-secrets-manager');
    client ??= new manager.SecretsManagerClient({
      requestHandler: {
        connectionTimeout: CONNECTION_TIMEOUT_MS,
        requestTimeout: REQUEST_TIMEOUT_MS,
        throwOnRequestTimeout: true,
      },
    });
    const command = new manager.GetSecretValueCommand({ SecretId: secretId });
    const previousClient = client;
    const { SecretString } = await storageCall(() => previousClient.send(command));
    if (SecretString === undefined || SecretString === '') throw new Error('the secret is empty');
    return SecretString;
  }, purpose);
}

function derive(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, KEY_BYTES));
}
