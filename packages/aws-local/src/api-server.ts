import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** An AWS API on a local port. It listens before the service that answers is available. */
export abstract class ApiServer<Service> {
  /** The service that answers, once it is available. */
  protected service: Service | undefined;
  readonly #server: Server;

  protected constructor(options: ServerOptions = {}) {
    this.#server = createServer(options, (request, response) => {
      this.handle(request, response).catch((error: unknown) => this.fail(response, String(error)));
    });
  }

  protected abstract handle(request: IncomingMessage, response: ServerResponse): Promise<void>;

  /** Responds to a request whose handling failed through an internal error. */
  protected abstract fail(response: ServerResponse, message: string): void;

  protected async listening(): Promise<this> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(0, '127.0.0.1', resolve);
    });
    return this;
  }

  /** `http://127.0.0.1:…` */
  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Sets the service that answers from now on. */
  serve(service: Service): void {
    this.service = service;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
