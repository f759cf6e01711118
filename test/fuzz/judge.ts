import { ERRORS } from '../../packages/contract/src/errors.ts';

/** What must hold of every answer, whatever was sent. */

export interface FuzzAnswer {
  status: number;
  headers: Headers;
  bytes: Buffer;
}

/** Paths of this machine, and lines of a stack. */
const INSIDE =
  /(?:\/(?:tmp|home|root|work|usr|var|opt)\/[\w.-]+\/)|(?:\n\s+at .+:\d+:\d+)|node_modules|\.m?[jt]s:\d+/;

/** What is said of a deadline, or of too much at once, is no fault. */
const NAMED: ReadonlySet<string> = new Set([
  'deadline_exceeded',
  'engine_unavailable',
  'storage_unavailable',
]);

/** The code of a problem document; empty where the answer is none. */
export function codeOf({ status, bytes }: FuzzAnswer): string {
  if (status < 400) return '';
  return /"code": ?"(\w+)"/.exec(bytes.toString('utf8'))?.[1] ?? '';
}

/** @returns what is wrong with an answer; null when nothing is */
export function faultOf({ status, headers, bytes }: FuzzAnswer): string | null {
  if (headers.get('x-content-type-options') !== 'nosniff') return 'no nosniff';
  const id = headers.get('x-request-id');
  if (id === null) return 'no X-Request-Id';
  if (status < 400) return null;
  if (headers.get('content-type')?.startsWith('application/problem+json') !== true)
    return 'no problem document';
  let problem: { code?: string; status?: number; detail?: string; request_id?: string };
  try {
    problem = JSON.parse(bytes.toString('utf8')) as typeof problem;
  } catch {
    return 'not JSON';
  }
  const { code = '' } = problem;
  if (!Object.hasOwn(ERRORS, code)) return `unknown code ${code}`;
  if (problem.status !== status) return `status ${problem.status} in an answer of ${status}`;
  if (problem.request_id !== id) return 'another request id in the body';
  if (typeof problem.detail !== 'string' || problem.detail === '') return 'no detail';
  // What was sent may be said again, and may look like a path.
  if (INSIDE.test(problem.detail)) return `a path or a stack in the detail: ${problem.detail.slice(0, 200)}`;
  if (status === 503 && headers.get('retry-after') === null) return '503 without Retry-After';
  if (status >= 500 && status !== 501 && !NAMED.has(code)) return `${status} ${code}`;
  return null;
}
