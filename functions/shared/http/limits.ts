import { PlatenError } from '@platen/core/errors';
import type { LimitState, UsageLimits } from '../store/usage.ts';
import type { Caller } from './event.ts';

/** Counts the requests of tenants whose tokens have limits. */
export interface UsageCounter {
  count(tenant: string, limits: UsageLimits): Promise<LimitState[]>;
}

/** The counter of a group whose requests are not counted. */
export const FREE: UsageCounter = { count: async () => [] };

/**
 * Counts a request against the limits of its token, and writes the remaining numbers to the headers of the
 * response (draft-ietf-httpapi-ratelimit-headers-10, section 2). A token without limits costs nothing.
 *
 * @param headers headers of the response, whatever its status
 * @throws PlatenError `too_many_requests` for the limit of a minute, `quota_exceeded` for that of a month
 */
export async function countRequest(
  { tenant, limits }: Caller,
  usage: UsageCounter | null,
  headers: Record<string, string>,
): Promise<void> {
  if (limits === null) return;
  if (usage === null) throw new Error('the token has limits, and this function has nothing to count with');
  const states = await usage.count(tenant, limits);
  if (states.length === 0) return;
  headers['ratelimit-policy'] = states
    .map(({ name, allowed, window }) => `"${name}";q=${allowed};w=${window}`)
    .join(', ');
  headers['ratelimit'] = states.map(({ name, left, resets }) => `"${name}";r=${left};t=${resets}`).join(', ');
  const refusing = states.find(({ exceeded }) => exceeded);
  if (refusing === undefined) return;
  const { name, allowed, resets } = refusing;
  headers['retry-after'] = String(resets);
  throw name === 'minute'
    ? new PlatenError(
        'too_many_requests',
        `This token allows ${allowed} requests per minute. The next minute begins in ${resets} seconds.`,
      )
    : new PlatenError(
        'quota_exceeded',
        `This token allows ${allowed} requests per month, and the quota is exhausted. The next month begins in ` +
          `${Math.ceil(resets / 3600)} hours.`,
      );
}
