import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiServer } from './api-server.ts';
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
export class JsonApi<Service, Order> extends ApiServer<Service> {
  readonly #keys: Credentials;
  readonly #answer: (service: Service, action: string, order: Order) => Promise<object>;
  readonly #target: RegExp;

  private constructor(
    keys: Credentials,
    target: string,
    answer: (service: Service, action: string, order: Order) => Promise<object>,
  ) {
    super();
    this.#keys = keys;
    this.#answer = answer;
    this.#target = new RegExp(`^${target}\\.(\\w+)$`);
  }

  /** @param target What comes before the action in `X-Amz-Target` */
  static async listen<Service, Order>(
    keys: Credentials,
    target: string,
    answer: (service: Service, action: string, order: Order) => Promise<object>,
  ): Promise<JsonApi<Service, Order>> {
    return await new JsonApi(keys, target, answer).listening();
  }

  protected override fail(response: ServerResponse, message: string): void {
    respond(response, 500, { __type: 'InternalServerError', message });
  }

  protected override async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const body = await readBody(request);
    const fault = signatureFault({ method, url, headers }, this.#keys, Date.now());
    const action = this.#target.exec(String(headers['x-amz-target']))?.[1] ?? '';
    const { service } = this;
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
