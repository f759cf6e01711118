import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { PlatenError } from '@platen/core/errors';
import { bodyBytes, type GatewayEvent, header } from '../http/event.ts';
import type { ReceivedRequest } from '../http/received.ts';
import { bodyParts } from '../http/parts.ts';
import type { Reply } from '../http/reply.ts';
import { log } from '../log.ts';
import type { Claim, IdempotencyStore, KeptAnswer } from '../store/jobs/idempotency.ts';
import type { JobRecord } from '../store/jobs/record.ts';
import type { JobServices } from './config.ts';
import { accepted, prefersAsync } from './defer.ts';
import { idempotencyKey } from './idempotency-key.ts';

/**
 * `Idempotency-Key`: the work of a request is done once, however often the request is sent within a day. Two
 * requests are the same if their content is, not its encoding: a repeated multipart body has another boundary.
 */

/**
 * Runs the work of a request with an `Idempotency-Key` once, and repeats its answer from then on.
 *
 * @throws PlatenError `idempotency_key_reused`, `request_in_progress`, `storage_unavailable`, and as `work` does
 */
export async function once(
  { keys, store }: JobServices,
  { event, context, who: { tenant } }: Pick<ReceivedRequest, 'event' | 'context' | 'who'>,
  work: () => Promise<Reply>,
): Promise<Reply> {
  const key = idempotencyKey(event);
  if (key === null) return await work();
  const deferred = prefersAsync(event);
  const claim = { key, tenant, fingerprint: await fingerprint(event, deferred), lock: randomUUID() };
  const known = await keys.claim(claim, context.getRemainingTimeInMillis());
  if (known !== null) {
    return await keptReply(keys, known, async (id) =>
      accepted(presentJob(await store.get(tenant, id), id), event),
    );
  }
  try {
    const reply = await work();
    if (!deferred) return await keepReply(keys, claim, reply);
    await keys.keepJob(claim, (reply.headers['location'] ?? '').split('/').at(-1) ?? '');
    return reply;
  } catch (error) {
    // An error here would hide the actual one; the claim expires by itself.
    await keys.release(claim).catch((cause: unknown) => log.warn('a key was not released', { error: cause }));
    throw error;
  }
}

/** Stores an answer, and returns the stored one. */
async function keepReply(keys: IdempotencyStore, claim: Claim, reply: Reply): Promise<Reply> {
  const body = reply.body instanceof Readable ? reply.body : Readable.from([Buffer.from(reply.body ?? '')]);
  try {
    const { status, headers } = reply;
    return await keptReply(keys, await keys.keepDocument(claim, { status, headers, body }));
  } finally {
    await reply.close?.();
  }
}

/** @param ofJob answers with the current state of the job that the stored answer names */
async function keptReply(
  keys: IdempotencyStore,
  answer: KeptAnswer,
  ofJob: (id: string) => Promise<Reply> = async () => {
    throw new Error('the answer is no job');
  },
): Promise<Reply> {
  if (answer.kind === 'job') return await ofJob(answer.id);
  const body = await keys.open(answer.body);
  if (body === null) throw new Error(`the body of an answer is gone: ${answer.body}`);
  return { status: answer.status, headers: { ...answer.headers }, body };
}

/** Returns the job of a key. @throws PlatenError `not_found` for one that has been deleted since */
function presentJob(job: JobRecord | null, id: string): JobRecord {
  if (job !== null) return job;
  throw new PlatenError(
    'not_found',
    `This Idempotency-Key belongs to the job ${id}, which has been deleted. Use a new key.`,
  );
}

async function fingerprint(event: GatewayEvent, deferred: boolean): Promise<string> {
  const hash = createHash('sha256');
  const add = (...texts: (string | null | Buffer)[]): void => {
    // The lengths ensure that no two different lists have the same text.
    for (const text of texts) hash.update(text === null ? '-' : `${text.length}:`).update(text ?? '');
  };
  add(event.httpMethod, event.path, String(deferred));
  const query = Object.entries(event.multiValueQueryStringParameters ?? {});
  for (const [name, values] of query.toSorted(([a], [b]) => (a < b ? -1 : 1))) add(name, ...(values ?? []));
  for (const part of await bodyParts(bodyBytes(event), header(event, 'content-type'), true)) {
    add(part.name, part.filename, part.contentType, part.bytes);
  }
  return hash.digest('hex');
}
