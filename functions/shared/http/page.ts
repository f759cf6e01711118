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
  const message = 'cursor is not one that a list gave in its Link header';
  throw new PlatenError('invalid_field', `${message}.`, { faults: [{ field: 'cursor', message }] });
}

/**
 * One page of a list, with the address of the next.
 *
 * @param found one entry more than is shown, where the list goes on
 * @param limit how many are shown; all of them when undefined
 * @param address of the list
 */
export function page<T extends { id: string }>(
  found: readonly T[],
  limit: number | undefined,
  address: string,
  present: (entry: T) => unknown,
): Reply {
  const shown = found.slice(0, limit);
  const reply = json(shown.map(present));
  const last = shown.at(-1);
  if (last !== undefined && found.length > shown.length) {
    reply.headers['link'] = `<${address}?limit=${limit}&cursor=${last.id}>; rel="next"`;
  }
  return reply;
}
