import { randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SecretSpec } from './assembly/index.ts';
import type { Access } from './iam/access.ts';
import { JsonApi, unsupportedAction, ServiceError } from './json-api.ts';
import { writePrivate } from './state.ts';

/**
 * AWS Secrets Manager on this machine: each secret is a file in the data directory that only its owner may
 * read. The SDK finds it by AWS_ENDPOINT_URL_SECRETS_MANAGER.
 */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

interface Order {
  SecretId?: string;
}

export async function listenForSecrets(access: Access): Promise<JsonApi<Secrets, Order>> {
  return await JsonApi.listen(access, {
    target: 'secretsmanager',
    // The stacks refer to it by ARN.
    needs: (action, { SecretId = '' }) => [{ action: `secretsmanager:${action}`, resource: SecretId }],
    answer: async (secrets: Secrets, action, { SecretId = '' }: Order) => {
      if (action !== 'GetSecretValue') throw unsupportedAction(action);
      return await secrets.value(SecretId);
    },
  });
}

export class Secrets {
  readonly #folder: string;
  #specs: readonly SecretSpec[] = [];

  /** @param folder created when it does not exist */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Generates secrets that do not exist yet and leaves existing ones unchanged. */
  async deploy(specs: readonly SecretSpec[]): Promise<void> {
    this.#specs = specs;
    for (const { name, length } of specs) {
      if ((await this.#read(name)) !== null) continue;
      const text = Array.from({ length }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');
      await writePrivate(this.#path(name), text);
    }
  }

  /**
   * Returns the response of GetSecretValue. @throws ServiceError for a secret that the stacks do not define
   */
  async value(id: string): Promise<{ ARN: string; Name: string; SecretString: string }> {
    const spec = this.#specs.find(({ name, arn }) => id === name || id === arn);
    const text = spec && (await this.#read(spec.name));
    if (!spec || text === null || text === undefined) {
      throw new ServiceError('ResourceNotFoundException', `There is no secret ${id}.`);
    }
    return { ARN: spec.arn, Name: spec.name, SecretString: text };
  }

  #path(name: string): string {
    return join(this.#folder, encodeURIComponent(name));
  }

  async #read(name: string): Promise<string | null> {
    try {
      return await readFile(this.#path(name), 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }
}
