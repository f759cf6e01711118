import { json, type Reply } from '../shared/http/index.ts';

/**
 * A page of a list, with the address of the next one.
 *
 * @param found one more than is shown, where the list goes on
 */
export function page<T>(found: readonly T[], limit: number | undefined, next: (last: T) => string): Reply {
  const shown = found.slice(0, limit);
  const reply = json(shown);
  const last = shown.at(-1);
  if (last !== undefined && found.length > shown.length)
    reply.headers['link'] = `<${next(last)}>; rel="next"`;
  return reply;
}
