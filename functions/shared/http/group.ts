import { Readable } from 'node:stream';
import { ROUTES, type OperationOf, type RouteOf } from '@platen/contract/routes';
import { canBeJob, type FunctionGroup, type Route, scopesOf } from '@platen/contract/route';
import { ERRORS } from '@platen/contract/errors';
import { isPlatenError, PlatenError } from '@platen/core/errors';
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

/** Makes the document of a request that has been read and found right. */
export type Produce = () => Promise<Reply>;

/**
 * What answers one operation. One that makes a document may become a job: it looks at the request first, as far as that
 * is quickly done, throws what it would be answered with, and returns the work that is left. That is done at once or by
 * the job; a request that cannot succeed never becomes one.
 */
export type Operation<O extends string> = (
  request: PlatenRequest<RouteOf<O> extends Route ? RouteOf<O> : Route>,
) => Promise<RouteOf<O> extends { method: 'POST'; success: { document: unknown } } ? Produce : Reply>;

/** What answers a function group's operations. One that is not there is answered with 501. */
export type Operations<G extends FunctionGroup> = { [O in OperationOf<G>]?: Operation<O> };

/** What a group's requests need besides its operations. */
export interface GroupServices {
  /** Where the files are that requests refer to; null for a group whose routes take none. */
  uploads?: UploadSource | null;
  /** For requests that are answered later, or once only; null for a deployment, or a group, without those. */
  jobs?: JobServices | null;
  /** Counts requests for the limits of tokens; null: it serves no token that has limits. */
  usage?: UsageCounter | null;
  /** Namespace of CloudWatch that metrics are kept in; null: there are none. */
  metrics?: string | null;
}

/** Answers one event. It never throws: whatever goes wrong becomes a problem document. */
export type Serve = (event: GatewayEvent, context: InvocationContext) => Promise<Reply>;

/** Time kept back from Lambda's own deadline, so that a late answer is still an answer, ms. */
const DEADLINE_RESERVE_MS = 1_500;

/** What API Gateway carries in a streamed answer, bytes. */
export const MAX_ANSWER = 200 * 1024 * 1024;

/**
 * Binds a function group's operations to the routes of the table: finds the route, checks the scope, reads and
 * validates the request, and turns errors into answers. Another group's routes that are sent here (as the stacks do
 * with those nothing answers yet) get 501, a method the address does not have 405.
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
      // No answer is to be taken for anything but what its content type says.
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
  // Headers that tell of the limits of the token.
  const limits: Record<string, string> = {};
  try {
    const route = findRoute(event);
    const operation = route.group === group ? operationOf(operations, route) : undefined;
    const reply = await answer(route, operation, invocation, limits);
    Object.assign(reply.headers, limits);
    return reply;
  } catch (thrown) {
    const isAbandoned = context.abandoned?.aborted === true;
    const error = isAbandoned ? new PlatenError('deadline_exceeded', 'Nobody waits any more.') : thrown;
    if (isOurFault(error) && !isAbandoned) log.error('request failed', { error });
    const reply = problem(error, event.requestContext.requestId);
    if (isPlatenError(error) && error.code === 'method_not_allowed') {
      reply.headers['allow'] = allowedMethods(event.resource).join(', ');
    }
    Object.assign(reply.headers, limits);
    return reply;
  }
}

/** What answers a route; undefined where nothing does. */
export function operationOf(operations: object, route: Route): Operation<string> | undefined {
  return (operations as Record<string, Operation<string> | undefined>)[route.operation];
}

/** @throws PlatenError `method_not_allowed`, `route_not_found` */
export function findRoute(event: GatewayEvent): Route {
  const route = ROUTES.find((entry) => entry.path === event.resource && entry.method === event.httpMethod);
  if (route) return route;
  const methods = allowedMethods(event.resource);
  if (methods.length === 0) throw new PlatenError('route_not_found', `There is nothing at ${event.path}.`);
  throw new PlatenError(
    'method_not_allowed',
    `${event.httpMethod} is not allowed for ${event.path}: use ${methods.join(' or ')}.`,
  );
}

/** 501 is an answer like another: it says what a deployment does not have. */
function isOurFault(error: unknown): boolean {
  if (!isPlatenError(error)) return true;
  const { status } = ERRORS[error.code];
  return status >= 500 && status !== 501;
}

function allowedMethods(resource: string): string[] {
  return ROUTES.filter((entry) => entry.path === resource).map((entry) => entry.method);
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

/** An event, and what it is answered with. */
export interface Invocation {
  event: GatewayEvent;
  context: InvocationContext;
  services: GroupServices;
}

/** A request as it came, and who it is from. */
export interface ReceivedRequest extends Invocation {
  route: Route;
  who: Caller;
  /** It becomes a job, or is the work of one. */
  isJob: boolean;
  /** See `PlatenRequest`. */
  pins: Record<string, string>;
}

/** Does the work of a request now: reads it, hands it to its operation, and clears up when the answer is sent. */
export async function perform(received: ReceivedRequest, operation: Operation<string>): Promise<Reply> {
  return await withRequest(received, async (request) => {
    const outcome = await checked(operation, request);
    return warned(typeof outcome === 'function' ? await outcome() : outcome, request);
  });
}

/** Has an operation look at a request: what is left to do, or the answer of an operation that makes no document. */
async function checked(operation: Operation<string>, request: PlatenRequest): Promise<Produce | Reply> {
  return await operation(request as unknown as Parameters<typeof operation>[0]);
}

function warned(reply: Reply, { warnings }: PlatenRequest): Reply {
  if (warnings.length > 0) reply.headers['warning'] = warningHeader(warnings);
  return reply;
}

/** Reads a request for `work`. What it left on disk is removed when the reply is closed, or else at once. */
export async function withRequest<T extends Pick<Reply, 'close'> | undefined>(
  received: ReceivedRequest,
  work: (request: PlatenRequest) => Promise<T>,
): Promise<T> {
  const { route, event, context, services, who, isJob, pins } = received;
  const { uploads = null } = services;
  const scratch = scratchDirectory();
  try {
    const content = await readContent(route, event, { tenant: who.tenant, uploads, scratch: scratch.path });
    if (!isJob && typeof content.form['callback_url'] === 'string') {
      content.warnings.push('callback_url ignored: only jobs call it (Prefer: respond-async)');
    }
    const left = timeLeft(context);
    const result = await work({
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
      signal: untilWhen(received, left),
      scratch: scratch.path,
      isJob,
      pins,
    });
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
    throw error;
  }
}

/**
 * Aborted at the deadline; and when whoever asked has gone, where nothing but the answer comes of the work. What is
 * stored is stored all the same, and whoever sent a key comes back for the answer.
 */
function untilWhen({ route, event, context, isJob }: ReceivedRequest, left: number): AbortSignal {
  const deadline = AbortSignal.timeout(Math.max(left, 1));
  const { abandoned } = context;
  const isWanted = isJob || !canBeJob(route) || idempotencyKey(event) !== null;
  return abandoned === undefined || isWanted ? deadline : AbortSignal.any([deadline, abandoned]);
}

function timeLeft(context: InvocationContext): number {
  return context.getRemainingTimeInMillis() - DEADLINE_RESERVE_MS;
}

/** Makes a job of a request that its operation finds nothing wrong with. */
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

/** @throws PlatenError `answer_too_large` for what the gateway would cut off */
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

const NOBODY: Caller = { tenant: '', scopes: new Set(), expiresAt: null, limits: null };

/** True for who may use a route, as far as scopes go. */
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
  if (route.access === 'open') return NOBODY;
  const who = caller(event, Date.now());
  if (!who) throw new PlatenError('unauthorized', 'Send a valid token in the Authorization header.');
  demandScope(route, who);
  return who;
}

/** API Gateway hands path parameters over as they stand in the address. */
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
