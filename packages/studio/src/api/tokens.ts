import type { IssuedToken, NewToken } from '@platen/client';
import { call, callJson, callList, segment } from './client.ts';

/** The tokens of the tenant, for callers who may manage them. */

export type { IssuedToken, NewToken };

export const listTokens = (): Promise<IssuedToken[]> => callList('tokens');

/** @param expires ISO 8601; undefined: the expiry of the token that creates it @throws PlatenError */
export const createToken = (
  name: string,
  scopes: readonly string[],
  expires: string | undefined,
): Promise<NewToken> =>
  callJson('POST', 'tokens', {
    form: { name: name === '' ? undefined : name, scopes: JSON.stringify(scopes), expires_at: expires },
  });

/** @throws PlatenError */
export async function revokeToken(id: string): Promise<void> {
  await call('DELETE', `tokens/${segment(id)}`);
}
