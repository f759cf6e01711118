import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { storageCall } from './dynamodb.ts';

/**
 * Sealing of what callers entrust to the service: requests of jobs hold passwords, and tenants keep keys to sign with. The
 * deployment has one secret of its own, from which keys for sealing, one for each purpose, and one for fingerprints are
 * derived; whoever reads the bucket or a table, or a copy of them, has none.
 */

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** First byte of what is sealed: says how. */
const FORMAT = 1;
const HEAD_BYTES = 1 + IV_BYTES + TAG_BYTES;

const CONNECTION_TIMEOUT_MS = 2_000;
const REQUEST_TIMEOUT_MS = 3_000;

/** What is sealed. */
export type SealingPurpose = 'requests of jobs' | 'keys of tenants';

interface Keys {
  seal: Buffer;
  fingerprint: Buffer;
}

/** Every method throws PlatenError `storage_unavailable` when the secret cannot be had. */
export class Sealer {
  readonly #load: () => Promise<string>;
  #keys: Promise<Keys> | undefined;

  readonly #purpose: string;

  /**
   * @param load gives the secret: it is called once, and again only after it has failed
   * @param purpose of what is sealed: nothing that was sealed for another one can be opened
   */
  constructor(load: () => Promise<string>, purpose: SealingPurpose = 'requests of jobs') {
    this.#load = load;
    this.#purpose = purpose;
  }

  /** @param place where it is kept: sealed bytes cannot be opened in any other place */
  async seal(place: string, bytes: Uint8Array): Promise<Buffer> {
    const { seal } = await this.#derived();
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(CIPHER, seal, iv).setAAD(Buffer.from(place));
    const content = [cipher.update(bytes), cipher.final()];
    return Buffer.concat([Buffer.of(FORMAT), iv, cipher.getAuthTag(), ...content]);
  }

  /** @throws Error for what was not sealed for this place, or with another secret */
  async open(place: string, sealed: Buffer): Promise<Buffer> {
    if (sealed.length < HEAD_BYTES || sealed[0] !== FORMAT) throw new Error(`${place} is not sealed`);
    const { seal } = await this.#derived();
    const decipher = createDecipheriv(CIPHER, seal, sealed.subarray(1, 1 + IV_BYTES))
      .setAAD(Buffer.from(place))
      .setAuthTag(sealed.subarray(1 + IV_BYTES, HEAD_BYTES));
    return Buffer.concat([decipher.update(sealed.subarray(HEAD_BYTES)), decipher.final()]);
  }

  /** A hash that nobody can try passwords against who does not have the secret. */
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

/** A sealer with the secret of that ARN in AWS Secrets Manager, which is asked when it is first needed. */
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
