import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type ApiSpec,
  type Assembly,
  type FunctionIntegration,
  type FunctionSpec,
  type MockIntegration,
  REGION,
} from '../assembly/index.ts';
import {
  FunctionError,
  type InvocationResult,
  type Lambda,
  newTraceId,
  type Payload,
  TooManyRequestsError,
  traceOf,
} from '../lambda/index.ts';
import { isDiskFull } from '../disk.ts';
import type { Logger } from '../log.ts';
import type { AnsweredRequest } from '../operation.ts';
import { sendBuffered, sendStreamed } from './answer.ts';
import { Authorizer } from './authorizer.ts';
import {
  BodyStalledError,
  BodyTooLargeError,
  ClientDisconnectedError,
  expectsContinue,
  readBody,
  type RequestBody,
} from './body.ts';
import { eventPayload } from './payload.ts';
import { methodArn, proxyEvent, type RequestHead } from './event.ts';
import { bodyLimit, type Limits, STRICT } from './limits.ts';
import { refuse } from './refusal.ts';
import {
  type ContextVariables,
  fillIn,
  gatewayAnswer,
  GatewayError,
  type GatewayResponseType,
} from './responses.ts';
import { Router } from './router.ts';
import { Throttle } from './throttle.ts';

/**
 * API Gateway's REST API on this machine: turns a request into a function's event, and the function's result
 * into the response.
 */

export interface GatewaySettings {
  limits: Limits;
  /** Whether to refuse requests above the rate limit of the stacks. */
  throttle: boolean;
  /**
   * Whether paths begin with the stage, as API Gateway's own URLs do; otherwise they are those of a domain
   * mapped to the stage.
   */
  stageInPath: boolean;
  /** Folder for large request bodies, and for what clients have not read yet. */
  spoolFolder: string;
  lambda: Lambda;
  log: Logger;
  /** Called for each request when its response has ended. */
  count?: ((request: AnsweredRequest) => void) | undefined;
}

/** The state of one deployment of the stacks for answering requests. */
interface Deployment {
  api: ApiSpec;
  router: Router;
  authorizer: Authorizer;
  throttle: Throttle | null;
}

/** The error of a request whose client has disconnected. */
const GONE = new ClientDisconnectedError();

export class Gateway {
  readonly #settings: GatewaySettings;
  readonly #stopping = new AbortController();
  #deployment: Deployment;

  constructor(assembly: Assembly, settings: GatewaySettings) {
    this.#settings = settings;
    this.#deployment = deployment(assembly, settings);
  }

  /** Uses this assembly for new requests; running requests stay with the previous one. */
  deploy(assembly: Assembly): void {
    this.#deployment = deployment(assembly, this.#settings);
  }

  /** Answers the requests that are under way, and those to come, with 503 instead of their results. */
  interrupt(): void {
    this.#stopping.abort(new GatewayError('INTEGRATION_FAILURE'));
  }

  /** Answers one request. It never rejects: an error becomes a response, or closes the connection. */
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
    response.once('close', () => this.#count(head, response));
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

  #count({ request, path, receivedAt }: RequestHead, response: ServerResponse): void {
    const { method = '' } = request;
    this.#settings.count?.({
      resource: this.#deployment.router.find(method, path)?.route.resource,
      method,
      status: response.headersSent ? response.statusCode : 499,
      seconds: (Date.now() - receivedAt) / 1000,
    });
  }

  /** Returns the response to a request that is not valid HTTP, or whose head is too long. */
  unreadable(): ReturnType<typeof gatewayAnswer> {
    return gatewayAnswer('DEFAULT_4XX', this.#deployment.api.responses, { requestId: randomUUID() });
  }

  async #answer(head: RequestHead, response: ServerResponse): Promise<void> {
    const { api, router, authorizer, throttle } = this.#deployment;
    const { request, path, traceId } = head;
    if (throttle && !throttle.admit(head.receivedAt)) throw new GatewayError('THROTTLED');
    const match = router.find(request.method ?? '', path);
    if (!match) throw new GatewayError('MISSING_AUTHENTICATION_TOKEN');

    const { route } = match;
    const { integration } = route;
    if (integration.kind === 'mock') {
      refuse(request, response, mocked(integration, request, contextOf(api, head)));
      return;
    }
    const controller = new AbortController();
    const signal = AbortSignal.any([controller.signal, this.#stopping.signal]);
    const timer = setTimeout(() => {
      controller.abort(new GatewayError('INTEGRATION_TIMEOUT'));
      if (response.headersSent) response.destroy();
    }, integration.timeoutMs);
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
      // The principal is the tenant, whose requests take turns with those of others.
      const trace = traceOf(traceId, context?.['principalId']);
      const result = await this.#invoke(api, head, integration, event, response, { traceId: trace, signal });
      if (result.kind === 'streamed') await this.#stream(integration, response, result);
      else if (integration.stream) throw mismatch('The function does not stream, but the integration does.');
      else sendBuffered(response, result.json);
    } finally {
      clearTimeout(timer);
    }
  }

  async #stream(
    integration: FunctionIntegration,
    response: ServerResponse,
    result: InvocationResult & { kind: 'streamed' },
  ): Promise<void> {
    if (!integration.stream) {
      result.body.resume();
      throw mismatch('The function streams, but the integration does not.');
    }
    const { limits, spoolFolder } = this.#settings;
    await sendStreamed(response, result, limits, spoolFolder);
  }

  /** Reads the body, and waits for the function until the signal is aborted. */
  async #invoke(
    api: ApiSpec,
    head: RequestHead,
    { functionName }: FunctionIntegration,
    event: Record<string, unknown>,
    response: ServerResponse,
    options: { traceId: string; signal: AbortSignal },
  ): Promise<InvocationResult> {
    const { lambda, spoolFolder } = this.#settings;
    const spec = lambda.spec(functionName);
    if (!spec) throw mismatch(`There is no function ${functionName}.`);
    // Before the body, which a container may hold in memory.
    lambda.admit(functionName);
    if (expectsContinue(head.request)) response.writeContinue();
    const body = await untilAborted(
      readBody(head.request, bodyLimit(this.#settings.limits, spec.memoryMb), spoolFolder),
      this.#stopping.signal,
      (late) => void this.#remove(late),
    );
    let invocation: Promise<InvocationResult>;
    try {
      const payload = await eventPayload(api, head.request, event, body);
      this.#checkPayload(head, spec, body.length, payload);
      invocation = lambda.invoke(spec.name, payload, options);
    } catch (error) {
      await body.remove();
      throw error;
    }
    // The function may continue to read and work after the gateway has given up.
    const remove = () => this.#remove(body);
    void invocation.then(remove, remove);
    // A late result is read as well, so that the function can finish.
    return untilAborted(invocation, options.signal, (late) => {
      if (late.kind === 'streamed') late.body.resume();
    });
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
    const { request } = head;
    this.#note(head, error);
    if (error instanceof ClientDisconnectedError || response.headersSent || response.destroyed) {
      response.destroy();
      return;
    }
    refuse(request, response, gatewayAnswer(responseType(error), api.responses, contextOf(api, head)));
  }

  /** Logs an error, except client errors and errors that are part of normal operation. */
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

function contextOf({ stage }: ApiSpec, { request, path, requestId }: RequestHead): ContextVariables {
  return {
    requestId,
    extendedRequestId: requestId,
    path,
    httpMethod: request.method ?? '',
    stage,
    protocol: `HTTP/${request.httpVersion}`,
    'identity.sourceIp': request.socket.remoteAddress ?? '',
  };
}

/**
 * Returns the response of an integration without a function.
 *
 * @throws GatewayError for a content type that it has no template for; without one, a request counts as JSON
 */
function mocked(
  { contentTypes, response }: MockIntegration,
  request: IncomingMessage,
  context: ContextVariables,
): ReturnType<typeof fillIn> {
  const [type = ''] = (request.headers['content-type'] ?? 'application/json').split(';');
  if (!contentTypes.has(type.trim().toLowerCase())) throw new GatewayError('UNSUPPORTED_MEDIA_TYPE');
  return fillIn(response, 200, context);
}

/** Returns the path within the stage; null for another stage. */
function pathInStage(path: string, stage: string): string | null {
  const prefix = `/${stage}`;
  if (path === prefix) return '/';
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : null;
}

/**
 * Refuses a request outside of any stage with API Gateway's fixed response, because custom responses belong
 * to a stage.
 */
function refuseStage(request: IncomingMessage, response: ServerResponse): void {
  refuse(request, response, {
    status: 403,
    headers: { 'content-type': 'application/json', 'x-amzn-errortype': 'ForbiddenException' },
    body: '{"message":"Forbidden"}',
  });
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

/**
 * Waits for a result until the signal is aborted. @param discard receives a result that comes later
 *
 * @throws the signal's reason
 */
async function untilAborted<T>(
  work: Promise<T>,
  signal: AbortSignal,
  discard: (late: T) => void,
): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([work, aborted.promise]);
  } catch (error) {
    void work.then(discard, () => undefined);
    throw error;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** Returns API Gateway's response type for an error. */
export function responseType(error: unknown): GatewayResponseType {
  if (error instanceof GatewayError) return error.type;
  if (error instanceof BodyTooLargeError) return 'REQUEST_TOO_LARGE';
  if (error instanceof BodyStalledError) return 'DEFAULT_4XX';
  // A function without capacity is an integration failure: THROTTLED is the stage's own limit.
  if (error instanceof TooManyRequestsError) return 'INTEGRATION_FAILURE';
  // The disk is full of request bodies, which is temporary as well.
  if (isDiskFull(error)) return 'INTEGRATION_FAILURE';
  return 'DEFAULT_5XX';
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
