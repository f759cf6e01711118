import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** `errcode` of the error of a folder that another process holds: SQLITE_BUSY. */
export const HELD_ELSEWHERE = 5;

/**
 * Holds a data directory for this process alone, until it is released or the process ends, by SQLite's lock of an
 * empty file. It needs no space on the disk.
 *
 * @returns a function that releases the directory
 * @throws the errors of SQLite; `errcode` is HELD_ELSEWHERE while another process holds the directory
 */
export function holdFolder(folder: string): () => void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = new DatabaseSync(join(folder, 'lock.db'));
  try {
    file.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    file.close();
    throw error;
  }
  return () => file.close();
}
