import { PlatenDocument } from './document.ts';
import { JobHandle, PendingJob } from './jobs.ts';
import type { Outgoing, Transport } from './transport.ts';
import type { Job } from './wire.ts';

/** How a job is asked for. */
export interface JobOptions {
  /** Posted to when the job has ended. */
  callbackUrl?: string;
  /** The same key within 24 hours stands for the same job. A random one when absent. */
  idempotencyKey?: string;
}

/** A request for a document: its address, and its form once its files are where they have to be. */
export interface WorkRequest {
  path: string;
  query?: Outgoing['query'];
  form: () => Promise<FormData>;
  options: Pick<Outgoing, 'headers' | 'signal' | 'idempotencyKey'>;
}

/**
 * A document to be made. Nothing is sent before it is asked for: awaited, or one of the methods called. It is then made
 * once.
 */
export class Work implements PromiseLike<PlatenDocument> {
  readonly #transport: Transport;
  readonly #request: WorkRequest;
  #document: Promise<PlatenDocument> | undefined;

  constructor(transport: Transport, request: WorkRequest) {
    this.#transport = transport;
    this.#request = request;
  }

  // oxlint-disable-next-line unicorn/no-thenable -- to be awaited is what it is for
  then<T = PlatenDocument, E = never>(
    fulfilled?: ((document: PlatenDocument) => T | PromiseLike<T>) | null,
    rejected?: ((reason: unknown) => E | PromiseLike<E>) | null,
  ): Promise<T | E> {
    return this.#made().then(fulfilled, rejected);
  }

  /** As `PlatenDocument.toFile`. @throws also PlatenError for what the service refuses */
  async toFile(path?: string): Promise<string> {
    return await (await this.#made()).toFile(path);
  }

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return await (await this.#made()).bytes();
  }

  async blob(): Promise<Blob> {
    return await (await this.#made()).blob();
  }

  async text(): Promise<string> {
    return await (await this.#made()).text();
  }

  async stream(): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
    return (await this.#made()).stream();
  }

  /** Has it made as a job, however long it takes. Asked for at once. */
  asJob(options: JobOptions = {}): PendingJob {
    return new PendingJob(this.#accepted(options));
  }

  #made(): Promise<PlatenDocument> {
    this.#document ??= this.#send({ repeatable: true }).then((response) => new PlatenDocument(response));
    return this.#document;
  }

  async #accepted({ callbackUrl, idempotencyKey = crypto.randomUUID() }: JobOptions): Promise<JobHandle> {
    const response = await this.#send({ idempotencyKey, headers: { prefer: 'respond-async' } }, callbackUrl);
    const { id } = (await response.json()) as Job;
    return new JobHandle(this.#transport, id);
  }

  async #send(more: Outgoing, callbackUrl?: string): Promise<Response> {
    const { path, query, form, options } = this.#request;
    const body = await form();
    if (callbackUrl !== undefined) body.append('callback_url', callbackUrl);
    const headers = { ...options.headers, ...more.headers };
    const outgoing: Outgoing = {
      ...options,
      ...more,
      body,
      headers,
      ...(query === undefined ? {} : { query }),
    };
    return await this.#transport.send('POST', path, outgoing);
  }
}
