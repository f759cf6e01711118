/** A limit of the token, after the last request that was counted. */
export interface Limit {
  name: string;
  /** Requests that are allowed in a window. */
  allowed: number;
  /** Requests that remain in the window. */
  left: number;
  /** The beginning of the next window, milliseconds since the epoch. */
  resets: number;
}

/**
 * Reads the RateLimit fields of a response (draft-ietf-httpapi-ratelimit-headers-10), in the form that the service
 * sends.
 *
 * @returns null for a response without them, to a request that is not counted
 */
export function limitsOf(headers: Headers, now: number): Limit[] | null {
  const policy = headers.get('ratelimit-policy');
  if (policy === null) return null;
  const left = itemsOf(headers.get('ratelimit') ?? '');
  return Array.from(itemsOf(policy), ([name, members]) => {
    const state = left.get(name);
    return {
      name,
      allowed: members.get('q') ?? 0,
      left: state?.get('r') ?? 0,
      resets: now + (state?.get('t') ?? 0) * 1000,
    };
  });
}

/**
 * Returns the limits after one more response. Responses may arrive in another order than their requests were counted.
 */
export function withAnswer(
  before: readonly Limit[],
  told: readonly Limit[] | null,
  now: number,
): readonly Limit[] {
  return told === null
    ? before
    : told.map((limit) => {
        const known = before.find(({ name }) => name === limit.name);
        const isSameWindow = known !== undefined && known.resets > now && known.allowed === limit.allowed;
        return isSameWindow && known.left < limit.left ? known : limit;
      });
}

/** Returns the members of the items of a list such as `"minute";r=59;t=31, "month";r=9312;t=518420`, by name. */
function itemsOf(list: string): Map<string, Map<string, number>> {
  return new Map(
    list
      .split(',')
      .filter((item) => item.trim() !== '')
      .map((item) => {
        const [name = '', ...members] = item.trim().split(';');
        const numbers = members.map((member): [string, number] => {
          const [key = '', value = ''] = member.split('=');
          return [key, Number(value)];
        });
        return [name.replaceAll('"', ''), new Map(numbers)];
      }),
  );
}
