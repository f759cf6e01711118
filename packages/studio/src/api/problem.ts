import type { Problem } from './types.ts';

/** An answer of the API that is no success, or none at all. Its message is for people, and only ever shown as text. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.problem = problem;
  }
}

/** What there is to say of an answer, whatever its body is. */
export function problemOf(status: number, body: string): Problem {
  try {
    const parsed = JSON.parse(body) as Partial<Problem> | null;
    if (typeof parsed?.detail === 'string' && typeof parsed.title === 'string')
      return {
        ...parsed,
        title: parsed.title,
        detail: parsed.detail,
        status,
        code: parsed.code ?? 'unknown',
      };
  } catch {
    // Something between the Studio and the service answered: the status has to do.
  }
  return {
    title: `The service answered ${status}`,
    detail: `The service answered ${status} without saying why.`,
    status,
    code: 'unknown',
  };
}

/** The sentence to show of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Whether it was thrown because something newer took its place. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}
