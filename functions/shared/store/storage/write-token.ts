import { randomBytes } from 'node:crypto';

/** Returns a token that is unique to a write: it tells what one write stored from what another one did. */
export function newWriteToken(): string {
  return randomBytes(10).toString('hex');
}
