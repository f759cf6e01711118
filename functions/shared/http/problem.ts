import { ERRORS, problemType } from '@platen/contract/errors';
import type { ProblemJson } from '@platen/contract/resources';
import { isPlatenError, PlatenError } from '@platen/core/errors';
import { storageFault } from '@platen/core/storage-fault';
import type { Reply } from './reply.ts';

/**
 * Turns anything thrown into an answer of RFC 9457's shape (I-4). What is not a PlatenError is a fault of
 * ours: its text may hold paths and data, so the caller gets the request id only.
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

/** The same as a value, to be kept. */
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
