import { ERRORS, type ErrorCode } from '@platen/contract/errors';
import { PlatenError } from '@platen/core/errors';
import type { JobEvent } from './events.ts';

/** Errors of Lambda and of the state machine itself that mean a timeout. */
const TIMEOUTS = new Set(['Sandbox.Timedout', 'States.Timeout', 'States.HeartbeatTimeout']);

/**
 * Returns why work was given up, for the caller.
 *
 * @param error as the state machine reports it
 * @param otherwise the message of an error that is neither one of ours nor a timeout
 */
export function givenUp(error: JobEvent['error'], otherwise: (name: string) => PlatenError): PlatenError {
  const name = error?.Error ?? '';
  if (TIMEOUTS.has(name)) return new PlatenError('deadline_exceeded', 'The work took too long.');
  // The state machine reads one object itself: the list of the parts of a batch.
  if (name === 'States.ItemReaderFailed')
    return new PlatenError('storage_unavailable', 'The storage was not available, several times.');
  if (Object.hasOwn(ERRORS, name) && name !== 'internal_error') {
    return new PlatenError(name as ErrorCode, messageOf(error?.Cause));
  }
  return otherwise(name);
}

/** Returns the message of an error of ours, which Lambda passes on as JSON. */
function messageOf(cause: string | undefined): string {
  try {
    const { errorMessage } = JSON.parse(cause ?? '') as { errorMessage?: unknown };
    return typeof errorMessage === 'string' ? errorMessage : 'The job failed after several attempts.';
  } catch {
    return 'The job failed after several attempts.';
  }
}
