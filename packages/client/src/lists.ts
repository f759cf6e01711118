import type { CallOptions, Transport } from './transport.ts';

/** Lists that the service returns in pages. */

/** Options of a list. */
export interface ListOptions extends CallOptions {
  /** Page size. */
  limit?: number;
  /** Templates only: those whose name contains this text. */
  name?: string;
  /** Templates only: those with this tag. */
  tag?: string;
}

/**
 * Iterates over a list and requests the next page when the previous one is consumed.
 *
 * @param path below `/v1`
 * @throws PlatenError
 */
export async function* pagesOf<T>(
  transport: Transport,
  path: string,
  { limit, name, tag, ...options }: ListOptions = {},
): AsyncGenerator<T> {
  for (let cursor: string | undefined; ;) {
    const response = await transport.send('GET', path, { ...options, query: { limit, cursor, name, tag } });
    yield* (await response.json()) as T[];
    const next = nextOf(response.headers);
    if (next === null) return;
    cursor = next;
  }
}

/** Returns the cursor in `Link: <…?cursor=…>; rel="next"` (RFC 8288); null on the last page. */
function nextOf(headers: Headers): string | null {
  const [, address] = /<([^<>]*)>; ?rel="?next"?/.exec(headers.get('link') ?? '') ?? [];
  if (address === undefined) return null;
  return new URL(address, 'http://localhost').searchParams.get('cursor');
}
