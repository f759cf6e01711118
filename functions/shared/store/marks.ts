import { randomBytes } from 'node:crypto';

/** A mark that no other write has. */
export function newMark(): string {
  return randomBytes(10).toString('hex');
}
