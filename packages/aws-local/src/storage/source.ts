import type { AccessRules } from '../iam/access.ts';
import type { Credentials } from './signature.ts';

/** The service's requirements of its storage, local or external. */

/** The data directory or the storage cannot be used. The message states the reason and a solution. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
}

/** The addresses and keys of the storage, for the AWS SDK. */
export interface StorageAccess {
  endpoints: { s3: string; dynamodb: string };
  credentials: Credentials;
}

export interface StorageSource {
  readonly access: StorageAccess;
  /** The storage is external: it does not know the roles, and functions use the keys of `access`. */
  readonly isOutside: boolean;
  /** Applies these rules to all callers except the owner. */
  permit(rules: AccessRules): Promise<void>;
  close(): Promise<void>;
}
