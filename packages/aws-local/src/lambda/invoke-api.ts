import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { ApiServer } from '../api-server.ts';
import { functionArn } from '../assembly/index.ts';
import type { Access } from '../iam/access.ts';
import { accessKeyOf, signatureFault } from '../storage/signature.ts';
import { FunctionError, NotReadyError, TooManyRequestsError } from './errors.ts';
import { type Lambda, MAX_PAYLOAD, newTraceId } from './index.ts';

/**
 * Lambda's own `Invoke` API for functions that call each other; it responds when the function has finished.
 * The SDK finds it by AWS_ENDPOINT_URL_LAMBDA.
 */

const INVOKE = /^\/2015-03-31\/functions\/([^/?]+)\/invocations(?:\?|$)/;
/** Bytes of a too large request that are read and discarded, so that its sender receives the response. */
const DRAIN_BYTES = 64 * 1024 * 1024;

export class InvokeApi extends ApiServer<Lambda> {
  readonly #access: Access;

  private constructor(access: Access) {
    // HTTP timeouts are off: the function's own timeout applies.
    super({ requestTimeout: 0, headersTimeout: 0 });
    this.#access = access;
  }

  static async listen(access: Access): Promise<InvokeApi> {
    return await new InvokeApi(access).listening();
  }

  protected override fail(response: ServerResponse, message: string): void {
    respond(response, 500, { Message: message }, { 'x-amzn-errortype': 'ServiceException' });
  }

  protected override async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const body = await readBody(request);
    const signed = { method, url, headers };
    const name = INVOKE.exec(url)?.[1];
    const needed =
      name === undefined ? null : [{ action: 'lambda:InvokeFunction', resource: functionArn(name) }];
    const fault =
      signatureFault(signed, (id) => this.#access.keys(id), Date.now()) ??
      this.#access.refusal(accessKeyOf(signed), needed);
    if (fault !== null) refuse(response, 403, 'AccessDeniedException', fault);
    else if (method !== 'POST' || name === undefined) {
      refuse(response, 404, 'UnknownOperationException', `${method} ${url} is not served here.`);
    } else if (body === null) {
      refuse(response, 413, 'RequestTooLargeException', `The event has more than ${MAX_PAYLOAD} bytes.`);
    } else await this.#invoke(name, body, request, response);
  }

  async #invoke(
    name: string,
    body: Buffer,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const lambda = this.service;
    if (lambda?.spec(name) === undefined) {
      refuse(response, 404, 'ResourceNotFoundException', `Function not found: ${name}`);
      return;
    }
    const event = body.length === 0 ? Buffer.from('{}') : body;
    // As on AWS, the invocation belongs to the caller's trace, which also tells its tenant.
    const traceId = request.headers['x-amzn-trace-id']?.toString() ?? newTraceId();
    const abort = new AbortController();
    response.once('close', () => abort.abort());
    try {
      const result = await lambda.invoke(
        name,
        { length: event.length, open: () => Readable.from([event], { objectMode: false }) },
        { traceId, signal: abort.signal },
      );
      const json =
        result.kind === 'buffered' ? result.json : Buffer.concat((await result.body.toArray()) as Buffer[]);
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': json.length });
      response.end(json);
    } catch (error) {
      if (error instanceof TooManyRequestsError) {
        refuse(response, 429, 'TooManyRequestsException', error.message);
      } else if (error instanceof NotReadyError) {
        refuse(response, 502, 'ResourceNotReadyException', error.message);
      } else if (error instanceof FunctionError) {
        const { type, message, stackTrace } = error;
        const payload = { errorType: type, errorMessage: message, trace: stackTrace };
        respond(response, 200, payload, { 'x-amz-function-error': 'Unhandled' });
      } else if (!abort.signal.aborted) throw error;
    }
  }
}

/** @returns null for a body that is too large */
async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= MAX_PAYLOAD) chunks.push(chunk);
    else if (length > DRAIN_BYTES) break;
  }
  return length > MAX_PAYLOAD ? null : Buffer.concat(chunks);
}

function refuse(response: ServerResponse, status: number, type: string, message: string): void {
  respond(response, status, { Message: message }, { 'x-amzn-errortype': type });
}

function respond(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string>,
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
