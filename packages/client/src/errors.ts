import type { ErrorCode, Fault, Problem } from './wire.ts';

/** Errors of calls. */

/** Error codes of the client itself, in addition to those of the service. */
export type ClientCode =
  /** No response arrived: the service cannot be reached, or the connection broke. */
  | 'unreachable'
  /** The response is not a problem document; it may come from a proxy. */
  | 'unknown'
  /** The storage refused a file. */
  | 'upload_refused';

/** The service refused a request, failed, or could not be reached. `code` is for programs, `message` for people. */
export class PlatenError extends Error {
  override readonly name = 'PlatenError';
  /** HTTP status; 0 when there was no response. */
  readonly status: number;
  /**
   * Error code of the service (docs/errors.md) or of the client. A newer service may use codes that are not
   * listed here.
   */
  readonly code: ErrorCode | ClientCode | (string & {});
  /** Id of this request in the logs of the service. */
  readonly requestId: string | null;
  /** The faults, by field, record or line. */
  readonly errors: readonly Fault[];
  /** Seconds after which the service asks for a retry. */
  readonly retryAfter: number | null;

  constructor(
    status: number,
    code: PlatenError['code'],
    message: string,
    more: {
      requestId?: string | null;
      errors?: readonly Fault[];
      retryAfter?: number | null;
      cause?: unknown;
    } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.status = status;
    this.code = code;
    this.requestId = more.requestId ?? null;
    this.errors = more.errors ?? [];
    this.retryAfter = more.retryAfter ?? null;
  }

  /** Creates the error from a problem document of a response or of a failed job. */
  static of(problem: Partial<Problem>, status: number, retryAfter: number | null = null): PlatenError {
    return new PlatenError(
      problem.status ?? status,
      problem.code ?? 'unknown',
      problem.detail ?? problem.title ?? `The service answers ${status}.`,
      { requestId: problem.request_id ?? null, errors: problem.errors ?? [], retryAfter },
    );
  }
}

/** Reads the body of an unsuccessful response and returns its error. */
export async function refusal(response: Response): Promise<PlatenError> {
  const text = await response.text();
  const retryAfter = retryAfterOf(response);
  try {
    const problem = JSON.parse(text) as Partial<Problem> | null;
    if (typeof problem?.code === 'string') return PlatenError.of(problem, response.status, retryAfter);
  } catch {
    // The body is not JSON, so the response does not come from the service.
  }
  const origin = response.url === '' ? 'The service' : new URL(response.url).origin;
  const message = `${origin} answers ${response.status} ${response.statusText}`.trimEnd();
  return new PlatenError(response.status, 'unknown', `${message}.`, { retryAfter });
}

/** Returns the seconds in `Retry-After`, which contains a number or a date (RFC 9110, 10.2.3). */
export function retryAfterOf({ headers }: Response): number | null {
  const text = headers.get('retry-after');
  if (text === null) return null;
  const seconds = Number(text);
  if (Number.isFinite(seconds)) return Math.max(seconds, 0);
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? null : Math.max((moment - Date.now()) / 1000, 0);
}
