import {
  type FileInput,
  type JobHandle,
  type ListOptions,
  Platen,
  PlatenDocument,
  type PlatenError,
  type PreparedForm,
  type UploadedFile,
} from '@platen/client';
import { ordinalOf } from '@platen/core/ordinal';
import { SHOWN_CHARACTERS } from '@platen/core/errors';
import { SettingError } from './command.ts';
import type { CliConfig } from './config.ts';

/** Calls the service through its client, which asks for the token only when it sends a request. */

export interface CallOptions {
  body?: FormData | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
  signal?: AbortSignal | undefined;
}

/** Maximum retries after a temporary failure, and the longest pause before a retry in ms. */
const RETRIES = 3;
const MAX_PAUSE_MS = 10_000;

export class Client {
  readonly #config: CliConfig;
  readonly #say: (text: string) => void;
  #connected: Platen | undefined;

  /** @param say receives each warning of the service */
  constructor(config: CliConfig, say: (text: string) => void) {
    this.#config = config;
    this.#say = say;
  }

  /** Base URL of the service. */
  get url(): string {
    return this.#config.url;
  }

  /**
   * Sends a request and retries when the service did not process it (429, 503), but not when there is no
   * response, so that a user at a terminal learns of it at once.
   *
   * @param path below `/v1`
   * @throws PlatenError for any response but a success; SettingError when there is no token
   */
  async call(method: string, path: string, { body, headers, signal }: CallOptions = {}): Promise<Response> {
    const response = await this.#platen().request(method, path, {
      repeatable: false,
      ...(body === undefined ? {} : { body }),
      ...(headers === undefined ? {} : { headers }),
      ...(signal === undefined ? {} : { signal }),
    });
    for (const warning of new PlatenDocument(response).warnings) this.#say(`Warning: ${warning}`);
    return response;
  }

  /** Like `call`, for a JSON response. */
  async json<T>(method: string, path: string, options: CallOptions = {}): Promise<T> {
    return (await (await this.call(method, path, options)).json()) as T;
  }

  /** Returns all elements of a list. */
  list<T>(path: string, options: ListOptions): AsyncGenerator<T> {
    return this.#platen().list<T>(path, options);
  }

  /** Builds a form; files that are too large for a request are uploaded first. */
  async form(
    fields: Readonly<Record<string, string | undefined>>,
    files: Readonly<Record<string, FileInput>> = {},
  ): Promise<PreparedForm> {
    return await this.#platen().form(fields, files);
  }

  /** Uploads a file for later reference. @returns `upload:<id>` */
  async upload(file: Exclude<FileInput, UploadedFile>): Promise<string> {
    return (await this.#platen().upload(file)).upload;
  }

  /** Returns the handle of a job by its id, without a request. */
  job(id: string): JobHandle {
    return this.#platen().jobs.open(id);
  }

  #platen(): Platen {
    const { url, token } = this.#config;
    if (token === null) {
      throw new SettingError('PLATEN_TOKEN is not set: set it to a token, such as the one npm start prints.');
    }
    this.#connected ??= new Platen({ url, token, retries: RETRIES, maxPause: MAX_PAUSE_MS });
    return this.#connected;
  }
}

/**
 * Returns the reason why the service refused the request or did not respond, for a terminal: each fault on
 * its own line.
 */
export function explanation({ status, code, message, errors, requestId }: PlatenError): string {
  const lines = [message];
  for (const { record, file, field, line, column, source, message: fault } of errors) {
    const place = [
      record === undefined ? null : `${ordinalOf(record)} record`,
      file ?? field,
      line === undefined ? null : `line ${line}`,
    ];
    if (!message.includes(fault))
      lines.push(`  ${place.filter((part) => part !== null).join(', ')}: ${fault}`);
    if (source !== undefined && line !== undefined) lines.push(...excerpt(source, line, column));
  }
  if (status >= 500 && requestId !== null) lines.push(`  request id: ${requestId}`);
  if (code === 'unreachable') lines[0] += ' Set PLATEN_URL to the URL of the service.';
  return lines.join('\n');
}

/** Returns a line of the template with its number, and below it a mark at the column where the error is. */
function excerpt(source: string, line: number, column: number | undefined): string[] {
  const shown = `  ${line} | ${source}`;
  // A long line is cut around the column, so that its place in what is left is not known.
  if (column === undefined || column > source.length + 1 || source.length >= SHOWN_CHARACTERS) return [shown];
  const before = source.slice(0, column - 1).replace(/[^\t]/g, ' ');
  return [shown, `  ${' '.repeat(`${line}`.length)} | ${before}^`];
}
