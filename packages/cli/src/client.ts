import { SettingError } from './command.ts';
import type { CliConfig } from './config.ts';

/** Calls to the service. What it refuses becomes an ApiError that reads well in a terminal. */

/** RFC 9457, as the service answers errors. */
interface Problem {
  title?: string;
  detail?: string;
  code?: string;
  request_id?: string;
  errors?: { field?: string; message?: string; file?: string; line?: number; record?: number }[];
}

/** The service refused, or could not be reached. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** HTTP status; 0 when there was no answer. */
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export interface CallOptions {
  body?: FormData | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
  signal?: AbortSignal | undefined;
}

/** Answers that pass: tried again, as the service asks for it. */
const PASSING = new Set([429, 503]);
const ATTEMPTS = 4;
const MAX_WAIT_MS = 10_000;

export class Client {
  readonly #config: CliConfig;

  constructor(config: CliConfig) {
    this.#config = config;
  }

  /** Where the service is. */
  get url(): string {
    return this.#config.url;
  }

  /**
   * @param path below `/v1`
   * @throws ApiError for any answer but a success; SettingError when there is no token
   */
  async call(method: string, path: string, options: CallOptions = {}): Promise<Response> {
    const { url, token } = this.#config;
    if (token === null) {
      throw new SettingError('PLATEN_TOKEN is not set: set it to a token, such as the one npm start prints.');
    }
    const headers = { authorization: token, ...options.headers };
    for (let attempt = 1; ; attempt++) {
      const response = await this.#fetch(`${url}/v1${path}`, {
        method,
        headers,
        ...(options.body === undefined ? {} : { body: options.body }),
        ...(options.signal === undefined ? {} : { signal: options.signal }),
      });
      if (response.ok) return response;
      if (PASSING.has(response.status) && attempt < ATTEMPTS) {
        await response.body?.cancel();
        await pause(response, attempt, options.signal);
        continue;
      }
      throw await refusal(response);
    }
  }

  /** The same, for an answer that is JSON. */
  async json<T>(method: string, path: string, options: CallOptions = {}): Promise<T> {
    return (await (await this.call(method, path, options)).json()) as T;
  }

  async #fetch(url: string, init: RequestInit): Promise<Response> {
    try {
      return await fetch(url, init);
    } catch (error) {
      if (error instanceof Error && error.name === 'AbortError') throw error;
      throw unreachable(url, error);
    }
  }
}

/** No answer at all. @param error as `fetch` or a socket threw it */
export function unreachable(url: string, error: unknown): ApiError {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const why =
    (cause as { code?: unknown }).code === 'ECONNREFUSED'
      ? 'nothing answers there'
      : (cause as Error).message;
  return new ApiError(
    0,
    'unreachable',
    `${new URL(url).origin} cannot be reached: ${why}. PLATEN_URL says where the service is.`,
  );
}

async function pause(response: Response, attempt: number, signal: AbortSignal | undefined): Promise<void> {
  const asked = Number(response.headers.get('retry-after') ?? 0) * 1000;
  const wait = Math.min(Math.max(asked, 500 * 2 ** attempt), MAX_WAIT_MS);
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, wait);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });
}

async function refusal(response: Response): Promise<ApiError> {
  const text = await response.text();
  let problem: Problem = {};
  try {
    problem = JSON.parse(text) as Problem;
  } catch {
    // Not ours: a proxy's page, perhaps.
    problem = { detail: `${response.url} answers ${response.status} ${response.statusText}` };
  }
  const lines = [problem.detail ?? problem.title ?? `${response.status} ${response.statusText}`];
  for (const fault of problem.errors ?? []) {
    const place = [
      fault.record === undefined ? null : `record ${fault.record}`,
      fault.file ?? fault.field ?? null,
      fault.line === undefined ? null : `line ${fault.line}`,
    ].filter((part) => part !== null);
    const message = fault.message ?? '';
    if (!lines[0]?.includes(message)) lines.push(`  ${place.join(', ')}: ${message}`);
  }
  if (response.status >= 500 && problem.request_id !== undefined)
    lines.push(`  request id: ${problem.request_id}`);
  return new ApiError(response.status, problem.code ?? 'unknown', lines.join('\n'));
}
