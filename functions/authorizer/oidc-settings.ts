import { groupRightsText } from '@platen/contract/sign-in';
import * as z from 'zod';
import { ConfigError, type Environment, list, optionalString } from '../shared/config.ts';
import type { OidcConfig } from './oidc.ts';

const OIDC = ['PLATEN_OIDC_ISSUER', 'PLATEN_OIDC_AUDIENCE', 'PLATEN_OIDC_GROUPS'] as const;

/** Returns the provider that the variables describe; null if there is none. @throws ConfigError */
export function oidcSettings(env: Environment): OidcConfig | null {
  const [issuer, audience, groups] = OIDC.map((name) => optionalString(env, name));
  if (issuer === null || issuer === undefined) {
    const given = OIDC.find((name) => optionalString(env, name) !== null);
    if (given !== undefined) throw new ConfigError(given, 'is set without PLATEN_OIDC_ISSUER.');
    return null;
  }
  const address = URL.parse(issuer);
  const isSafe =
    address?.protocol === 'https:' ||
    (address?.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(address.hostname));
  if (!isSafe) throw new ConfigError('PLATEN_OIDC_ISSUER', `is "${issuer}" but must be an https address.`);
  if (audience === null) throw new ConfigError('PLATEN_OIDC_AUDIENCE', 'is not set.');
  const { data, error } = groupRightsText.safeParse(groups ?? '');
  if (data === undefined)
    throw new ConfigError('PLATEN_OIDC_GROUPS', `is not valid: ${z.prettifyError(error)}`);
  return {
    issuer,
    audiences: list(env, 'PLATEN_OIDC_AUDIENCE'),
    groupsClaim: optionalString(env, 'PLATEN_OIDC_GROUPS_CLAIM') ?? 'groups',
    groups: new Map(Object.entries(data)),
  };
}
