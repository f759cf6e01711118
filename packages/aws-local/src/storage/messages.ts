import type { AccessRules } from '../iam/access.ts';
import { HELD_ELSEWHERE } from './hold.ts';
import type { Credentials } from './signature.ts';

/** The messages between the service and the storage process. */

/** First message to the process. It is not an argument, which every user of the machine could read. */
export interface StorageOrder {
  /** The data directory. */
  folder: string;
  /** 0 for any free port. */
  ports: Ports;
  /** Keys of the owner. */
  credentials: Credentials;
  /** Rights of other callers. */
  rules: AccessRules;
}

export interface Ports {
  s3: number;
  dynamodb: number;
}

/** Later messages to the process: new rules, or the end. */
export type StorageCommand = { type: 'permit'; rules: AccessRules } | { type: 'stop' };

export type StorageEvent =
  { type: 'ready'; ports: Ports } | { type: 'permitted' } | { type: 'failed'; fault: StorageFault };

export interface StorageFault {
  reason: 'locked' | 'damaged' | 'full' | 'other';
  message: string;
}

/** SQLITE_CORRUPT, SQLITE_NOTADB */
const SQLITE_DAMAGED = [11, 26];
const SQLITE_FULL = 13;

/** Translates an error of LevelDB, SQLite or the file system for the user of the machine. */
export function faultOf(error: unknown): StorageFault {
  const chain: (Error & { code?: unknown; errcode?: unknown })[] = [];
  for (let link = error; link instanceof Error && chain.length < 5; link = link.cause) chain.push(link);
  const some = (test: (link: (typeof chain)[number]) => boolean): boolean => chain.some(test);
  const message = chain.map((link) => link.message).join(': ') || String(error);
  // LevelDB's own lock is that of a service of an earlier release.
  if (some(({ code, errcode }) => code === 'LEVEL_LOCKED' || errcode === HELD_ELSEWHERE))
    return { reason: 'locked', message };
  if (/ENOSPC|No space left on device/i.test(message) || some(({ errcode }) => errcode === SQLITE_FULL)) {
    return { reason: 'full', message };
  }
  const damaged = some(
    ({ code, errcode }) => code === 'LEVEL_CORRUPTION' || SQLITE_DAMAGED.includes(Number(errcode)),
  );
  return { reason: damaged ? 'damaged' : 'other', message };
}
