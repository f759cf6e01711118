import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse as parseDisposition } from 'content-disposition';
import { type Receiver, startReceiver } from './receiver.ts';

/** The name under which pages and webhooks of the scenarios are reached. */
const HOST = 'host.docker.internal';

export interface Answer {
  status: number;
  headers: Headers;
  body: Buffer;
}

/** What one scenario sends and gets. */
export class World {
  readonly #suite: string;
  readonly #work: string;
  readonly #service: string;
  #receiver: Receiver | undefined;
  readonly #received: PromiseWithResolvers<void> = Promise.withResolvers();
  /** The folder of the files that the last document came as. */
  #folder: string | undefined;
  answer: Answer | undefined;
  concurrent: { answer: Answer; folder: string }[] = [];

  /**
   * @param paths.suite the folder with Gotenberg's test data
   * @param paths.work an empty folder of the scenario
   * @param service the address of the routes
   */
  constructor({ suite, work }: { suite: string; work: string }, service: string) {
    this.#suite = suite;
    this.#work = work;
    this.#service = service;
    mkdirSync(work, { recursive: true });
  }

  get receiver(): Receiver {
    if (this.#receiver === undefined) throw new Error('the scenario has no server');
    return this.#receiver;
  }

  /** Starts the server of the scenario, in place of an earlier one. */
  async startReceiver(): Promise<void> {
    this.#receiver?.stop();
    this.#receiver = await startReceiver(this.#suite, ({ headers, body }) => {
      const trace = String(headers['gotenberg-trace']);
      const disposition = headers['content-disposition'];
      if (disposition !== undefined)
        this.#keep(trace, new Headers(headers as Record<string, string>), body, 'webhook');
      this.#received.resolve();
    });
  }

  /** Waits until a webhook has been called. */
  async called(): Promise<void> {
    const timer = setTimeout(() => {
      this.#received.reject(new Error('the webhook is not called within a minute'));
    }, 60_000);
    await this.#received.promise.finally(() => clearTimeout(timer));
  }

  async get(method: string, path: string, headers: Record<string, string>): Promise<void> {
    this.answer = await received(await fetch(this.#service + path, { method, headers }));
  }

  /** @param rows name, value and kind (field, file or header) */
  async post(path: string, rows: readonly string[][]): Promise<void> {
    this.answer = await this.#posted(path, rows);
    const trace = this.answer.headers.get('gotenberg-trace') ?? '';
    if (this.answer.status === 204) this.#folder = join(this.#work, trace);
    if (this.answer.status === 200) this.#folder = this.#keep(trace, this.answer.headers, this.answer.body);
  }

  async postOften(count: number, path: string, rows: readonly string[][]): Promise<void> {
    const answers = Array.from({ length: count }, async () => {
      const answer = await this.#posted(path, rows);
      const trace = answer.headers.get('gotenberg-trace') ?? '';
      return { answer, folder: this.#keep(trace, answer.headers, answer.body) };
    });
    this.concurrent = await Promise.all(answers);
  }

  async #posted(path: string, rows: readonly string[][]): Promise<Answer> {
    const body = new FormData();
    const headers: Record<string, string> = {};
    const port = String(this.#receiver?.port);
    for (const [name = '', value = '', kind] of rows) {
      const filled = /^(downloadFrom|url|cookies|Gotenberg-Webhook-\w*-?Url)$/.test(name)
        ? value.replaceAll('%d', port)
        : value;
      if (kind === 'header') headers[name] = filled;
      else if (kind === 'file') body.append(name, new Blob([this.#sent(value)]), basename(value));
      else body.append(name, filled);
    }
    return await received(await fetch(this.#service + path, { method: 'POST', headers, body }));
  }

  /** Returns a file of the test data, or one that an earlier request returned. */
  #sent(path: string): Buffer<ArrayBuffer> {
    return readFileSync(path.startsWith('teststore/') ? this.path(basename(path)) : join(this.#suite, path));
  }

  /** Writes a document, and the entries of a ZIP, into the folder of its trace. */
  #keep(trace: string, headers: Headers, body: Buffer, fallback = ''): string {
    const folder = join(this.#work, trace);
    mkdirSync(folder, { recursive: true });
    const disposition = headers.get('content-disposition');
    if (disposition === null) return folder;
    const isZip = headers.get('content-type') === 'application/zip';
    const unnamed = `${fallback}.${isZip ? 'zip' : 'pdf'}`;
    const path = join(folder, basename(parseDisposition(disposition).parameters['filename'] ?? unnamed));
    writeFileSync(path, body);
    if (isZip) execFileSync('unzip', ['-q', '-o', path, '-d', folder]);
    return folder;
  }

  /** Returns the names of the files of the last document. */
  names(folder = this.#folder): string[] {
    return folder === undefined ? [] : readdirSync(folder);
  }

  /** Returns the paths of the PDFs of the last document. */
  pdfs(): string[] {
    return this.names()
      .filter((name) => name.toLowerCase().endsWith('.pdf'))
      .map((name) => this.path(name));
  }

  /** Returns the path of a file of the last document. @param name may begin with `*_`: any name that contains the rest */
  path(name: string): string {
    const names = this.names();
    const part = name.startsWith('*_') ? name.slice(2) : undefined;
    const found = part === undefined ? name : names.find((other) => other.includes(part));
    if (found === undefined || !names.includes(found))
      throw new Error(`there is no ${name}, but ${names.join(', ')}`);
    return join(this.#folder ?? '', found);
  }

  stop(): void {
    this.#receiver?.stop();
    rmSync(this.#work, { recursive: true, force: true });
  }
}

async function received(response: Response): Promise<Answer> {
  const body = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, body };
}

export { HOST };
