import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { hasRoom } from '../disk.ts';
import type { PersistenceManager } from './fauxqs.ts';

/** The database file of S3, which gives the space of deleted objects back to the disk. */

/** Value of `auto_vacuum` with which pages can be given back. */
const INCREMENTAL = 2;
/** Unused pages of 4 KB that stay for the next objects. */
const SPARE_PAGES = 1024;
/** Pages given back at once: as many have to fit into the log, on a disk that may be almost full. */
const STEP_PAGES = 256;
/** Most bytes of the log that stay after a large write. */
const LOG_BYTES = 8 * 1024 * 1024;

/**
 * Prepares the file, before fauxqs opens it. One of an earlier release is written anew, if there is room for a copy
 * and its log: otherwise the space of deleted objects serves new ones only.
 *
 * @throws the errors of SQLite
 */
export async function prepareDatabase(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'fauxqs.db');
  const database = new DatabaseSync(path);
  try {
    if (pragma(database, 'auto_vacuum') === INCREMENTAL) return;
    if (!(await hasRoom(folder, 3 * statSync(path).size))) return;
    database.exec(`PRAGMA auto_vacuum = ${INCREMENTAL}; VACUUM;`);
  } finally {
    database.close();
  }
}

/** Gives space back while the database is in use. */
export class Shrinking {
  readonly #database: DatabaseSync;
  #isRunning = false;

  constructor(persistence: PersistenceManager) {
    // It is private; a connection of its own would have to wait for the other one.
    this.#database = (persistence as unknown as { db: DatabaseSync }).db;
    this.#database.exec(`PRAGMA journal_size_limit = ${LOG_BYTES}`);
  }

  /** Gives unused pages back, a few at a time, so that other requests are served in between. */
  async run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      if (pragma(this.#database, 'auto_vacuum') !== INCREMENTAL) return;
      if (pragma(this.#database, 'freelist_count') <= SPARE_PAGES) return;
      while (this.#database.isOpen && pragma(this.#database, 'freelist_count') > 0) {
        this.#database.exec(`PRAGMA incremental_vacuum(${STEP_PAGES}); PRAGMA wal_checkpoint(TRUNCATE);`);
        await setImmediate();
      }
    } finally {
      this.#isRunning = false;
    }
  }
}

function pragma(database: DatabaseSync, name: string): number {
  return Number(Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
}
