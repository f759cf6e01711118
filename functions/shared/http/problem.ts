import { ERRORS, problemType } from '@platen/contract/errors';
import type { ProblemJson } from '@platen/contract/resources';
import { isPlatenError, PlatenError, storageFault } from '@platen/core/errors';
import type { Reply } from './reply.ts';

/**
 * Converts any thrown value to an answer in the form of RFC 9457 (I-4). Any other error than a PlatenError is
 * internal: its text may hold paths and data, so the caller gets only the request id.
 */
export function problem(error: unknown, requestId: string): Reply {
  const body = problemBody(error, requestId);
  return {
    status: body.status,
    headers: {
      'content-type': 'application/problem+json; charset=utf-8',
      'cache-control': 'no-store',
      ...(body.status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
      ...(body.status === 503 ? { 'retry-after': '5' } : {}),
    },
    body: JSON.stringify(body, null, 2),
  };
}

/** Returns the same as a value, to be stored. */
export function problemBody(error: unknown, requestId: string): ProblemJson {
  const known = isPlatenError(error)
    ? error
    : (storageFault(error) ??
      new PlatenError(
        'internal_error',
        'Something went wrong in the service. Please try again; if the error persists, report the request id.',
      ));
  const { status, title } = ERRORS[known.code];
  return {
    type: problemType(known.code),
    title,
    status,
    detail: known.message,
    code: known.code,
    request_id: requestId,
    ...(known.faults.length === 0 ? {} : { errors: known.faults.map((fault) => ({ ...fault })) }),
  };
}
