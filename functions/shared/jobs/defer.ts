import { isIP } from 'node:net';
import type { Route } from '@platen/contract/route';
import { PlatenError } from '@platen/core/errors';
import { jobJson, jobPath } from './json.ts';
import type { JobServices } from './config.ts';
import { newJobId } from '../store/ids.ts';
import { type JobRecord, PARTS_FILE, type StoredRequest } from '../store/job-record.ts';
import { basePath, bodyBytes, type Caller, type GatewayEvent, header } from '../http/event.ts';
import { problemBody } from '../http/problem.ts';
import { json, type Reply } from '../http/reply.ts';
import type { RequestContent } from '../http/request.ts';

/** Requests that are answered later: `Prefer: respond-async` (RFC 7240, I-36). */

/** True when the caller would rather have a job than wait. */
export function prefersAsync(event: GatewayEvent): boolean {
  return (header(event, 'prefer') ?? '')
    .split(/[,;]/)
    .some((preference) => preference.trim().toLowerCase() === 'respond-async');
}

/** Headers of no meaning for the work: who calls is noted apart, without the token. */
const LEFT_OUT = new Set(['authorization', 'cookie', 'idempotency-key', 'prefer']);

/**
 * Makes a job of a request that has been read and found right.
 *
 * @throws PlatenError `invalid_field` for a `callback_url` that cannot be called, `storage_unavailable`
 */
export async function acceptJob(
  {
    route,
    event,
    who,
    pins,
  }: { route: Route; event: GatewayEvent; who: Caller; pins: Record<string, string> },
  content: Pick<RequestContent, 'form'>,
  { store, runner, isCallbackAddress }: JobServices,
): Promise<JobRecord> {
  const callbackUrl = callbackOf(content, isCallbackAddress);
  const id = newJobId();
  const { tenant } = who;
  const request: StoredRequest = {
    resource: event.resource,
    path: event.path,
    httpMethod: event.httpMethod,
    headers: Object.fromEntries(
      Object.entries(event.headers ?? {}).flatMap(([name, value]) =>
        value === undefined || LEFT_OUT.has(name.toLowerCase()) ? [] : [[name, value]],
      ),
    ),
    pathParameters: event.pathParameters,
    multiValueQueryStringParameters: event.multiValueQueryStringParameters,
    requestId: event.requestContext.requestId,
    tenant,
    scopes: [...who.scopes].join(' '),
    pins,
  };
  // The request first: whoever finds the job finds it too.
  await store.files.putRequest(id, request, bodyBytes(event));
  const job = await store.create({
    id,
    tenant,
    operation: route.operation,
    group: route.group,
    batch: route.batch === true,
    callbackUrl,
    basePath: basePath(event),
  });
  try {
    await runner.start({
      tenant,
      id,
      group: route.group,
      batch: job.batch,
      parts: store.files.key(tenant, id, PARTS_FILE),
      callback: callbackUrl !== null,
    });
  } catch (error) {
    // Nobody waits for it. Should it have been started all the same, there is nothing for it to do.
    await store.settle(tenant, id, 'failed', problemBody(error, request.requestId));
    await store.files.eraseRequest(tenant, id);
    throw error;
  }
  return job;
}

/** 202 with the job. */
export function accepted(job: JobRecord, event: GatewayEvent): Reply {
  const base = basePath(event);
  const reply = json(jobJson(job, base), 202);
  reply.headers['location'] = jobPath(job.id, base);
  reply.headers['preference-applied'] = 'respond-async';
  return reply;
}

/** The event of a stored request, as if it had just come. Its token has been looked at when it came. */
export function eventOf(
  { requestId, tenant, scopes, ...request }: Omit<StoredRequest, 'pins'>,
  body: Buffer,
): GatewayEvent {
  return {
    ...request,
    body: body.toString('base64'),
    isBase64Encoded: true,
    requestContext: { requestId, authorizer: { tenant, scopes, expires_at: '' } },
  };
}

function callbackOf(
  { form }: Pick<RequestContent, 'form'>,
  isCallbackAddress: (address: string) => boolean,
): string | null {
  const text = form['callback_url'];
  if (typeof text !== 'string') return null;
  const url = URL.parse(text);
  // What a name means is looked at when it is called (I-22).
  const host = url?.hostname.replace(/^\[|\]$/g, '') ?? '';
  const fault =
    url === null || !/^https?:$/.test(url.protocol)
      ? 'is not an http or https address'
      : url.username !== '' || url.password !== ''
        ? 'holds a password'
        : isIP(host) !== 0 && !isCallbackAddress(host)
          ? 'is not a public address'
          : null;
  if (fault === null) return text;
  const message = `callback_url ${fault}`;
  throw new PlatenError('invalid_field', `${message}.`, {
    faults: [{ field: 'callback_url', message, value: text.slice(0, 100) }],
  });
}
