import { unlessAborted } from '@platen/core/abort';
import { asPresentOwner } from '@platen/core/turns';
import type { Fetched, Fetcher, FetchOptions } from './fetcher.ts';

/**
 * A fetcher that loads each URL once and caches the response: for the documents of one batch, whose logo need not
 * be loaded a thousand times. Failures are not cached.
 *
 * @param maxBytes maximum size of the cache; further responses are loaded each time
 */
export function cachingFetcher(fetcher: Fetcher, maxBytes: number): Fetcher {
  const known = new Map<string, Promise<Fetched>>();
  let room = maxBytes;
  // A browser asks for resources outside of the request that prints the document.
  const asOwner = asPresentOwner();

  const load = async (
    key: string,
    url: string,
    options: Pick<FetchOptions, 'headers' | 'credentials'>,
  ): Promise<Fetched> => {
    try {
      // It does not use the signal of the first document, because others wait for it too.
      const answer = await asOwner(() => fetcher.fetch(url, options));
      room -= answer.bytes.length;
      if (room < 0 || !isForEverybody(answer)) known.delete(key);
      return answer;
    } catch (error) {
      known.delete(key);
      throw error;
    }
  };

  return {
    async fetch(url, { headers = {}, maxBytes: limit = Infinity, signal, credentials } = {}) {
      const sent = URL.canParse(url) ? (credentials?.(new URL(url)) ?? {}) : {};
      const key = keyOf(url, headers) + JSON.stringify(sent);
      let loading = known.get(key);
      if (loading === undefined) {
        loading = load(key, url, { headers, credentials });
        if (room > 0) known.set(key, loading);
      }
      const answer = await (signal === undefined ? loading : unlessAborted(loading, signal));
      if (answer.bytes.length > limit)
        throw new Error('the response exceeds the remaining limit of the document');
      return answer;
    },
  };
}

/** The origin is new for every document, and only its presence matters. */
function keyOf(url: string, headers: Record<string, string>): string {
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  const accept = Object.entries(headers).find(([name]) => name.toLowerCase() === 'accept')?.[1] ?? '';
  return `${url}\n${accept}\n${names.includes('origin')}`;
}

/** An error may be gone the next time, and a response for a specific origin cannot be used for another one. */
function isForEverybody({ status, headers }: Fetched): boolean {
  const allowed = headers['access-control-allow-origin'];
  return status === 200 && (allowed === undefined || allowed === '*');
}
