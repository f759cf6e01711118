import type { IssuedTokenJson } from '@platen/contract/resources';
import type { Scope } from '@platen/contract/route';
import { PlatenError } from '@platen/core/errors';
import { json, noContent, type Operations } from '../shared/http/index.ts';
import { pageOfAll } from '../shared/http/page.ts';
import { log } from '../shared/log.ts';
import { rawToken } from './authorize.ts';
import { isJwt, type People } from './oidc.ts';
import { DEFAULT_SCOPES, tokenFault, type TokenRecord, type TokenStore } from './tokens.ts';

/**
 * The token or person that makes a request: grants no more than its own rights. Those of a person outlast a sign-in,
 * so that their tokens may, too.
 */
type Own = Pick<TokenRecord, 'id' | 'scopes' | 'expiresAt' | 'rate' | 'quota'>;

/** Returns the operations of the token routes (decision 0067). @param now replaces the clock in tests */
export function tokenOperations(
  tokens: TokenStore,
  people: People | null = null,
  now: () => Date = () => new Date(),
): Operations<'tokens'> {
  /**
   * Returns the token of the request as it is stored now. The gateway caches the caller for minutes; a token
   * that was revoked meanwhile must not create new tokens.
   *
   * @throws PlatenError `unauthorized`, `storage_unavailable`
   */
  const ownToken = async (header: (name: string) => string | null): Promise<Own> => {
    const token = rawToken(header('authorization') ?? '');
    if (token !== null && people !== null && isJwt(token)) {
      const { person } = await people.identify(token, now());
      if (person === null) throw new PlatenError('unauthorized', 'Sign in again.');
      return { id: person.name, scopes: person.scopes, expiresAt: null, rate: null, quota: null };
    }
    const own = token === null ? null : await tokens.find(token);
    if (own !== null && tokenFault(own, now()) === null) return own;
    throw new PlatenError('unauthorized', 'Send a valid token in the Authorization header.');
  };

  return {
    listTokens: async ({ header, tenant, query, basePath }) => {
      const own = await ownToken(header);
      const all = (await tokens.list(tenant)).toSorted((a, b) => (a.id < b.id ? -1 : 1));
      return pageOfAll(all, query, `${basePath}/v1/tokens`, (record) => tokenJson(record, own));
    },

    createToken: async ({ header, tenant, form }) => {
      const own = await ownToken(header);
      const { token, record } = await tokens.mint(
        {
          tenant,
          name: form.name,
          createdBy: own.id,
          scopes: scopesWithin(form.scopes, own),
          expiresAt: expiryWithin(form.expires_at, own),
          rate: limitWithin('rate', form.rate, own.rate),
          quota: limitWithin('quota', form.quota, own.quota),
        },
        now(),
      );
      log.info('token made', { token_id: record.id, by: own.id });
      return json({ ...tokenJson(record, own), token });
    },

    revokeToken: async ({ header, tenant, params }) => {
      const own = await ownToken(header);
      const { id = '' } = params;
      const revoked = await tokens.revoke(id, now(), tenant);
      if (revoked === null) throw new PlatenError('not_found', `There is no token ${id}.`);
      log.info('token revoked', { token_id: id, by: own.id });
      return noContent();
    },
  };
}

/** @throws PlatenError `insufficient_scope`, `invalid_field` */
function scopesWithin(wanted: readonly Scope[] | undefined, own: Own): Scope[] {
  const lacking = wanted?.filter((scope) => !own.scopes.includes(scope)) ?? [];
  if (lacking.length > 0) {
    throw new PlatenError(
      'insufficient_scope',
      `A token cannot grant scopes that it does not have: this one lacks ${lacking.join(', ')}.`,
    );
  }
  const scopes = wanted ?? DEFAULT_SCOPES.filter((scope) => own.scopes.includes(scope));
  if (scopes.length > 0) return [...new Set(scopes)];
  throw refused('scopes', 'is required: this token has only the scope admin');
}

/** @throws PlatenError `invalid_field` */
function expiryWithin(wanted: string | undefined, { expiresAt }: Own): Date | undefined {
  const date = wanted === undefined ? undefined : new Date(wanted);
  if (expiresAt === null) return date;
  const last = new Date(expiresAt);
  if (date !== undefined && date > last)
    throw refused('expires_at', `must not be after ${expiresAt}, when this token expires`);
  return date ?? last;
}

/** @throws PlatenError `invalid_field` */
function limitWithin(field: string, wanted: number | undefined, own: number | null): number | undefined {
  if (own === null) return wanted;
  if (wanted !== undefined && wanted > own)
    throw refused(field, `must not be more than ${own}, which this token has`);
  return wanted ?? own;
}

function refused(field: string, why: string): PlatenError {
  const message = `${field} ${why}`;
  return new PlatenError('invalid_field', `${message}.`, { faults: [{ field, message }] });
}

function tokenJson(record: TokenRecord, own: Own): IssuedTokenJson {
  const { id, name, scopes, rate, quota } = record;
  return {
    id,
    name,
    scopes,
    created_at: record.createdAt,
    created_by: record.createdBy,
    expires_at: record.expiresAt,
    revoked_at: record.revokedAt,
    rate,
    quota,
    current: id === own.id,
  };
}
