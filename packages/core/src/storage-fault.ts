import { isPlatenError, PlatenError } from './errors.ts';

/**
 * Returns the error for a full disk; undefined for any other error. The caller is not at fault, and a retry
 * can succeed.
 */
export function storageFault(error: unknown): PlatenError | undefined {
  if (isPlatenError(error) || !(error instanceof Error)) return undefined;
  if (!/ENOSPC|EDQUOT|No space left/.test(`${(error as NodeJS.ErrnoException).code} ${error.message}`)) {
    return undefined;
  }
  return new PlatenError('storage_unavailable', 'The service has no capacity for the request right now.', {
    cause: error,
  });
}
