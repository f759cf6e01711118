import { PlatenDocument } from './document.ts';
import { JobHandle, PendingJob } from './jobs.ts';
import type { Outgoing, Transport } from './transport.ts';
import type { Job } from './wire.ts';

/** Options for creating a job. */
export interface JobOptions {
  /** URL to which the service posts when the job has ended. */
  callbackUrl?: string;
  /** Requests with the same key within 24 hours return the same job. Random when absent. */
  idempotencyKey?: string;
}

/** A request for a document: its path, and its form once its files are uploaded. */
export interface WorkRequest {
  path: string;
  query?: Outgoing['query'];
  form: () => Promise<FormData>;
  options: Pick<Outgoing, 'headers' | 'signal' | 'idempotencyKey'>;
}

/**
 * A document to be made. The request is sent once, when the object is first awaited or one of its methods is
 * called.
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

  /**
   * Writes the document as `PlatenDocument.toFile` does. @throws also PlatenError when the service refuses
   * the request
   */
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

  /** Creates a job for the document, however long it takes. The request is sent at once. */
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
