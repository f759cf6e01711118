import {
  type FileInput,
  type JobHandle,
  type ListOptions,
  Platen,
  type PlatenError,
  type PreparedForm,
  type UploadedFile,
} from '@platen/client';
import { SettingError } from './command.ts';
import type { CliConfig } from './config.ts';

/** Calls to the service by its client, which is only asked for a token when something is sent. */

export interface CallOptions {
  body?: FormData | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
  signal?: AbortSignal | undefined;
}

/** How often a request is sent again after an answer that passes, and the longest pause before it, ms. */
const RETRIES = 3;
const MAX_PAUSE_MS = 10_000;

export class Client {
  readonly #config: CliConfig;
  #connected: Platen | undefined;

  constructor(config: CliConfig) {
    this.#config = config;
  }

  /** Where the service is. */
  get url(): string {
    return this.#config.url;
  }

  /**
   * Sends a request again where it was not worked on (429, 503), and not where there is no answer: whoever waits at a
   * terminal wants to know at once.
   *
   * @param path below `/v1`
   * @throws PlatenError for any answer but a success; SettingError when there is no token
   */
  async call(method: string, path: string, { body, headers, signal }: CallOptions = {}): Promise<Response> {
    return await this.#platen().request(method, path, {
      repeatable: false,
      ...(body === undefined ? {} : { body }),
      ...(headers === undefined ? {} : { headers }),
      ...(signal === undefined ? {} : { signal }),
    });
  }

  /** The same, for an answer that is JSON. */
  async json<T>(method: string, path: string, options: CallOptions = {}): Promise<T> {
    return (await (await this.call(method, path, options)).json()) as T;
  }

  /** All elements of a list. */
  list<T>(path: string, options: ListOptions): AsyncGenerator<T> {
    return this.#platen().list<T>(path, options);
  }

  /** A form, whose files are uploaded first where they are too large to go with a request. */
  async form(
    fields: Readonly<Record<string, string | undefined>>,
    files: Readonly<Record<string, FileInput>> = {},
  ): Promise<PreparedForm> {
    return await this.#platen().form(fields, files);
  }

  /** Uploads a file to refer to. @returns `upload:<id>` */
  async upload(file: Exclude<FileInput, UploadedFile>): Promise<string> {
    return (await this.#platen().upload(file)).upload;
  }

  /** A job by its id. Nothing is sent. */
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

/** What the service refused, or why it did not answer, for a terminal: each fault on a line of its own. */
export function explanation({ status, code, message, errors, requestId }: PlatenError): string {
  const lines = [message];
  for (const { record, file, field, line, message: fault } of errors) {
    const place = [
      record === undefined ? null : `record ${record}`,
      file ?? field,
      line === undefined ? null : `line ${line}`,
    ];
    if (!message.includes(fault))
      lines.push(`  ${place.filter((part) => part !== null).join(', ')}: ${fault}`);
  }
  if (status >= 500 && requestId !== null) lines.push(`  request id: ${requestId}`);
  if (code === 'unreachable') lines[0] += ' PLATEN_URL says where the service is.';
  return lines.join('\n');
}
