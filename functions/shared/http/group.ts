import { Readable } from 'node:stream';
import type { OperationOf, RouteOf } from '@platen/contract/routes';
import { canBeJob, type FunctionGroup, type Route, scopesOf } from '@platen/contract/route';
import { ERRORS } from '@platen/contract/errors';
import { isPlatenError, PlatenError } from '@platen/core/errors';
import { ofOwner } from '@platen/core/turns';
import type { JobServices } from '../jobs/config.ts';
import { log, withLogFields } from '../log.ts';
import { measure, measuredFields, withMeasures } from '../measures.ts';
import { basePath, caller, type Caller, type GatewayEvent, header, type InvocationContext } from './event.ts';
import type { UploadSource } from './files.ts';
import { countRequest, type UsageCounter } from './limits.ts';
import { accepted, acceptJob, prefersAsync } from '../jobs/defer.ts';
import { idempotencyKey, once } from '../jobs/once.ts';
import { problem } from './problem.ts';
import type { Reply } from './reply.ts';
import { fileAccess, type PlatenRequest, readContent } from './request.ts';
import { scratchDirectory } from './scratch.ts';
import { warningHeader } from './warnings.ts';

/** Makes the document of a request that has been read and validated. */
export type Produce = () => Promise<Reply>;

/**
 * Answers one operation. An operation that makes a document may become a job: it first validates the request,
 * as far as that is quick, throws its errors, and returns the remaining work. That runs at once or in the
 * job; a request that cannot succeed never becomes a job.
 */
export type Operation<O extends string> = (
  request: PlatenRequest<RouteOf<O> extends Route ? RouteOf<O> : Route>,
) => Promise<RouteOf<O> extends { method: 'POST'; success: { document: unknown } } ? Produce : Reply>;

/** The operations of a function group. A missing one is answered with 501. */
export type Operations<G extends FunctionGroup> = { [O in OperationOf<G>]?: Operation<O> };

/** The services that a group's requests need besides its operations. */
export interface GroupServices {
  /** The routes of the group. If absent, or for a request to none of them, the routes of all groups are loaded. */
  routes?: readonly Route[];
  /** The files that requests refer to; null for a group whose routes take none. */
  uploads?: UploadSource | null;
  /** Services for jobs and idempotent requests; null for a deployment, or a group, without them. */
  jobs?: JobServices | null;
  /** Counts requests for the limits of tokens; null: tokens with limits are refused. */
  usage?: UsageCounter | null;
  /** Namespace of the CloudWatch metrics; null for none. */
  metrics?: string | null;
}

/** Answers one event. It never throws: every error becomes a problem document. */
export type Serve = (event: GatewayEvent, context: InvocationContext) => Promise<Reply>;

/** Time reserved before Lambda's own deadline, so that a late answer is still an answer, ms. */
const DEADLINE_RESERVE_MS = 1_500;

/** Most bytes of a streamed answer through API Gateway. */
export const MAX_ANSWER = 200 * 1024 * 1024;

/**
 * Binds a function group's operations to the routes of the table: finds the route, checks the scope, reads
 * and validates the request, and turns errors into answers. Another group's routes that are sent here (as the
 * stacks do with unimplemented ones) get 501, a method that the address does not have 405.
 */
export function createGroup<G extends FunctionGroup>(
  group: G,
  operations: Operations<G>,
  services: GroupServices = {},
): Serve {
  return (event, context) =>
    withContext(event, async () => {
      const started = Date.now();
      const reply = await answerOrProblem(group, operations, { event, context, services });
      reply.headers['x-request-id'] = event.requestContext.requestId;
      // Clients must not guess another content type.
      reply.headers['x-content-type-options'] = 'nosniff';
      measure('bytes', sizeOf(reply));
      log.info('request', {
        method: event.httpMethod,
        resource: event.resource,
        status: reply.status,
        ms: Date.now() - started,
        tenant: event.requestContext.authorizer?.['tenant'],
        ...measuredFields(services.metrics ?? null),
      });
      return reply;
    });
}

function withContext<T>(event: GatewayEvent, work: () => T): T {
  return withLogFields({ request_id: event.requestContext.requestId }, () => withMeasures(work));
}

function sizeOf({ headers, body }: Reply): number {
  if (typeof body === 'string') return Buffer.byteLength(body);
  return body instanceof Uint8Array ? body.length : Number(headers['content-length'] ?? 0);
}

async function answerOrProblem(
  group: FunctionGroup,
  operations: Operations<FunctionGroup>,
  invocation: Invocation,
): Promise<Reply> {
  const { event, context } = invocation;
  // Headers with the limits of the token.
  const limits: Record<string, string> = {};
  try {
    const route = await findRoute(event, invocation.services);
    const operation = route.group === group ? operationOf(operations, route) : undefined;
    const reply = await answer(route, operation, invocation, limits);
    Object.assign(reply.headers, limits);
    return reply;
  } catch (thrown) {
    const isAbandoned = context.abandoned?.aborted === true;
    const error = isAbandoned ? new PlatenError('deadline_exceeded', 'The client has disconnected.') : thrown;
    if (isOurFault(error) && !isAbandoned) log.error('request failed', { error });
    const reply = problem(error, event.requestContext.requestId);
    if (isPlatenError(error) && error.code === 'method_not_allowed') {
      reply.headers['allow'] = (await allowedMethods(event.resource)).join(', ');
    }
    Object.assign(reply.headers, limits);
    return reply;
  }
}

/** Returns the operation of a route; undefined if there is none. */
export function operationOf(operations: object, route: Route): Operation<string> | undefined {
  return (operations as Record<string, Operation<string> | undefined>)[route.operation];
}

/** @throws PlatenError `method_not_allowed`, `route_not_found` */
export async function findRoute(event: GatewayEvent, { routes = [] }: GroupServices): Promise<Route> {
  const isRoute = (entry: Route) => entry.path === event.resource && entry.method === event.httpMethod;
  const route = routes.find(isRoute) ?? (await allRoutes()).find(isRoute);
  if (route) return route;
  const methods = await allowedMethods(event.resource);
  if (methods.length === 0) throw new PlatenError('route_not_found', `There is no route ${event.path}.`);
  throw new PlatenError(
    'method_not_allowed',
    `${event.httpMethod} is not allowed for ${event.path}: use ${methods.join(' or ')}.`,
  );
}

/** 501 is a regular answer: it names a feature that the deployment does not have. */
function isOurFault(error: unknown): boolean {
  if (!isPlatenError(error)) return true;
  const { status } = ERRORS[error.code];
  return status >= 500 && status !== 501;
}

async function allowedMethods(resource: string): Promise<string[]> {
  return (await allRoutes()).filter((entry) => entry.path === resource).map((entry) => entry.method);
}

/** Imported on first use: creating the schemas of all groups takes a tenth of the start of a function. */
async function allRoutes(): Promise<readonly Route[]> {
  return (await import('@platen/contract/routes')).ROUTES;
}

async function answer(
  route: Route,
  operation: Operation<string> | undefined,
  invocation: Invocation,
  limits: Record<string, string>,
): Promise<Reply> {
  const { event, services } = invocation;
  const who = authorize(route, event);
  if (!operation) {
    throw new PlatenError('not_implemented', `${route.summary}: this deployment does not offer it.`);
  }
  const { jobs = null, usage = null } = services;
  await countRequest(who, usage, limits);
  const received: ReceivedRequest = {
    ...invocation,
    route,
    who,
    isJob: jobs !== null && prefersAsync(event),
    pins: {},
  };
  if (jobs === null || !canBeJob(route)) return await perform(received, operation);
  const work = received.isJob
    ? async () => await defer(received, operation, jobs)
    : async () => sendable(await perform(received, operation));
  return await once(jobs, received, work);
}

/** An event, and its answer. */
export interface Invocation {
  event: GatewayEvent;
  context: InvocationContext;
  services: GroupServices;
}

/** A request as it arrived, and its caller. */
export interface ReceivedRequest extends Invocation {
  route: Route;
  who: Caller;
  /** Whether it becomes a job, or is the work of one. */
  isJob: boolean;
  /** See `PlatenRequest`. */
  pins: Record<string, string>;
}

/** Does the work of a request now: reads it, calls its operation, and cleans up when the answer is sent. */
export async function perform(received: ReceivedRequest, operation: Operation<string>): Promise<Reply> {
  return await withRequest(received, async (request) => {
    const outcome = await checked(operation, request);
    return warned(typeof outcome === 'function' ? await outcome() : outcome, request);
  });
}

/** Has an operation validate a request; returns the remaining work, or its answer if it makes no document. */
async function checked(operation: Operation<string>, request: PlatenRequest): Promise<Produce | Reply> {
  return await operation(request as unknown as Parameters<typeof operation>[0]);
}

function warned(reply: Reply, { warnings }: PlatenRequest): Reply {
  if (warnings.length > 0) reply.headers['warning'] = warningHeader(warnings);
  return reply;
}

/** Reads a request for `work`. Its files on disk are removed when the reply is closed, or else at once. */
export async function withRequest<T extends Pick<Reply, 'close'> | undefined>(
  received: ReceivedRequest,
  work: (request: PlatenRequest) => Promise<T>,
): Promise<T> {
  const { route, event, context, services, who, isJob, pins } = received;
  const { uploads = null } = services;
  const scratch = scratchDirectory();
  let deadline: AbortSignal | undefined;
  try {
    const content = await readContent(route, event, { tenant: who.tenant, uploads, scratch: scratch.path });
    if (!isJob && typeof content.form['callback_url'] === 'string') {
      content.warnings.push('callback_url ignored: only jobs call it (Prefer: respond-async)');
    }
    const left = timeLeft(context);
    deadline = AbortSignal.timeout(Math.max(left, 1));
    const request = {
      ...content,
      ...fileAccess(content.files),
      route,
      params: decodedParams(event),
      header: (name: string) => header(event, name),
      basePath: basePath(event),
      caller: who,
      tenant: who.tenant,
      requestId: event.requestContext.requestId,
      deadline: Date.now() + left,
      signal: untilWhen(received, deadline),
      scratch: scratch.path,
      isJob,
      pins,
    };
    const result = await ofOwner(who.tenant, () => work(request));
    if (result === undefined) {
      await scratch.remove();
      return result;
    }
    const { close } = result;
    return {
      ...result,
      close: async () => {
        await close?.();
        await scratch.remove();
      },
    };
  } catch (error) {
    await scratch.remove();
    throw deadline?.aborted === true ? lateError(error) : error;
  }
}

/**
 * Returns the error for a request whose time is up. What work throws when it is aborted depends on where that meets it:
 * the reason of the signal, the error of a process that was killed, or a storage that does not answer any more. Only a
 * fault of the request remains one.
 */
function lateError(error: unknown): PlatenError {
  if (isPlatenError(error) && !isOurFault(error)) return error;
  return new PlatenError('deadline_exceeded', 'The work took too long.', { cause: error });
}

/**
 * Returns a signal that is aborted at the deadline, and when the client has disconnected if the work has no other
 * result than the answer. Storing continues in any case, and a client that sent a key retries for the answer.
 */
function untilWhen({ route, event, context, isJob }: ReceivedRequest, deadline: AbortSignal): AbortSignal {
  const { abandoned } = context;
  const isWanted = isJob || !canBeJob(route) || idempotencyKey(event) !== null;
  return abandoned === undefined || isWanted ? deadline : AbortSignal.any([deadline, abandoned]);
}

function timeLeft(context: InvocationContext): number {
  return context.getRemainingTimeInMillis() - DEADLINE_RESERVE_MS;
}

/** Makes a job of a request that its operation has validated. */
async function defer(
  received: ReceivedRequest,
  operation: Operation<string>,
  jobs: JobServices,
): Promise<Reply> {
  return await withRequest(received, async (request) => {
    await checked(operation, request);
    const job = await acceptJob(received, request, jobs);
    return warned(accepted(job, received.event), request);
  });
}

/** @throws PlatenError `answer_too_large` for an answer that the gateway would truncate */
async function sendable(reply: Reply): Promise<Reply> {
  const size = Number(reply.headers['content-length'] ?? 0);
  if (size <= MAX_ANSWER) return reply;
  if (reply.body instanceof Readable) reply.body.destroy();
  await reply.close?.();
  const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(0)} MB`;
  throw new PlatenError(
    'answer_too_large',
    `The result has ${megabytes(size)}; a response may have ${megabytes(MAX_ANSWER)}. Send the request with the header ` +
      '`Prefer: respond-async`, and download the result of the job.',
  );
}

const NO_CALLER: Caller = { tenant: '', scopes: new Set(), expiresAt: null, limits: null };

/** Returns true if the scopes allow a route. */
export function hasScope(route: Pick<Route, 'access'>, { scopes }: Caller): boolean {
  const wanted = scopesOf(route);
  return wanted.length === 0 || wanted.some((scope) => scopes.has(scope));
}

/** @throws PlatenError `insufficient_scope` */
export function demandScope(route: Pick<Route, 'access'>, who: Caller): void {
  if (hasScope(route, who)) return;
  const wanted = scopesOf(route).join(' or ');
  throw new PlatenError('insufficient_scope', `This route requires a token with the scope ${wanted}.`);
}

/** @throws PlatenError `unauthorized`, `token_expired`, `insufficient_scope` */
function authorize(route: Route, event: GatewayEvent): Caller {
  if (route.access === 'open') return NO_CALLER;
  const who = caller(event, Date.now());
  if (!who) throw new PlatenError('unauthorized', 'Send a valid token in the Authorization header.');
  demandScope(route, who);
  return who;
}

/** API Gateway passes path parameters as they are in the address. */
function decodedParams(event: GatewayEvent): Record<string, string> {
  const params: Record<string, string> = {};
  for (const [name, value] of Object.entries(event.pathParameters ?? {})) {
    if (value === undefined) continue;
    try {
      params[name] = decodeURIComponent(value);
    } catch {
      throw new PlatenError('malformed_request', `The address has a malformed escape in ${name}.`);
    }
  }
  return params;
}
