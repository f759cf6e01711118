import type { Scope } from '@platen/contract/route';
import type { GroupRights } from '@platen/contract/sign-in';
import { PlatenError } from '@platen/core/errors';
import type { errors as joseErrors, JWTPayload, JWTVerifyGetKey } from 'jose';
import { DEFAULT_SCOPES } from './tokens.ts';

/**
 * People who signed in with an OpenID Connect provider (docs/security.md#people): their JWT is verified with the keys that the
 * provider publishes, and their groups give a tenant and scopes. The library is loaded for the first of them only.
 */

export interface OidcConfig {
  /** As in the `iss` of its tokens. */
  issuer: string;
  /** The tokens must be for one of them (`aud`). */
  audiences: readonly string[];
  /** Name of the claim with the groups; dots lead into objects. */
  groupsClaim: string;
  groups: ReadonlyMap<string, GroupRights>;
}

export interface Person {
  name: string;
  tenant: string;
  scopes: Scope[];
  /** ISO 8601, UTC. */
  expiresAt: string;
}

/** A person, or the reason for refusing a token. */
export type Identity = { person: Person; fault: null } | { person: null; fault: string };

/** Those with a public key: with a shared secret, whoever verifies could also sign. */
const ALGORITHMS = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ');
/** Types of tokens for calls; others, such as those of a logout, are for other receivers. */
const TYPES = ['jwt', 'at+jwt'];
const TOLERANCE_SECONDS = 5;
const TIMEOUT_MS = 3_000;
/** After this, a key that the provider has withdrawn is no longer accepted. */
const KEYS_MS = 10 * 60 * 1000;
/** Between two requests for the keys, whatever callers send. */
const PAUSE_MS = 30_000;
const MAX_TOKEN_LENGTH = 16_384;
const MAX_NAME_LENGTH = 100;

/** Returns whether a token has the form of a JWT. */
export function isJwt(token: string): boolean {
  return /^eyJ[\w-]*\.[\w-]+\.[\w-]*$/.test(token);
}

/** Identifies people by the tokens of one provider. */
export class People {
  readonly #config: OidcConfig;
  #keys: Promise<JWTVerifyGetKey> | undefined;

  constructor(config: OidcConfig) {
    this.#config = config;
  }

  /** @throws PlatenError `storage_unavailable` if the provider does not answer */
  async identify(token: string, now: Date = new Date()): Promise<Identity> {
    if (token.length > MAX_TOKEN_LENGTH) return refused('too long');
    const { issuer, audiences } = this.#config;
    const { errors, jwtVerify } = await import('jose');
    const keys = await this.#loadKeys();
    try {
      const { payload, protectedHeader } = await jwtVerify(token, keys, {
        issuer,
        audience: [...audiences],
        algorithms: ALGORITHMS,
        requiredClaims: ['exp', 'sub'],
        clockTolerance: TOLERANCE_SECONDS,
        currentDate: now,
      });
      const type = protectedHeader.typ?.toLowerCase().replace(/^application\//, '') ?? 'jwt';
      return TYPES.includes(type) ? this.#personOf(payload) : refused(`type ${type}`);
    } catch (error) {
      if (!(error instanceof errors.JOSEError) || isFaultOfProvider(error)) throw unavailable(error);
      return refused(error instanceof errors.JWTClaimValidationFailed ? `claim ${error.claim}` : error.code);
    }
  }

  #personOf(payload: JWTPayload): Identity {
    const { groupsClaim, groups } = this.#config;
    const rights = groupsOf(payload, groupsClaim).flatMap((group) => groups.get(group) ?? []);
    const [first] = rights;
    if (first === undefined) return refused('no group with rights');
    // The call does not say which one is meant.
    if (rights.some(({ tenant }) => tenant !== first.tenant)) return refused('groups of several tenants');
    const scopes = [...new Set(rights.flatMap(({ scopes: own = DEFAULT_SCOPES }) => own))];
    const expiresAt = new Date((payload.exp ?? 0) * 1000).toISOString();
    return { person: { name: nameOf(payload), tenant: first.tenant, scopes, expiresAt }, fault: null };
  }

  /** Finds the provider's keys (OpenID Connect Discovery 1.0), once. */
  async #loadKeys(): Promise<JWTVerifyGetKey> {
    this.#keys ??= discover(this.#config.issuer);
    try {
      return await this.#keys;
    } catch (error) {
      this.#keys = undefined;
      throw unavailable(error);
    }
  }
}

async function discover(issuer: string): Promise<JWTVerifyGetKey> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const response = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new Error(`${address} answers ${response.status}.`);
  const found = (await response.json()) as { issuer?: unknown; jwks_uri?: unknown };
  if (found.issuer !== issuer) throw new Error(`${address} describes the issuer ${String(found.issuer)}.`);
  const keys = URL.parse(String(found.jwks_uri));
  if (keys === null || (keys.protocol !== 'https:' && keys.protocol !== new URL(issuer).protocol))
    throw new Error(`${address} has no jwks_uri with https.`);
  const { createRemoteJWKSet } = await import('jose');
  return createRemoteJWKSet(keys, {
    timeoutDuration: TIMEOUT_MS,
    cacheMaxAge: KEYS_MS,
    cooldownDuration: PAUSE_MS,
  });
}

/** Whether the keys could not be loaded, or are not valid; everything else is a fault of the token. */
function isFaultOfProvider(error: joseErrors.JOSEError): boolean {
  return ['ERR_JOSE_GENERIC', 'ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID'].includes(error.code);
}

function unavailable(cause: unknown): PlatenError {
  const message = 'The provider of sign-ins does not answer right now. Please try again.';
  return new PlatenError('storage_unavailable', message, { cause });
}

function refused(fault: string): Identity {
  return { person: null, fault };
}

function groupsOf(payload: JWTPayload, claim: string): string[] {
  const own = Object.hasOwn(payload, claim) ? payload[claim] : claim.split('.').reduce(memberOf, payload);
  return [own].flat().filter((group) => typeof group === 'string');
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}

/** Returns the name of a person with the address, which people cannot choose as freely. */
function nameOf({ name, preferred_username: username, email, sub }: JWTPayload): string {
  const [shown, address] = [name, email ?? username].map((text) =>
    typeof text === 'string' ? text.trim() : '',
  );
  const text =
    shown && address && shown !== address ? `${shown} (${address})` : shown || address || String(sub);
  return Array.from(text).slice(0, MAX_NAME_LENGTH).join('');
}
