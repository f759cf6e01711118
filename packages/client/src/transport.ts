import { PlatenError, refusal, retryAfterOf } from './errors.ts';

/** Sends requests to the service: adds the token, retries, and turns refusals into errors. */

export interface TransportOptions {
  /** URL of the service, with or without `/v1`. */
  url: string;
  token: string;
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch;
  /** Maximum retries after a temporary failure. Default 4. */
  retries?: number;
  /**
   * Longest pause before a retry in ms; when the service asks for a longer one, the call fails. Default
   * 30,000.
   */
  maxPause?: number;
}

/** Options of every call. */
export interface CallOptions {
  signal?: AbortSignal;
  headers?: Readonly<Record<string, string>>;
  /** The service processes requests with the same key only once within 24 hours. Retries keep the key. */
  idempotencyKey?: string;
}

export interface Outgoing extends CallOptions {
  body?: FormData | string;
  query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** True if repeating the request does no harm, so that it may be retried when no response arrived. */
  repeatable?: boolean;
}

/** Statuses of requests that were not processed and may always be retried. */
const NOT_WORKED_ON: ReadonlySet<number> = new Set([429, 503]);
/** Statuses of requests that may have been processed. */
const NO_ANSWER: ReadonlySet<number> = new Set([502]);
const FIRST_PAUSE_MS = 500;

export class Transport {
  /** Base URL without a trailing slash, with `/v1`. */
  readonly base: string;
  readonly fetch: typeof fetch;
  readonly retries: number;
  readonly #token: string;
  readonly #maxPause: number;

  /** @throws TypeError for an invalid URL */
  constructor({ url, token, fetch: own, retries = 4, maxPause = 30_000 }: TransportOptions) {
    if (!/^https?:/i.test(new URL(url).protocol)) throw new TypeError(`${url} is not an http or https URL.`);
    this.base = `${url.replace(/(?<!\/)\/+$/, '').replace(/\/v1$/, '')}/v1`;
    this.fetch = own ?? ((input, init) => globalThis.fetch(input, init));
    this.retries = retries;
    this.#token = token;
    this.#maxPause = maxPause;
  }

  /**
   * Sends a request and retries it until the response is final.
   *
   * @param path below `/v1`, encoded
   * @returns a successful response
   * @throws PlatenError for any other response, and for none; the signal's reason when aborted
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

  /** Like `send`, for a JSON response. */
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

  /**
   * Returns the pause before the next attempt in ms; null when the service asks for a longer one than
   * allowed. It is random, so that many clients do not retry at the same time.
   */
  #pause(attempt: number, retryAfter: number | null): number | null {
    const requestedDelay = (retryAfter ?? 0) * 1000;
    if (requestedDelay > this.#maxPause) return null;
    const own = FIRST_PAUSE_MS * 2 ** attempt * (0.5 + Math.random() / 2);
    return Math.min(Math.max(requestedDelay, own), this.#maxPause);
  }
}

function maySendAgain({ status, code }: PlatenError, repeatable: boolean): boolean {
  if (NOT_WORKED_ON.has(status)) return true;
  // The first request is still being processed; its response will be returned for this one.
  if (code === 'request_in_progress') return true;
  return repeatable && (status === 0 || NO_ANSWER.has(status));
}

/**
 * Returns whether repeating the request does no harm: not for requests that add a resource or write another
 * version of a template.
 */
function repeats(method: string, path: string): boolean {
  return method !== 'POST' && !(method === 'PUT' && /^\/template\/[^/]+$/.test(path));
}

/** Returns a value as one segment of a path. @throws TypeError for a value that would change the path */
export function segment(value: string): string {
  if (['', '.', '..'].includes(value)) throw new TypeError(`'${value}' cannot be a segment of a path.`);
  return encodeURIComponent(value);
}

/** Returns the error for a missing response. @param error as thrown by `fetch` or a socket */
export function unreachable(url: string, error: unknown): PlatenError {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const refused = (cause as { code?: unknown } | null)?.code === 'ECONNREFUSED';
  const why = refused ? 'the connection was refused' : cause instanceof Error ? cause.message : String(cause);
  return new PlatenError(0, 'unreachable', `${new URL(url).origin} cannot be reached: ${why}.`, {
    cause: error,
  });
}

/** @throws the signal's reason when aborted */
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
