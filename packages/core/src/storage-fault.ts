import { isPlatenError, PlatenError } from './errors.ts';

/** The error that a full disk is answered with: no fault of the caller's, and gone when there is room again. */
export function storageFault(error: unknown): PlatenError | undefined {
  if (isPlatenError(error) || !(error instanceof Error)) return undefined;
  if (!/ENOSPC|EDQUOT|No space left/.test(`${(error as NodeJS.ErrnoException).code} ${error.message}`)) {
    return undefined;
  }
  return new PlatenError('storage_unavailable', 'The service has no capacity for the request right now.', {
    cause: error,
  });
}
