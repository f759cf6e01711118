import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ApiSpec, type Assembly, type FunctionSpec, REGION } from '../assembly/index.ts';
import {
  FunctionError,
  type InvocationResult,
  type Lambda,
  newTraceId,
  type Payload,
  TooManyRequestsError,
} from '../lambda/index.ts';
import type { Logger } from '../log.ts';
import { sendBuffered, sendStreamed } from './answer.ts';
import { Authorizer } from './authorizer.ts';
import {
  BodyStalledError,
  BodyTooLargeError,
  ClientDisconnectedError,
  drain,
  expectsContinue,
  readBody,
  type RequestBody,
} from './body.ts';
import { eventPayload } from './payload.ts';
import { methodArn, proxyEvent, type RequestHead } from './event.ts';
import { bodyLimit, type Limits, STRICT } from './limits.ts';
import { gatewayAnswer, GatewayError, type GatewayResponseType } from './responses.ts';
import { type Match, Router } from './router.ts';
import { Throttle } from './throttle.ts';

/** API Gateway's REST API on this machine: one request in, one event to a function, its answer out. */

export interface GatewaySettings {
  limits: Limits;
  /** Whether to refuse more requests a second than the stacks allow. */
  throttle: boolean;
  /**
   * Whether addresses begin with the stage, as those that API Gateway gives an API; otherwise they are those of a domain
   * that leads to the stage.
   */
  stageInPath: boolean;
  /** Where large request bodies wait. */
  spoolFolder: string;
  lambda: Lambda;
  log: Logger;
}

/** What one deployment of the stacks needs to answer requests. */
interface Deployment {
  api: ApiSpec;
  router: Router;
  authorizer: Authorizer;
  throttle: Throttle | null;
}

/** A request that cannot be answered any more, because nobody is there to hear it. */
const GONE = new ClientDisconnectedError();

export class Gateway {
  readonly #settings: GatewaySettings;
  #deployment: Deployment;

  constructor(assembly: Assembly, settings: GatewaySettings) {
    this.#settings = settings;
    this.#deployment = deployment(assembly, settings);
  }

  /** Answers from now on as this assembly says; requests that are under way keep to the old one. */
  deploy(assembly: Assembly): void {
    this.#deployment = deployment(assembly, this.#settings);
  }

  /** Answers one request. Never fails: what goes wrong becomes an answer, or the end of the connection. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { api } = this.#deployment;
    const target = request.url ?? '/';
    const mark = target.indexOf('?');
    const sentPath = mark < 0 ? target : target.slice(0, mark);
    const path = this.#settings.stageInPath ? pathInStage(sentPath, api.stage) : sentPath;
    const head: RequestHead = {
      request,
      requestId: randomUUID(),
      traceId: newTraceId(),
      path: path ?? sentPath,
      sentPath,
      query: new URLSearchParams(mark < 0 ? '' : target.slice(mark + 1)),
      receivedAt: Date.now(),
    };
    response.setHeader('x-amzn-requestid', head.requestId);
    response.setHeader('x-amzn-trace-id', head.traceId);
    if (path === null) {
      refuseStage(request, response);
      return;
    }
    try {
      await this.#answer(head, response);
    } catch (error) {
      try {
        this.#fail(api, head, response, error);
      } catch (failure) {
        this.#settings.log.error('A failure could not be answered.', failure);
        response.destroy();
      }
    }
  }

  /** The answer to a request that is not even HTTP, or too long in its head. */
  unreadable(type: GatewayResponseType): ReturnType<typeof gatewayAnswer> {
    return gatewayAnswer(type, this.#deployment.api.responses, { requestId: randomUUID() });
  }

  async #answer(head: RequestHead, response: ServerResponse): Promise<void> {
    const { api, router, authorizer, throttle } = this.#deployment;
    const { request, path, traceId } = head;
    if (throttle && !throttle.admit(head.receivedAt)) throw new GatewayError('THROTTLED');
    const match = router.find(request.method ?? '', path);
    if (!match) throw new GatewayError('MISSING_AUTHENTICATION_TOKEN');

    const { route } = match;
    const controller = new AbortController();
    const { signal } = controller;
    const timer = setTimeout(() => {
      controller.abort(new GatewayError('INTEGRATION_TIMEOUT'));
      if (response.headersSent) response.destroy();
    }, route.timeoutMs);
    response.once('close', () => controller.abort(GONE));
    try {
      const arn = methodArn(REGION, api.stage, request.method ?? '', path);
      const context =
        route.authorizer &&
        (await authorizer.authorize(
          route.authorizer,
          request,
          proxyEvent(head, match, api.stage, undefined),
          arn,
          traceId,
        ));
      signal.throwIfAborted();
      const event = proxyEvent(head, match, api.stage, context ?? undefined);
      const result = await this.#invoke(api, head, match, event, response, signal);
      if (result.kind === 'streamed') await this.#stream(match, response, result);
      else if (route.stream) throw mismatch('The function does not stream, but the integration does.');
      else sendBuffered(response, result.json);
    } finally {
      clearTimeout(timer);
    }
  }

  async #stream(
    { route }: Match,
    response: ServerResponse,
    result: InvocationResult & { kind: 'streamed' },
  ): Promise<void> {
    if (!route.stream) {
      result.body.resume();
      throw mismatch('The function streams, but the integration does not.');
    }
    await sendStreamed(response, result, this.#settings.limits);
  }

  /** Reads the body, and waits for the function until `signal` says that it is enough. */
  async #invoke(
    api: ApiSpec,
    head: RequestHead,
    match: Match,
    event: Record<string, unknown>,
    response: ServerResponse,
    signal: AbortSignal,
  ): Promise<InvocationResult> {
    const { lambda, spoolFolder } = this.#settings;
    const spec = lambda.spec(match.route.functionName);
    if (!spec) throw mismatch(`There is no function ${match.route.functionName}.`);
    if (expectsContinue(head.request)) response.writeContinue();
    const body = await readBody(head.request, bodyLimit(this.#settings.limits, spec.memoryMb), spoolFolder);
    let invocation: Promise<InvocationResult>;
    try {
      const payload = await eventPayload(api, head.request, event, body);
      this.#checkPayload(head, spec, body.length, payload);
      invocation = lambda.invoke(spec.name, payload, { traceId: head.traceId, signal });
    } catch (error) {
      await body.remove();
      throw error;
    }
    // The function may go on reading and working after the gateway has given up on it.
    const remove = () => this.#remove(body);
    void invocation.then(remove, remove);
    return untilAborted(invocation, signal);
  }

  async #remove(body: RequestBody): Promise<void> {
    try {
      await body.remove();
    } catch (error) {
      this.#settings.log.warn(`A request body could not be deleted: ${String(error)}`);
    }
  }

  #checkPayload({ request, path }: RequestHead, spec: FunctionSpec, body: number, payload: Payload): void {
    const { limits, log } = this.#settings;
    if (payload.length > limits.payload) throw new BodyTooLargeError();
    if (body <= STRICT.body && payload.length <= STRICT.payload) return;
    log.warn(
      `${request.method} ${path}: ${megabytes(body)} reach the function ${spec.label} here, but not on AWS, where an ` +
        `event of at most ${megabytes(STRICT.payload)} carries about 4.5 MB of body. Use POST /v1/uploads there.`,
    );
  }

  #fail(api: ApiSpec, head: RequestHead, response: ServerResponse, error: unknown): void {
    const { request, path, requestId } = head;
    this.#note(head, error);
    if (error instanceof ClientDisconnectedError || response.headersSent || response.destroyed) {
      response.destroy();
      return;
    }
    const answer = gatewayAnswer(responseType(error), api.responses, {
      requestId,
      extendedRequestId: requestId,
      path,
      httpMethod: request.method ?? '',
      stage: api.stage,
      protocol: `HTTP/${request.httpVersion}`,
      'identity.sourceIp': request.socket.remoteAddress ?? '',
    });
    for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value);
    // A body that was refused is not read, so the connection cannot be used again.
    if (!request.complete) response.setHeader('connection', 'close');
    response.setHeader('content-length', Buffer.byteLength(answer.body));
    response.writeHead(answer.status);
    response.write(answer.body);
    // Ending the answer closes the connection, under a client that is still writing where its body is not read.
    if (request.complete) response.end();
    else drain(request, () => response.end());
  }

  /** What is the client's own doing, or part of a gateway's day, is told the client only. */
  #note({ request, path, requestId }: RequestHead, error: unknown): void {
    const { log } = this.#settings;
    const what = `${request.method} ${path} (${requestId})`;
    const cause = error instanceof GatewayError ? error.cause : error;
    if (cause instanceof FunctionError) {
      const { type, message, stackTrace } = cause;
      log.warn([`${what}: ${type}: ${message}`, ...stackTrace].join('\n'));
    } else if (cause !== undefined && !isExpected(cause)) {
      log.error(what, cause);
    }
  }
}

/** What is left of the address within the stage; null for that of another stage. */
function pathInStage(path: string, stage: string): string | null {
  const prefix = `/${stage}`;
  if (path === prefix) return '/';
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : null;
}

/** Where there is no stage there are no answers of its own either: this is what API Gateway says then. */
function refuseStage(request: IncomingMessage, response: ServerResponse): void {
  const body = '{"message":"Forbidden"}';
  response.writeHead(403, {
    'content-type': 'application/json',
    'x-amzn-errortype': 'ForbiddenException',
    'content-length': Buffer.byteLength(body),
    ...(request.complete ? {} : { connection: 'close' }),
  });
  response.write(body);
  if (request.complete) response.end();
  else drain(request, () => response.end());
}

function mismatch(message: string): FunctionError {
  return new FunctionError('IntegrationError', message);
}

function deployment({ api }: Assembly, { lambda, throttle }: GatewaySettings): Deployment {
  return {
    api,
    router: new Router(api.routes),
    authorizer: new Authorizer(lambda),
    throttle: throttle && api.throttle ? new Throttle(api.throttle, Date.now()) : null,
  };
}

async function untilAborted(
  invocation: Promise<InvocationResult>,
  signal: AbortSignal,
): Promise<InvocationResult> {
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([invocation, aborted.promise]);
  } catch (error) {
    // An answer that comes too late is read all the same, so that the function comes to its end.
    void invocation.then(
      (late) => (late.kind === 'streamed' ? late.body.resume() : undefined),
      () => undefined,
    );
    throw error;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** What API Gateway would call a failure. */
export function responseType(error: unknown): GatewayResponseType {
  if (error instanceof GatewayError) return error.type;
  if (error instanceof BodyTooLargeError) return 'REQUEST_TOO_LARGE';
  if (error instanceof BodyStalledError) return 'DEFAULT_4XX';
  // What Lambda has no room for is a failure of the integration: THROTTLED is the stage's own limit.
  if (error instanceof TooManyRequestsError) return 'INTEGRATION_FAILURE';
  // This machine's disk is full of bodies: it passes, too.
  if (isDiskFull(error)) return 'INTEGRATION_FAILURE';
  return 'DEFAULT_5XX';
}

function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
}

function isExpected(error: unknown): boolean {
  return (
    error instanceof BodyTooLargeError ||
    error instanceof BodyStalledError ||
    error instanceof TooManyRequestsError ||
    error instanceof ClientDisconnectedError
  );
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
