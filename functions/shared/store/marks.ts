import { randomBytes } from 'node:crypto';

/** Returns a mark that is unique to a write. */
export function newMark(): string {
  return randomBytes(10).toString('hex');
}
