import { canBeJob } from '@platen/contract/route';
import { ERRORS } from '@platen/contract/errors';
import { isPlatenError, PlatenError } from '@platen/core/errors';
import { ofOwner } from '@platen/core/turns';
import { idempotencyKey } from '../jobs/idempotency-key.ts';
import { basePath, type GatewayEvent, header } from './event.ts';
import type { AnyOperation } from './operation.ts';
import type { ReceivedRequest } from './received.ts';
import type { Reply } from './reply.ts';
import { fileAccess, type PlatenRequest, readContent } from './request.ts';
import { scratchDirectory } from './scratch.ts';
import { warningHeader } from './warnings.ts';

/** Time reserved before Lambda's own deadline, so that a late answer is still an answer, ms. */
const DEADLINE_RESERVE_MS = 1_500;

/** Does the work of a request now. Its files on disk are removed when the answer is closed. */
export async function perform(received: ReceivedRequest, operation: AnyOperation): Promise<Reply> {
  await using opened = new AsyncDisposableStack();
  const { path } = opened.use(scratchDirectory());
  const reply = await withRequest(received, path, async (request) => {
    const outcome = await operation(request);
    return warned(typeof outcome === 'function' ? await outcome() : outcome, request);
  });
  if (reply.close) opened.defer(reply.close);
  const open = opened.move();
  return { ...reply, close: async () => await open.disposeAsync() };
}

/** Adds the warnings of a request to its answer. */
export function warned(reply: Reply, { warnings }: PlatenRequest): Reply {
  if (warnings.length > 0) reply.headers['warning'] = warningHeader(warnings);
  return reply;
}

/**
 * Reads a request and works on it, in the turns of its tenant and until its deadline.
 *
 * @param scratch returns the directory for its files
 * @throws PlatenError as `readContent`; `deadline_exceeded`
 */
export async function withRequest<T>(
  received: ReceivedRequest,
  scratch: () => Promise<string>,
  work: (request: PlatenRequest) => Promise<T>,
): Promise<T> {
  const { route, event, context, services, who, isJob, pins } = received;
  const { tenant } = who;
  const left = context.getRemainingTimeInMillis() - DEADLINE_RESERVE_MS;
  const deadline = AbortSignal.timeout(Math.max(left, 1));
  try {
    const content = await readContent(route, event, { tenant, uploads: services.uploads ?? null, scratch });
    if (!isJob && typeof content.form['callback_url'] === 'string') {
      content.warnings.push('callback_url ignored: only jobs call it (Prefer: respond-async)');
    }
    const request: PlatenRequest = {
      ...content,
      ...fileAccess(content.files),
      route,
      params: decodedParams(event),
      header: (name: string) => header(event, name),
      basePath: basePath(event),
      caller: who,
      tenant,
      requestId: event.requestContext.requestId,
      deadline: Date.now() + left,
      signal: untilWhen(received, deadline),
      scratch,
      isJob,
      pins,
    };
    return await ofOwner(tenant, () => work(request));
  } catch (error) {
    throw deadline.aborted ? lateError(error) : error;
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

/** Whether an error is one of the service. 501 is a regular answer: it names a feature that the deployment does not have. */
export function isOurFault(error: unknown): boolean {
  if (!isPlatenError(error)) return true;
  const { status } = ERRORS[error.code];
  return status >= 500 && status !== 501;
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
