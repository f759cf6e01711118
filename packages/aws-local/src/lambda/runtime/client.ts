import { Agent, request, type ClientRequest, type IncomingMessage } from 'node:http';

/** The function's side of Lambda's Runtime API, version 2018-06-01. */

export interface Invocation {
  requestId: string;
  /** Milliseconds of the epoch at which the function is stopped. */
  deadline: number;
  functionArn: string;
  traceId: string;
  event: unknown;
}

export class RuntimeClient {
  readonly #host: string;
  readonly #port: string;
  readonly #agent = new Agent({ keepAlive: true });

  /** @param address host and port of the Runtime API */
  constructor(address: string) {
    const [host = '', port = ''] = address.split(':');
    this.#host = host;
    this.#port = port;
  }

  /**
   * Waits for the next event; an execution environment spends its idle time here.
   *
   * @param received called with its id as soon as it is complete
   */
  async next(received: (requestId: string) => void): Promise<Invocation> {
    const { headers, body } = await this.#send('GET', '/runtime/invocation/next');
    const field = (name: string): string => String(headers[`lambda-runtime-${name}`] ?? '');
    const requestId = field('aws-request-id');
    received(requestId);
    return {
      requestId,
      deadline: Number(field('deadline-ms')),
      functionArn: field('invoked-function-arn'),
      traceId: field('trace-id'),
      event: JSON.parse(body.toString('utf8')) as unknown,
    };
  }

  async sendResult(requestId: string, json: string): Promise<void> {
    await this.#send('POST', `/runtime/invocation/${requestId}/response`, json);
  }

  async sendError(requestId: string, error: unknown): Promise<void> {
    await this.#send('POST', `/runtime/invocation/${requestId}/error`, JSON.stringify(describe(error)));
  }

  async sendInitError(error: unknown): Promise<void> {
    await this.#send('POST', '/runtime/init/error', JSON.stringify(describe(error)));
  }

  /** Opens the request whose body is the streamed result. */
  openResponse(requestId: string, headers: Record<string, string | string[]>): ClientRequest {
    return request({
      host: this.#host,
      port: this.#port,
      agent: this.#agent,
      method: 'POST',
      path: `/2018-06-01/runtime/invocation/${requestId}/response`,
      headers,
    });
  }

  #send(
    method: string,
    path: string,
    body?: string,
  ): Promise<{ headers: IncomingMessage['headers']; body: Buffer }> {
    return new Promise((resolve, reject) => {
      const outgoing = request(
        { host: this.#host, port: this.#port, agent: this.#agent, method, path: `/2018-06-01${path}` },
        (incoming) => {
          const chunks: Buffer[] = [];
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
          incoming.on('error', reject);
          incoming.on('end', () => {
            if (incoming.complete) resolve({ headers: incoming.headers, body: Buffer.concat(chunks) });
          });
        },
      );
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }
}

/** Returns an error in the Runtime API's format. */
export function describe(error: unknown): { errorType: string; errorMessage: string; stackTrace: string[] } {
  if (!(error instanceof Error))
    return { errorType: typeof error, errorMessage: String(error), stackTrace: [] };
  return {
    errorType: error.name,
    errorMessage: error.message,
    stackTrace: (error.stack ?? '').split('\n').slice(1, 20),
  };
}
