import { appendFile, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writePrivate } from '../state.ts';
import type { RecordedProgress } from './interpreter.ts';

/** Executions on disk, so that a restarted service can continue them. */

export interface ExecutionRecord {
  name: string;
  /** ARN of its machine. */
  machine: string;
  /** Input as JSON. */
  input: string;
  status: 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'ABORTED';
  /** Milliseconds of the epoch. */
  started: number;
  stopped: number | null;
  /** The current state. */
  state: string;
  data: unknown;
  error: string | null;
  cause: string | null;
}

/** Stands for the index of an item when all items of a map are finished. */
const ALL = 'all';

/** Milliseconds for which an ended execution is kept. */
const KEPT_MS = 24 * 60 * 60 * 1000;

export class ExecutionFolder {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Returns all executions; it deletes those that are damaged, or ended long ago. */
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

  /** Returns the progress of an execution. */
  memory(record: ExecutionRecord): RecordedProgress {
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
        // An incomplete line has no line break.
        const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n');
        const done = new Map<number, boolean>();
        for (const line of lines) {
          const [of, index, outcome] = line.split('\t');
          if (of !== state) continue;
          if (index === ALL) done.clear();
          else done.set(Number(index), outcome === 'done');
        }
        return done;
      },
      itemDone: async (state, index, succeeded) =>
        await appendFile(items, `${state}\t${index}\t${succeeded ? 'done' : 'failed'}\n`, { mode: 0o600 }),
      mapDone: async (state) => await appendFile(items, `${state}\t${ALL}\n`, { mode: 0o600 }),
    };
  }

  async #read(name: string): Promise<ExecutionRecord | null> {
    try {
      return JSON.parse(await readFile(this.#path(name, 'json'), 'utf8')) as ExecutionRecord;
    } catch {
      // Files are written atomically, so a damaged one is useless.
      return null;
    }
  }

  #path(name: string, ending: string): string {
    return join(this.#folder, `${name}.${ending}`);
  }
}
