import { PlatenError } from '@platen/core/errors';
import { json, type Reply } from './reply.ts';

/** Lists that are given in pages (I-55): the id of the last entry of one is where the next goes on. */

/**
 * @param isId whether a text is an id of what is listed
 * @returns the id after which the list goes on; null for its beginning
 * @throws PlatenError `invalid_field`
 */
export function checkedCursor(cursor: string | undefined, isId: (text: string) => boolean): string | null {
  if (cursor === undefined) return null;
  if (isId(cursor)) return cursor;
  const message = 'cursor must come from the Link header of a list';
  throw new PlatenError('invalid_field', `${message}.`, { faults: [{ field: 'cursor', message }] });
}

/**
 * One page of a list that is read as a whole, which stands in the order of its ids.
 *
 * @param all of it
 * @param isAfter whether an entry comes after the one that the cursor names
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
 * One page of a list, with the address of the next.
 *
 * @param found one entry more than is shown, where the list goes on
 * @param limit how many are shown; all of them when undefined
 * @param address of the list
 * @param asked what else the request asked for, and the next one does too
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
