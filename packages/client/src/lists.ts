import type { CallOptions, Transport } from './transport.ts';

/** Lists that are given in pages. */

/** What of a list is asked for. */
export interface ListOptions extends CallOptions {
  /** How many at a time. */
  limit?: number;
  /** Of templates: those whose name holds this text. */
  name?: string;
  /** Of templates: those with this tag. */
  tag?: string;
}

/**
 * Goes through a list, page by page, asking for the next one when the one before has been gone through.
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

/** The cursor in `Link: <…?cursor=…>; rel="next"` (RFC 8288); null on the last page. */
function nextOf(headers: Headers): string | null {
  const [, address] = /<([^<>]*)>; ?rel="?next"?/.exec(headers.get('link') ?? '') ?? [];
  if (address === undefined) return null;
  return new URL(address, 'http://localhost').searchParams.get('cursor');
}
