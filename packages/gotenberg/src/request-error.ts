import { PlatenError } from '@platen/client';
import type { ErrorCode } from '@platen/core/error-codes';
import { isPlatenError } from '@platen/core/errors';

/** An answer instead of a document: a status and a sentence, in Gotenberg's form. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Status by status: what is invalid is 400 there, and what took too long 503. */
const STATUSES: Readonly<Record<number, number>> = { 0: 503, 422: 400, 504: 503 };

/** What goes wrong here, and not in the service, which has a status for it. */
const OWN_STATUSES: Partial<Readonly<Record<ErrorCode, number>>> = {
  template_file_invalid: 400,
  office_file_damaged: 400,
  document_too_large: 400,
  engine_missing: 501,
  engine_unavailable: 503,
  deadline_exceeded: 503,
};

/** Returns a refusal of the service in Gotenberg's words. @throws any other error */
export function requestErrorOf(error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  if (!(error instanceof PlatenError)) {
    const status = isPlatenError(error) ? OWN_STATUSES[error.code] : undefined;
    if (status === undefined) throw error;
    return new RequestError(status, (error as Error).message);
  }
  const faults = error.errors.map((fault) => fault.message).filter((text) => !error.message.includes(text));
  return new RequestError(STATUSES[error.status] ?? error.status, [error.message, ...faults].join('\n'));
}
