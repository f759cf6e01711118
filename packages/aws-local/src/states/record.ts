import { appendFile, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writePrivate } from '../state.ts';
import type { Memory } from './interpreter.ts';

/** Executions on disk: what a service that is started again goes on with. */

export interface ExecutionRecord {
  name: string;
  /** ARN of its machine. */
  machine: string;
  /** JSON. */
  input: string;
  status: 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'ABORTED';
  /** Milliseconds of the epoch. */
  started: number;
  stopped: number | null;
  /** Where it is. */
  state: string;
  data: unknown;
  error: string | null;
  cause: string | null;
}

/** An ended one is remembered for so long. */
const KEPT_MS = 24 * 60 * 60 * 1000;

export class ExecutionFolder {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** All that are there; what is damaged, or has long ended, is removed. */
  async load(now: number): Promise<ExecutionRecord[]> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const records: ExecutionRecord[] = [];
    for (const file of await readdir(this.#folder)) {
      if (!file.endsWith('.json')) continue;
      const name = file.slice(0, -'.json'.length);
      const record = await this.#read(name);
      if (record === null || (record.stopped !== null && record.stopped < now - KEPT_MS))
        await this.remove(name);
      else records.push(record);
    }
    return records;
  }

  async save(record: ExecutionRecord): Promise<void> {
    await writePrivate(this.#path(record.name, 'json'), JSON.stringify(record));
  }

  async remove(name: string): Promise<void> {
    await rm(this.#path(name, 'json'), { force: true });
    await rm(this.#path(name, 'items'), { force: true });
  }

  /** What an execution remembers on its way. */
  memory(record: ExecutionRecord): Memory {
    const items = this.#path(record.name, 'items');
    return {
      entered: async (state, data) => {
        Object.assign(record, { state, data });
        await this.save(record);
      },
      itemsDone: async (state) => {
        const text = await readFile(items, 'utf8').catch((error: NodeJS.ErrnoException) => {
          if (error.code === 'ENOENT') return '';
          throw error;
        });
        // A line that was cut off has no end.
        const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n');
        return new Map(
          lines.flatMap((line): [number, boolean][] => {
            const [of, index, outcome] = line.split('\t');
            return of === state ? [[Number(index), outcome === 'done']] : [];
          }),
        );
      },
      itemDone: async (state, index, succeeded) =>
        await appendFile(items, `${state}\t${index}\t${succeeded ? 'done' : 'failed'}\n`, { mode: 0o600 }),
    };
  }

  async #read(name: string): Promise<ExecutionRecord | null> {
    try {
      return JSON.parse(await readFile(this.#path(name, 'json'), 'utf8')) as ExecutionRecord;
    } catch {
      // Written whole or not at all: this one is of no use to anybody.
      return null;
    }
  }

  #path(name: string, ending: string): string {
    return join(this.#folder, `${name}.${ending}`);
  }
}
