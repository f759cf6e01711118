import { PlatenError } from '@platen/client';
import { type ErrorCode, isPlatenError } from '@platen/core/errors';

/** An unsuccessful response in Gotenberg's form: a status and a sentence. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Maps the service's statuses to Gotenberg's: it uses 400 for invalid input and 503 for timeouts. */
const STATUSES: Readonly<Record<number, number>> = { 0: 503, 422: 400, 504: 503 };

/** Gotenberg's statuses for errors of the service that have a status of their own there. */
const STATUSES_OF_CODES: Partial<Readonly<Record<ErrorCode, number>>> = {
  document_faulty: 409,
  url_not_allowed: 403,
};

/** Statuses for errors that occur in this package, where the service has not assigned one. */
const OWN_STATUSES: Partial<Readonly<Record<ErrorCode, number>>> = {
  template_file_invalid: 400,
  office_file_damaged: 400,
  office_file_encrypted: 400,
  document_too_large: 400,
  engine_missing: 501,
  service_busy: 503,
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
  const status = STATUSES_OF_CODES[error.code as ErrorCode] ?? STATUSES[error.status] ?? error.status;
  return new RequestError(status, [error.message, ...faults].join('\n'));
}
