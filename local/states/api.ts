import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Credentials, signatureFault } from '../storage/signature.ts';
import { StatesError } from './errors.ts';
import type { ExecutionRecord, StateMachines } from './index.ts';

/**
 * Step Functions' own API, as far as functions use it. The SDK finds it by AWS_ENDPOINT_URL_SFN.
 */

/** Of a request: an execution's input may have 256 KB. */
const MAX_REQUEST = 1024 * 1024;
const TARGET = /^AWSStepFunctions\.(\w+)$/;

interface Order {
  stateMachineArn?: string;
  executionArn?: string;
  name?: string;
  input?: string;
  error?: string;
  cause?: string;
}

export class StatesApi {
  readonly #server: Server;
  readonly #keys: Credentials;
  #machines: StateMachines | undefined;

  private constructor(keys: Credentials) {
    this.#keys = keys;
    this.#server = createServer((request, response) => {
      this.#handle(request, response).catch((error: unknown) => {
        respond(response, 500, { __type: 'InternalServerError', message: String(error) });
      });
    });
  }

  static async listen(keys: Credentials): Promise<StatesApi> {
    const api = new StatesApi(keys);
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

  /** Whose executions are started and stopped. */
  serve(machines: StateMachines): void {
    this.#machines = machines;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const body = await readBody(request);
    const fault = signatureFault({ method, url, headers }, this.#keys, Date.now());
    const action = TARGET.exec(String(headers['x-amz-target']))?.[1] ?? '';
    const machines = this.#machines;
    if (fault !== null) respond(response, 400, { __type: 'AccessDeniedException', message: fault });
    else if (body === null || machines === undefined) {
      respond(response, 400, {
        __type: 'ValidationException',
        message: 'The request is too large, or too early.',
      });
    } else {
      try {
        respond(response, 200, await answer(machines, action, JSON.parse(body) as Order));
      } catch (error) {
        if (!(error instanceof StatesError)) throw error;
        respond(response, 400, { __type: error.name, message: error.message });
      }
    }
  }
}

async function answer(machines: StateMachines, action: string, order: Order): Promise<object> {
  const execution = (order.executionArn ?? '').split(':').at(-1) ?? '';
  switch (action) {
    case 'StartExecution': {
      const { stateMachineArn = '', name = randomUUID(), input = '{}' } = order;
      const record = await machines.start(stateMachineArn, name, input, Date.now());
      return { executionArn: arnOf(record), startDate: seconds(record.started) };
    }
    case 'StopExecution': {
      const record = await machines.stop(execution, order.error ?? null, order.cause ?? null);
      return { stopDate: seconds(record.stopped ?? Date.now()) };
    }
    case 'DescribeExecution': {
      const record = machines.describe(execution);
      return {
        executionArn: arnOf(record),
        stateMachineArn: record.machine,
        name: record.name,
        status: record.status,
        startDate: seconds(record.started),
        ...(record.stopped === null ? {} : { stopDate: seconds(record.stopped) }),
        input: record.input,
        ...(record.error === null ? {} : { error: record.error }),
        ...(record.cause === null ? {} : { cause: record.cause }),
      };
    }
    default:
      throw new StatesError('UnknownOperationException', `${action} is not served here.`);
  }
}

function arnOf({ machine, name }: ExecutionRecord): string {
  return `${machine.replace(':stateMachine:', ':execution:')}:${name}`;
}

function seconds(milliseconds: number): number {
  return milliseconds / 1000;
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
