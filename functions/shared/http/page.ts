import { PlatenError } from '@platen/core/errors';
import { json, type Reply } from './reply.ts';

/** Lists in pages (I-55): the next page begins after the id of the last entry. */

/** Entries of a page by default, in lists that can be long (`longPageQuery` of the contract). */
export const LONG_PAGE = 100;

/**
 * @param isId returns whether a text is an id of the list's entries
 * @returns the id after which the page begins; null for the first one
 * @throws PlatenError `invalid_field`
 */
export function checkedCursor(cursor: string | undefined, isId: (text: string) => boolean): string | null {
  if (cursor === undefined) return null;
  if (isId(cursor)) return cursor;
  const message = 'cursor must come from the Link header of a list';
  throw new PlatenError('invalid_field', `${message}.`, { faults: [{ field: 'cursor', message }] });
}

/**
 * Returns one page of a list that is read as a whole, in the order of its ids.
 *
 * @param all the whole list
 * @param isAfter returns whether an entry comes after the one that the cursor names
 */
export function pageOfAll<T extends { id: string }>(
  all: readonly T[],
  { limit, cursor }: { limit?: number | undefined; cursor?: string | undefined },
  address: string,
  present: (entry: T) => unknown,
  isAfter: (id: string, cursor: string) => boolean = (id, after) => id > after,
): Reply {
  const rest = cursor === undefined ? all : all.filter(({ id }) => isAfter(id, cursor));
  return page(rest, limit, address, present);
}

/**
 * Returns one page of a list, with the address of the next.
 *
 * @param found one entry more than the page shows, if the list continues
 * @param limit number of entries of the page; all of them when undefined
 * @param address of the list
 * @param asked the other parameters of the request, which the next one repeats
 */
export function page<T extends { id: string }>(
  found: readonly T[],
  limit: number | undefined,
  address: string,
  present: (entry: T) => unknown,
  asked: Readonly<Record<string, string | undefined>> = {},
): Reply {
  const shown = found.slice(0, limit);
  const reply = json(shown.map(present));
  const last = shown.at(-1);
  if (last !== undefined && found.length > shown.length) {
    const others = Object.entries(asked).map(([name, text]) =>
      text === undefined ? '' : `&${name}=${encodeURIComponent(text)}`,
    );
    const query = `limit=${limit}&cursor=${encodeURIComponent(last.id)}${others.join('')}`;
    reply.headers['link'] = `<${address}?${query}>; rel="next"`;
  }
  return reply;
}
