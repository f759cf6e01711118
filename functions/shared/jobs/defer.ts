import { isIP } from 'node:net';
import type { Route } from '@platen/contract/route';
import { PlatenError } from '@platen/core/errors';
import { jobJson, jobPath } from './json.ts';
import type { JobServices } from './config.ts';
import type { JobStart } from './runner.ts';
import { newJobId } from '../store/storage/ids.ts';
import { type JobRecord, PARTS_FILE, RANGES_FILE, type StoredRequest } from '../store/jobs/record.ts';
import { basePath, bodyBytes, type Caller, type GatewayEvent, header } from '../http/event.ts';
import { json, type Reply } from '../http/reply.ts';
import type { RequestContent } from '../http/request.ts';

/** Deferred requests: `Prefer: respond-async` (RFC 7240, I-36). */

/** Returns true when the caller prefers a job to waiting. */
export function prefersAsync(event: GatewayEvent): boolean {
  return (header(event, 'prefer') ?? '')
    .split(/[,;]/)
    .some((preference) => preference.trim().toLowerCase() === 'respond-async');
}

/** Headers that the work does not need: the caller is stored separately, without the token. */
const LEFT_OUT = new Set(['authorization', 'cookie', 'idempotency-key', 'prefer']);

/**
 * Makes a job of a request that has been read and validated.
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
  // The job is written first, so that no request exists without one: if the function dies before it starts the
  // job, the schedule does so (decision 0096).
  const job = await store.create({
    id,
    tenant,
    operation: route.operation,
    group: route.group,
    batch: route.batch === true,
    callbackUrl,
    basePath: basePath(event),
    templateId: event.pathParameters?.['template_id'] ?? null,
    by: who.name,
  });
  try {
    await store.files.putRequest(id, request, bodyBytes(event));
    await runner.start(startOf(job, store));
  } catch (error) {
    // No caller waits for the job, and its webhook would not be called. If it was started anyway, it finds nothing to do.
    await store.remove(job);
    throw error;
  }
  return job;
}

/** Returns the input of a job's work, the same for each start of the job. */
export function startOf(job: JobRecord, { files }: Pick<JobServices['store'], 'files'>): JobStart {
  const { tenant, id, group, batch, callback } = job;
  const [parts, ranges] = [PARTS_FILE, RANGES_FILE].map((name) => files.key(tenant, id, name)) as [
    string,
    string,
  ];
  return { tenant, id, group, batch, parts, ranges, callback: callback !== null };
}

/** Returns 202 with the job. */
export function accepted(job: JobRecord, event: GatewayEvent): Reply {
  const base = basePath(event);
  const reply = json(jobJson(job, base), 202);
  reply.headers['location'] = jobPath(job.id, base);
  reply.headers['preference-applied'] = 'respond-async';
  return reply;
}

/** Returns the event of a stored request, as if it had just arrived. Its token was checked on arrival. */
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
  const host = url?.hostname.replace(/^\[|\]$/g, '') ?? '';
  // Other names are resolved and checked when they are called (I-22); this one always means loopback (RFC 6761, 6.3).
  const address = isIP(host) !== 0 ? host : /(?:^|\.)localhost\.?$/.test(host) ? '127.0.0.1' : null;
  const fault =
    url === null || !/^https?:$/.test(url.protocol)
      ? 'is not an http or https address'
      : url.username !== '' || url.password !== ''
        ? 'holds a password'
        : address !== null && !isCallbackAddress(address)
          ? `${address === host ? 'is' : 'means'} an address that is not public, which this service does not call; ` +
            'its setting PLATEN_CALLBACK_ADDRESSES=loopback allows receivers on its own machine, and any those in its network'
          : null;
  if (fault === null) return text;
  const message = `callback_url ${fault}`;
  throw new PlatenError('invalid_field', `${message}.`, {
    faults: [{ field: 'callback_url', message, value: text.slice(0, 100) }],
  });
}
