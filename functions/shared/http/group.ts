import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROUTES, type OperationOf, type RouteOf } from '../contract/routes.ts';
import type { FunctionGroup, Route } from '../contract/route.ts';
import { ERRORS } from '../contract/errors.ts';
import { isPlatenError, PlatenError } from '../errors.ts';
import { log, withLogFields } from '../log.ts';
import { caller, type Caller, type GatewayEvent, header, type InvocationContext } from './event.ts';
import type { UploadSource } from './files.ts';
import { problem } from './problem.ts';
import type { Reply } from './reply.ts';
import { fileAccess, type PlatenRequest, readContent } from './request.ts';

/** What answers one operation. */
export type Operation<O extends string> = (
  request: PlatenRequest<RouteOf<O> extends Route ? RouteOf<O> : Route>,
) => Promise<Reply>;

/** What answers a function group's operations. One that is not there is answered with 501. */
export type Operations<G extends FunctionGroup> = { [O in OperationOf<G>]?: Operation<O> };

/** What a group's requests need besides its operations. */
export interface GroupServices {
  /** Where the files are that requests refer to; null for a group whose routes take none. */
  uploads?: UploadSource | null;
}

/** Answers one event. It never throws: whatever goes wrong becomes a problem document. */
export type Serve = (event: GatewayEvent, context: InvocationContext) => Promise<Reply>;

/** Time kept back from Lambda's own deadline, so that a late answer is still an answer, ms. */
const DEADLINE_RESERVE_MS = 1_500;

/**
 * Binds a function group's operations to the routes of the table: finds the route, checks the scope, reads and
 * validates the request, and turns errors into answers. Another group's routes that are sent here (as the stacks do
 * with those nothing answers yet) get 501, a method the address does not have 405.
 */
export function createGroup<G extends FunctionGroup>(
  group: G,
  operations: Operations<G>,
  { uploads = null }: GroupServices = {},
): Serve {
  return (event, context) =>
    withLogFields({ request_id: event.requestContext.requestId }, async () => {
      const started = Date.now();
      const reply = await answerOrProblem(group, operations, uploads, event, context);
      reply.headers['x-request-id'] = event.requestContext.requestId;
      log.info('request', {
        method: event.httpMethod,
        resource: event.resource,
        status: reply.status,
        ms: Date.now() - started,
      });
      return reply;
    });
}

async function answerOrProblem(
  group: FunctionGroup,
  operations: Operations<FunctionGroup>,
  uploads: UploadSource | null,
  event: GatewayEvent,
  context: InvocationContext,
): Promise<Reply> {
  try {
    const route = findRoute(event);
    const operation =
      route.group === group
        ? (operations as Record<string, Operation<string> | undefined>)[route.operation]
        : undefined;
    return await answer(route, operation, uploads, event, context);
  } catch (error) {
    if (isOurFault(error)) log.error('request failed', { error });
    const reply = problem(error, event.requestContext.requestId);
    if (isPlatenError(error) && error.code === 'method_not_allowed') {
      reply.headers['allow'] = allowedMethods(event.resource).join(', ');
    }
    return reply;
  }
}

/** @throws PlatenError `method_not_allowed`, `route_not_found` */
function findRoute(event: GatewayEvent): Route {
  const route = ROUTES.find((entry) => entry.path === event.resource && entry.method === event.httpMethod);
  if (route) return route;
  const methods = allowedMethods(event.resource);
  if (methods.length === 0) throw new PlatenError('route_not_found', `There is nothing at ${event.path}.`);
  throw new PlatenError(
    'method_not_allowed',
    `${event.httpMethod} is not possible at ${event.path}: use ${methods.join(' or ')}.`,
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
  uploads: UploadSource | null,
  event: GatewayEvent,
  context: InvocationContext,
): Promise<Reply> {
  const who = authorize(route, event);
  if (!operation) {
    throw new PlatenError('not_implemented', `${route.summary}: this deployment does not offer it.`);
  }
  const scratch = scratchDirectory();
  try {
    const content = await readContent(route, event, { tenant: who.tenant, uploads, scratch: scratch.path });
    const left = context.getRemainingTimeInMillis() - DEADLINE_RESERVE_MS;
    const reply = await operation({
      ...content,
      ...fileAccess(content.files),
      route,
      params: decodedParams(event),
      header: (name: string) => header(event, name),
      caller: who,
      tenant: who.tenant,
      requestId: event.requestContext.requestId,
      deadline: Date.now() + left,
      signal: AbortSignal.timeout(Math.max(left, 1)),
      scratch: scratch.path,
    } as unknown as Parameters<typeof operation>[0]);
    if (content.warnings.length > 0) reply.headers['warning'] = warningHeader(content.warnings);
    const close = reply.close;
    return {
      ...reply,
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

const NOBODY: Caller = { tenant: '', scopes: new Set(), expiresAt: null };

/** @throws PlatenError `unauthorized`, `token_expired`, `insufficient_scope` */
function authorize(route: Route, event: GatewayEvent): Caller {
  if (route.access === 'open') return NOBODY;
  const who = caller(event, Date.now());
  if (!who) throw new PlatenError('unauthorized', 'Send a valid token in the Authorization header.');
  if (route.access !== 'token' && !who.scopes.has(route.access)) {
    throw new PlatenError('insufficient_scope', `This needs a token with the scope ${route.access}.`);
  }
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
      throw new PlatenError('malformed_request', `The address holds a malformed escape in ${name}.`);
    }
  }
  return params;
}

/** RFC 9111, section 5.5, as it was: code 299 is "miscellaneous persistent warning". Clients in the field know it. */
function warningHeader(warnings: readonly string[]): string {
  return warnings
    .slice(0, 20)
    .map(
      (text) =>
        `299 platen "${text
          .replace(/[^\x20-\x7e]/g, '?')
          .replace(/["\\]/g, "'")
          .slice(0, 300)}"`,
    )
    .join(', ');
}

/** A directory made on first use. */
function scratchDirectory(): { path: () => Promise<string>; remove: () => Promise<void> } {
  let made: Promise<string> | undefined;
  return {
    path: () => (made ??= mkdtemp(join(tmpdir(), 'platen-'))),
    remove: async () => {
      if (made) await rm(await made, { recursive: true, force: true });
    },
  };
}
