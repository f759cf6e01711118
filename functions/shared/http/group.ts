import { Readable } from 'node:stream';
import { canBeJob, type FunctionGroup, type Route } from '@platen/contract/route';
import { isPlatenError, PlatenError } from '@platen/core/errors';
import { accepted, acceptJob, prefersAsync } from '../jobs/defer.ts';
import type { JobServices } from '../jobs/config.ts';
import { once } from '../jobs/once.ts';
import { log, withLogFields } from '../log.ts';
import { measure, measuredFields, withMeasures } from '../measures.ts';
import { authorize } from './access.ts';
import type { GatewayEvent, InvocationContext } from './event.ts';
import { countRequest } from './limits.ts';
import { type AnyOperation, operationOf, type Operations } from './operation.ts';
import { isOurFault, perform, warned, withRequest } from './perform.ts';
import { problem } from './problem.ts';
import type { GroupServices, Invocation, ReceivedRequest } from './received.ts';
import type { Reply } from './reply.ts';
import { allowedMethods, findRoute } from './routing.ts';
import { scratchDirectory } from './scratch.ts';

/** Answers one event. It never throws: every error becomes a problem document. */
export type Serve = (event: GatewayEvent, context: InvocationContext) => Promise<Reply>;

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
  return async (event, context) => {
    const { requestId } = event.requestContext;
    return await withLogFields({ request_id: requestId }, () =>
      withMeasures(async () => {
        const started = Date.now();
        const reply = await answerOrProblem(group, operations, { event, context, services });
        reply.headers['x-request-id'] = requestId;
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
      }),
    );
  };
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

async function answer(
  route: Route,
  operation: AnyOperation | undefined,
  invocation: Invocation,
  limits: Record<string, string>,
): Promise<Reply> {
  const { event, services } = invocation;
  const who = authorize(route, event);
  if (!operation) throw notOffered(route);
  const { jobs = null, usage = null } = services;
  await countRequest(who, usage, limits);
  const isJob = jobs !== null && prefersAsync(event);
  const received: ReceivedRequest = { ...invocation, route, who, isJob, pins: {} };
  if (jobs === null || !canBeJob(route)) return await perform(received, operation);
  return await once(jobs, received, async () =>
    isJob ? await defer(received, operation, jobs) : await sendable(await perform(received, operation)),
  );
}

/** Returns the error for a route without an operation. */
export function notOffered({ summary }: Route): PlatenError {
  return new PlatenError('not_implemented', `${summary}: this deployment does not offer it.`);
}

/** Makes a job of a request that its operation has validated. */
async function defer(received: ReceivedRequest, operation: AnyOperation, jobs: JobServices): Promise<Reply> {
  await using scratch = scratchDirectory();
  return await withRequest(received, scratch.path, async (request) => {
    await operation(request);
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
