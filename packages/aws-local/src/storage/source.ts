import type { AccessRules } from '../iam/access.ts';
import type { Credentials } from './signature.ts';

/** What the service needs of its storage, wherever that is. */

/** The data directory or the storage cannot be used. The message says why, and what to do. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
}

/** Where the data is, for the AWS SDK. */
export interface StorageAccess {
  endpoints: { s3: string; dynamodb: string };
  credentials: Credentials;
}

export interface StorageSource {
  readonly access: StorageAccess;
  /** Somebody else runs it: it knows no roles, and functions have the keys of `access`. */
  readonly isOutside: boolean;
  /** Has others than the owner do from now on what these rules say, and nothing else. */
  permit(rules: AccessRules): Promise<void>;
  close(): Promise<void>;
}
