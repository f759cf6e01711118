import type { Instance } from './instance.ts';
import type { Outcome, Tally } from './tally.ts';

/** One client of an instance: sends requests, and judges what comes back. */

export type Fields = Record<string, string | [content: Buffer | string, filename: string]>;

export interface Answer {
  status: number;
  body: Buffer;
  /** The code of a problem; empty for a document. */
  code: string;
}

/** Codes of errors that say that something is missing now, and not that the request is wrong. */
const CLEAR: Record<number, readonly string[]> = {
  502: ['bad_gateway'],
  503: ['service_busy', 'engine_unavailable', 'storage_unavailable'],
  504: ['deadline_exceeded'],
};

export function isClear(status: number, code: string): boolean {
  return CLEAR[status]?.includes(code) === true;
}

/** A request that brought no answer that could be judged; it has been counted. */
export class NoAnswer extends Error {}

export class Client {
  readonly instance: Instance;
  readonly tally: Tally;
  /** How often the whole service was killed. */
  kills = 0;

  constructor(instance: Instance, tally: Tally) {
    this.instance = instance;
    this.tally = tally;
  }

  /**
   * Sends a request, and counts it unless it is answered as expected.
   *
   * @param expected the status of success
   * @throws NoAnswer
   */
  async send(
    kind: string,
    path: string,
    { method = 'POST', fields, headers = {}, expected = 200, deadlineMs = 150_000 }: Sending = {},
  ): Promise<Answer> {
    const { kills } = this;
    const began = Date.now();
    const fail = (outcome: Outcome, detail: string): never => {
      this.tally.add(kind, outcome, detail);
      throw new NoAnswer(`${kind}: ${outcome} ${detail}`);
    };
    let answer: Answer;
    try {
      answer = await this.#fetch(path, method, fields, headers, deadlineMs);
    } catch (error) {
      const detail = `${new Date(began).toISOString()} ${method} ${path}: ${describe(error)}`;
      if ((error as Error).name === 'TimeoutError') return fail('hung', detail);
      // It was killed, or is about to be: the connection may end before the signal is counted.
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      return fail(this.kills > kills ? 'cut' : 'unclear error', detail);
    }
    const { status, code, body } = answer;
    if (status === expected) return answer;
    if (isClear(status, code) && this.tally.hadFault(began)) return fail('clear error', `${status} ${code}`);
    return fail(
      'unclear error',
      `${new Date(began).toISOString()} ${method} ${path}: ${status} ${body.toString('utf8', 0, 300)}`,
    );
  }

  /** Gets something without counting it. @throws Error without an answer */
  async ask(path: string): Promise<Answer> {
    return await this.#fetch(path, 'GET', undefined, {}, 60_000);
  }

  async #fetch(
    path: string,
    method: string,
    fields: Fields | undefined,
    headers: Record<string, string>,
    deadlineMs: number,
  ): Promise<Answer> {
    const response = await fetch(this.instance.url + path, {
      method,
      headers: { authorization: this.instance.token, ...headers },
      signal: AbortSignal.timeout(deadlineMs),
      ...(fields === undefined ? {} : { body: form(fields) }),
    });
    const body = Buffer.from(await response.arrayBuffer());
    const isProblem = response.headers.get('content-type')?.includes('json') === true && !response.ok;
    const { code = '' } = isProblem ? (JSON.parse(body.toString()) as { code?: string }) : {};
    return { status: response.status, body, code };
  }
}

export interface Sending {
  method?: string;
  fields?: Fields;
  headers?: Record<string, string>;
  expected?: number;
  deadlineMs?: number;
}

export function form(fields: Fields): FormData {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') body.append(name, value);
    else body.append(name, new Blob([value[0]]), value[1]);
  }
  return body;
}

function describe(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}
