import type { ErrorCode, Problem } from './wire.ts';

/** Why a call did not succeed. */

/** Codes of the client itself, beside those of the service. */
export type ClientCode =
  /** No answer came: the service cannot be reached, or the connection broke. */
  | 'unreachable'
  /** The answer is no problem document: a proxy in between, perhaps. */
  | 'unknown'
  /** The storage refused a file. */
  | 'upload_refused';

/** One fault of a request, as the service tells it. */
export type Fault = NonNullable<Problem['errors']>[number];

/** The service refused a request, failed, or could not be reached. `code` is for programs, `message` for people. */
export class PlatenError extends Error {
  override readonly name = 'PlatenError';
  /** HTTP status; 0 when there was no answer. */
  readonly status: number;
  /** Of the service (docs/errors.md) or of the client. A newer service may have codes that are not listed here. */
  readonly code: ErrorCode | ClientCode | (string & {});
  /** Names this request in the logs of the service. */
  readonly requestId: string | null;
  /** What is wrong with which field, record or line. */
  readonly errors: readonly Fault[];
  /** Seconds after which the service asks to be tried again. */
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

  /** Of a problem document, as answers and jobs that failed carry it. */
  static of(problem: Partial<Problem>, status: number, retryAfter: number | null = null): PlatenError {
    return new PlatenError(
      problem.status ?? status,
      problem.code ?? 'unknown',
      problem.detail ?? problem.title ?? `The service answers ${status}.`,
      { requestId: problem.request_id ?? null, errors: problem.errors ?? [], retryAfter },
    );
  }
}

/** What an answer that is no success says. Reads its body. */
export async function refusal(response: Response): Promise<PlatenError> {
  const text = await response.text();
  const retryAfter = retryAfterOf(response);
  try {
    const problem = JSON.parse(text) as Partial<Problem> | null;
    if (typeof problem?.code === 'string') return PlatenError.of(problem, response.status, retryAfter);
  } catch {
    // Not JSON: not the service's.
  }
  const origin = response.url === '' ? 'The service' : new URL(response.url).origin;
  const message = `${origin} answers ${response.status} ${response.statusText}`.trimEnd();
  return new PlatenError(response.status, 'unknown', `${message}.`, { retryAfter });
}

/** Seconds: `Retry-After` holds them, or the moment (RFC 9110, 10.2.3). */
export function retryAfterOf({ headers }: Response): number | null {
  const text = headers.get('retry-after');
  if (text === null) return null;
  const seconds = Number(text);
  if (Number.isFinite(seconds)) return Math.max(seconds, 0);
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? null : Math.max((moment - Date.now()) / 1000, 0);
}
