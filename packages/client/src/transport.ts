import { PlatenError, refusal, retryAfterOf } from './errors.ts';

/** Requests to the service: the token, retries, refusals as errors. */

export interface TransportOptions {
  /** Where the service is; with or without `/v1`. */
  url: string;
  token: string;
  /** Used in place of the global `fetch`. */
  fetch?: typeof fetch;
  /** How often a request is sent again after an answer that passes. Default 4. */
  retries?: number;
  /** Longest pause before a request is sent again, ms; a service that asks for more is told as an error. Default 30,000. */
  maxPause?: number;
}

/** What any call takes besides. */
export interface CallOptions {
  signal?: AbortSignal;
  headers?: Readonly<Record<string, string>>;
  /** The service does the work of requests with one key once, within 24 hours. Kept when a request is sent again. */
  idempotencyKey?: string;
}

export interface Outgoing extends CallOptions {
  body?: FormData | string;
  query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** Doing the work twice does no harm: it may be sent again when no answer came. */
  repeatable?: boolean;
}

/** Not worked on: it may be sent again in any case. */
const NOT_WORKED_ON: ReadonlySet<number> = new Set([429, 503]);
/** Perhaps worked on. */
const NO_ANSWER: ReadonlySet<number> = new Set([502]);
const FIRST_PAUSE_MS = 500;

export class Transport {
  /** Without a slash at its end, with `/v1`. */
  readonly base: string;
  readonly fetch: typeof fetch;
  readonly retries: number;
  readonly #token: string;
  readonly #maxPause: number;

  /** @throws TypeError for an address that is none */
  constructor({ url, token, fetch: own, retries = 4, maxPause = 30_000 }: TransportOptions) {
    if (!/^https?:/i.test(new URL(url).protocol))
      throw new TypeError(`${url} is no address of http or https.`);
    this.base = `${url.replace(/(?<!\/)\/+$/, '').replace(/\/v1$/, '')}/v1`;
    this.fetch = own ?? ((input, init) => globalThis.fetch(input, init));
    this.retries = retries;
    this.#token = token;
    this.#maxPause = maxPause;
  }

  /**
   * Sends a request until it is answered by more than "later".
   *
   * @param path below `/v1`, encoded
   * @returns a success
   * @throws PlatenError for any other answer, and for none; what the signal was aborted with
   */
  async send(method: string, path: string, outgoing: Outgoing = {}): Promise<Response> {
    const { signal, body, query, idempotencyKey } = outgoing;
    const url = withQuery(`${this.base}${path}`, query);
    const init: RequestInit = {
      method,
      headers: {
        authorization: this.#token,
        ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        ...outgoing.headers,
      },
      ...(body === undefined ? {} : { body }),
      ...(signal === undefined ? {} : { signal }),
    };
    const repeatable = idempotencyKey !== undefined || (outgoing.repeatable ?? repeats(method, path));
    for (let attempt = 0; ; attempt++) {
      const response = await this.#attempt(url, init);
      if (response instanceof Response && response.ok) return response;
      const error = response instanceof Response ? await refusal(response) : response;
      const pause = this.#pause(attempt, response instanceof Response ? retryAfterOf(response) : null);
      if (attempt >= this.retries || pause === null || !maySendAgain(error, repeatable)) throw error;
      await sleep(pause, signal);
    }
  }

  /** The same, for an answer that is JSON. */
  async json<T>(method: string, path: string, outgoing: Outgoing = {}): Promise<T> {
    return (await (await this.send(method, path, outgoing)).json()) as T;
  }

  async #attempt(url: string, init: RequestInit): Promise<Response | PlatenError> {
    try {
      return await this.fetch(url, init);
    } catch (error) {
      if (init.signal?.aborted === true) throw error;
      return unreachable(url, error);
    }
  }

  /** Before the next attempt, ms; null when the service asks for more than is waited. Random, so that many clients spread. */
  #pause(attempt: number, retryAfter: number | null): number | null {
    const requestedDelay = (retryAfter ?? 0) * 1000;
    if (requestedDelay > this.#maxPause) return null;
    const own = FIRST_PAUSE_MS * 2 ** attempt * (0.5 + Math.random() / 2);
    return Math.min(Math.max(requestedDelay, own), this.#maxPause);
  }
}

function maySendAgain({ status, code }: PlatenError, repeatable: boolean): boolean {
  if (NOT_WORKED_ON.has(status)) return true;
  // The request before is still being worked on: its answer will be this one's.
  if (code === 'request_in_progress') return true;
  return repeatable && (status === 0 || NO_ANSWER.has(status));
}

/** Whether twice is as good as once: not what adds, nor what writes another version of a template. */
function repeats(method: string, path: string): boolean {
  return method !== 'POST' && !(method === 'PUT' && /^\/template\/[^/]+$/.test(path));
}

/** A value as one segment of an address. @throws TypeError for what would lead to another address */
export function segment(value: string): string {
  if (['', '.', '..'].includes(value)) throw new TypeError(`'${value}' cannot be part of an address.`);
  return encodeURIComponent(value);
}

/** No answer at all. @param error as `fetch` or a socket threw it */
export function unreachable(url: string, error: unknown): PlatenError {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const refused = (cause as { code?: unknown } | null)?.code === 'ECONNREFUSED';
  const why = refused ? 'nothing answers there' : cause instanceof Error ? cause.message : String(cause);
  return new PlatenError(0, 'unreachable', `${new URL(url).origin} cannot be reached: ${why}.`, {
    cause: error,
  });
}

/** @throws what the signal is aborted with */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}

function withQuery(url: string, query: Outgoing['query'] = {}): string {
  const given = Object.entries(query).filter(
    (entry): entry is [string, string | number | boolean] => entry[1] !== undefined,
  );
  if (given.length === 0) return url;
  const text = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]));
  return `${url}?${text.toString()}`;
}
