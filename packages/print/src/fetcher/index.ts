import { PlatenError } from '@platen/core/errors';
import { lookup } from 'node:dns/promises';
import { isPublicAddress } from './addresses.ts';
import type { CheckingFetcher, Credentials, Fetched, Fetcher, FetchOptions, FetchPolicy } from './fetcher.ts';

export { cachingFetcher } from './caching.ts';
export type { CheckingFetcher, Credentials, Fetched, Fetcher, FetchOptions, FetchPolicy };

/**
 * The guarded access to external resources (I-22): GET over http and https to public addresses only, as the policy
 * permits, limited in size, time and number. The client itself is loaded with the first request.
 */
export function createFetcher(policy: FetchPolicy): CheckingFetcher {
  const guarded = {
    maxBytes: 32 * 1024 * 1024,
    maxRedirects: 5,
    timeout: 10_000,
    concurrency: 8,
    isAllowedAddress: isPublicAddress,
    resolve: (hostname: string) => lookup(hostname, { all: true }),
    ...policy,
  };
  if (policy.outside === 'off') {
    const refuse = async (): Promise<never> => {
      throw new PlatenError('url_not_allowed', 'Outside resources are switched off on this deployment.');
    };
    return { fetch: refuse, check: refuse };
  }
  let loading: Promise<CheckingFetcher> | undefined;
  const fetcher = async (): Promise<CheckingFetcher> =>
    await (loading ??= import('./guarded-fetcher.ts').then(
      ({ GuardedFetcher }) => new GuardedFetcher(guarded),
    ));
  return {
    fetch: async (url, options) => await (await fetcher()).fetch(url, options),
    check: async (url) => await (await fetcher()).check(url),
  };
}

/**
 * Returns the meaning of a list of hosts in a setting: `open` or `off` alone, or these hosts; an empty list
 * is `open`.
 */
export function outsideOf(hosts: readonly string[]): FetchPolicy['outside'] {
  const [only = 'open'] = hosts;
  return hosts.length <= 1 && (only === 'open' || only === 'off') ? only : hosts;
}

export { type SentCookie, credentialsOf, ofOrigin } from './credentials.ts';
