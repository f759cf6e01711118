import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import type { Payload } from './payload.ts';

/**
 * The service's side of Lambda's Runtime API, for one execution environment. A function that handles several events
 * at a time asks for several ("Using the Lambda runtime API for custom runtimes", on Lambda Managed Instances).
 */

export interface Delivery {
  requestId: string;
  /** Milliseconds of the epoch. */
  deadline: number;
  functionArn: string;
  traceId: string;
  payload: Payload;
}

export interface ReportedError {
  errorType?: string;
  errorMessage?: string;
  stackTrace?: string[];
}

/** A streamed result that is still being written. */
export interface StreamedAnswer {
  /** Fails when the function crashes. It must be read to its end, or the function waits forever. */
  body: Readable;
  /** After the end of the body: the error that the function reported while streaming. */
  failure: () => ReportedError | undefined;
}

/** Events of the function. */
export interface RuntimeEvents {
  /** The function waits for an event, or for one more: initialisation, or an invocation, has finished. */
  ready(): void;
  /** The function waited for an event, and has cut the connection. */
  lost(): void;
  initError(error: ReportedError): void;
  result(requestId: string, json: Buffer): void;
  stream(requestId: string, answer: StreamedAnswer): void;
  error(requestId: string, error: ReportedError): void;
}

const ERROR_BODY_TRAILER = 'lambda-runtime-function-error-body';

export class RuntimeApi {
  readonly #server: Server;
  readonly #events: RuntimeEvents;
  /** Requests of the function for an event, the oldest first. */
  readonly #waiting: ServerResponse[] = [];

  private constructor(events: RuntimeEvents) {
    this.#events = events;
    // HTTP timeouts are off: the function's own timeout applies.
    this.#server = createServer(
      { requestTimeout: 0, headersTimeout: 0, keepAliveTimeout: 0 },
      (request, response) => this.#handle(request, response),
    );
  }

  static async listen(events: RuntimeEvents): Promise<RuntimeApi> {
    const api = new RuntimeApi(events);
    await new Promise<void>((resolve, reject) => {
      api.#server.once('error', reject);
      api.#server.listen(0, '127.0.0.1', resolve);
    });
    return api;
  }

  /** Host and port. */
  get address(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Sends an event to the function, which must be waiting. */
  deliver({ requestId, deadline, functionArn, traceId, payload }: Delivery): void {
    const response = this.#waiting.shift();
    if (!response) throw new Error('The function is not waiting for an event.');
    response.writeHead(200, {
      'Content-Type': 'application/json',
      'Content-Length': payload.length,
      'Lambda-Runtime-Aws-Request-Id': requestId,
      'Lambda-Runtime-Deadline-Ms': String(deadline),
      'Lambda-Runtime-Invoked-Function-Arn': functionArn,
      'Lambda-Runtime-Trace-Id': traceId,
    });
    // When either side fails, the connection is cut, the function ends, and the invocation fails.
    response.on('error', () => {});
    payload
      .open()
      .on('error', (error) => response.destroy(error))
      .pipe(response);
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    const [, requestId, action] = /\/runtime\/invocation\/([^/]+)(?:\/(\w+))?$/.exec(request.url ?? '') ?? [];
    if (requestId === 'next') {
      this.#waiting.push(response);
      response.once('close', () => {
        if (this.#waiting.includes(response)) this.#events.lost();
      });
      this.#events.ready();
    } else if (request.url?.endsWith('/runtime/init/error') === true) {
      collect(request, response, (body) => this.#events.initError(parseError(body)));
    } else if (requestId !== undefined && action === 'error') {
      collect(request, response, (body) => this.#events.error(requestId, parseError(body)));
    } else if (requestId !== undefined && action === 'response') {
      if (request.headers['lambda-runtime-function-response-mode'] === 'streaming') {
        this.#receiveStream(requestId, request, response);
      } else {
        collect(request, response, (body) => this.#events.result(requestId, body));
      }
    } else {
      response.writeHead(404).end();
    }
  }

  #receiveStream(requestId: string, request: IncomingMessage, response: ServerResponse): void {
    request.on('end', () => accept(response));
    this.#events.stream(requestId, {
      body: request,
      failure: () => {
        const trailer = request.trailers[ERROR_BODY_TRAILER];
        return trailer === undefined ? undefined : parseError(Buffer.from(trailer, 'base64'));
      },
    });
  }
}

function collect(request: IncomingMessage, response: ServerResponse, done: (body: Buffer) => void): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('error', () => response.destroy());
  request.on('end', () => {
    accept(response);
    done(Buffer.concat(chunks));
  });
}

function accept(response: ServerResponse): void {
  response.writeHead(202, { 'Content-Type': 'application/json' }).end('{"status":"OK"}');
}

function parseError(body: Buffer): ReportedError {
  try {
    return JSON.parse(body.toString('utf8')) as ReportedError;
  } catch {
    return { errorType: 'Runtime.Unknown', errorMessage: body.toString('utf8') };
  }
}
