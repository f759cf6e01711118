import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiServer } from './api-server.ts';
import type { Access } from './iam/access.ts';
import type { RequiredRight } from './iam/policy.ts';
import { accessKeyOf, signatureFault } from './storage/signature.ts';

/** An API error under its AWS name. */
export class ServiceError extends Error {
  override readonly name: string;

  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

/** Maximum bytes of a request: an execution's input and a message may have 256 KB. */
const MAX_REQUEST = 1024 * 1024;

/** The actions of an AWS API, and the rights that they need. */
export interface Actions<Service, Order> {
  /** The prefix of the action in `X-Amz-Target`. */
  target: string;
  /** @returns null for an action whose needs are unknown, which only the owner may call */
  needs: (action: string, order: Order) => RequiredRight[] | null;
  /** @throws ServiceError */
  answer: (service: Service, action: string, order: Order) => Promise<object>;
}

/**
 * An AWS API with the JSON protocol 1.0: signed POST requests with the action in a header. `Order` is the
 * type of their bodies, `Service` the implementation.
 */
export class JsonApi<Service, Order> extends ApiServer<Service> {
  readonly #access: Access;
  readonly #actions: Actions<Service, Order>;
  readonly #target: RegExp;

  private constructor(access: Access, actions: Actions<Service, Order>) {
    super();
    this.#access = access;
    this.#actions = actions;
    this.#target = new RegExp(`^${actions.target}\\.(\\w+)$`);
  }

  static async listen<Service, Order>(
    access: Access,
    actions: Actions<Service, Order>,
  ): Promise<JsonApi<Service, Order>> {
    return await new JsonApi(access, actions).listening();
  }

  protected override fail(response: ServerResponse, message: string): void {
    respond(response, 500, { __type: 'InternalServerError', message });
  }

  protected override async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const body = await readBody(request);
    const signed = { method, url, headers };
    const fault = signatureFault(signed, (id) => this.#access.keys(id), Date.now());
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
        const order = JSON.parse(body) as Order;
        const refusal = this.#access.refusal(accessKeyOf(signed), this.#actions.needs(action, order));
        if (refusal !== null) throw new ServiceError('AccessDeniedException', refusal);
        respond(response, 200, await this.#actions.answer(service, action, order));
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        respond(response, 400, { __type: error.name, message: error.message });
      }
    }
  }
}

/** Returns the error for an action that AWS has and this API does not. */
export function unsupportedAction(action: string): ServiceError {
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
