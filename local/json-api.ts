import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Credentials, signatureFault } from './storage/signature.ts';

/** What an API cannot do, by the name that AWS has for it. */
export class ServiceError extends Error {
  override readonly name: string;

  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

/** Of a request: an execution's input, as a message, may have 256 KB. */
const MAX_REQUEST = 1024 * 1024;

/**
 * An API of AWS that speaks its JSON protocol 1.0: signed POSTs, with the action in a header. `Order` is what their
 * bodies hold, `Service` who does it.
 */
export class JsonApi<Service, Order> {
  readonly #server: Server;
  readonly #keys: Credentials;
  readonly #answer: (service: Service, action: string, order: Order) => Promise<object>;
  readonly #target: RegExp;
  #service: Service | undefined;

  private constructor(
    keys: Credentials,
    target: string,
    answer: (service: Service, action: string, order: Order) => Promise<object>,
  ) {
    this.#keys = keys;
    this.#answer = answer;
    this.#target = new RegExp(`^${target}\\.(\\w+)$`);
    this.#server = createServer((request, response) => {
      this.#handle(request, response).catch((error: unknown) => {
        respond(response, 500, { __type: 'InternalServerError', message: String(error) });
      });
    });
  }

  /** @param target What comes before the action in `X-Amz-Target` */
  static async listen<Service, Order>(
    keys: Credentials,
    target: string,
    answer: (service: Service, action: string, order: Order) => Promise<object>,
  ): Promise<JsonApi<Service, Order>> {
    const api = new JsonApi(keys, target, answer);
    await new Promise<void>((resolve, reject) => {
      api.#server.once('error', reject);
      api.#server.listen(0, '127.0.0.1', resolve);
    });
    return api;
  }

  /** `http://127.0.0.1:…` */
  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Who answers from now on. */
  serve(service: Service): void {
    this.#service = service;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const body = await readBody(request);
    const fault = signatureFault({ method, url, headers }, this.#keys, Date.now());
    const action = this.#target.exec(String(headers['x-amz-target']))?.[1] ?? '';
    const service = this.#service;
    if (fault !== null) respond(response, 400, { __type: 'AccessDeniedException', message: fault });
    else if (body === null || service === undefined) {
      respond(response, 400, {
        __type: 'ValidationException',
        message: 'The request is too large, or too early.',
      });
    } else {
      try {
        respond(response, 200, await this.#answer(service, action, JSON.parse(body) as Order));
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        respond(response, 400, { __type: error.name, message: error.message });
      }
    }
  }
}

/** To be thrown for what the API of AWS has and this one does not. */
export function notServed(action: string): ServiceError {
  return new ServiceError('UnknownOperationException', `${action} is not served here.`);
}

async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= MAX_REQUEST) chunks.push(chunk);
  }
  return length > MAX_REQUEST ? null : Buffer.concat(chunks).toString('utf8');
}

function respond(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' });
  response.end(JSON.stringify(body));
}
