import { randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { UsageError } from '../command.ts';

/**
 * `platen.lock.json` records the last common state of a repository and a service. Commit it to the
 * repository: push and pull use it to determine which side has changed.
 */

export interface TemplateState {
  id: string;
  /** The newest version when the folder was written. */
  version: number;
  /** Hash of the folder at that time. */
  digest: string;
  /** Hash of the samples that the service lists. */
  samples: string;
  /** Hashes of the partials that the template used, by name. */
  partials: Record<string, string>;
  /** True when the template was pushed as a draft. */
  draft?: true;
  /** Files by path: an unchanged file need not be sent. */
  files: Record<string, { id: string; hash: string }>;
}

export interface ServiceState {
  /** Templates by folder. */
  templates: Record<string, TemplateState>;
  /** Hashes of partials, by name. */
  partials: Record<string, string>;
}

const FILE = 'platen.lock.json';

export class State {
  readonly of: ServiceState;
  readonly #file: string;
  readonly #all: Record<string, ServiceState>;

  private constructor(file: string, all: Record<string, ServiceState>, service: string) {
    this.#file = file;
    this.#all = all;
    this.of = all[service] ??= { templates: {}, partials: {} };
  }

  /** @param service name of the service and the tenant @throws UsageError for a damaged file */
  static async read(root: string, service: string): Promise<State> {
    const file = path.join(root, FILE);
    try {
      const { services } = JSON.parse(await readFile(file, 'utf8')) as {
        services: Record<string, ServiceState>;
      };
      return new State(file, services, service);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new State(file, {}, service);
      throw new UsageError(
        `${file} cannot be read: ${(error as Error).message}. Take it from the repository again.`,
      );
    }
  }

  /** Writes the file with sorted keys, so that changes by two people merge. */
  async write(): Promise<void> {
    const sorted = (_: string, value: unknown): unknown =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
        : value;
    const part = `${this.#file}.${randomUUID()}.part`;
    await writeFile(part, `${JSON.stringify({ services: this.#all }, sorted, 2)}\n`, { flag: 'wx' });
    await rename(part, this.#file);
  }
}
