import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { log } from '../shared/log.ts';
import { isJwt, type People } from './oidc.ts';
import { tokenFault, type TokenRecord, type TokenStore } from './tokens.ts';

/** The parts of API Gateway's event that the authorizer reads. */
export type AuthorizerEvent = Pick<APIGatewayRequestAuthorizerEvent, 'headers' | 'methodArn'>;

/**
 * Authenticates the caller (I-2). API Gateway caches the answer for the token, so the policy allows the whole
 * API; the functions check the scopes of each route. An invalid token is denied the whole API: the gateway
 * answers with 401 (lib/constructs/gateway-responses.ts) and caches that as well. An error thrown here would
 * count as a crash of the function, and the gateway would call it again for each request.
 *
 * @throws PlatenError `storage_unavailable`
 */
export async function authorize(
  event: AuthorizerEvent,
  tokens: TokenStore,
  people: People | null = null,
  now: Date = new Date(),
): Promise<APIGatewayAuthorizerResult> {
  const token = tokenOf(event.headers);
  if (token !== null && people !== null && isJwt(token)) {
    const { person, fault } = await people.identify(token, now);
    if (person !== null) return allowed(event, person);
    log.info('sign-in refused', { reason: fault });
    return denied(event);
  }
  const record = token === null ? null : await tokens.find(token);
  const fault = tokenFault(record, now);
  if (!record || fault !== null) {
    log.info('token refused', { reason: fault, token_id: record?.id });
    return denied(event);
  }
  return allowed(event, { ...record, name: record.name ?? record.id });
}

/** The caller that the functions get. */
type Allowed = Pick<TokenRecord, 'tenant' | 'scopes' | 'expiresAt'> &
  Partial<Pick<TokenRecord, 'id' | 'rate' | 'quota'>> & { name: string };

function denied(event: AuthorizerEvent): APIGatewayAuthorizerResult {
  return { principalId: 'nobody', policyDocument: policy('Deny', event) };
}

function allowed(
  event: AuthorizerEvent,
  { tenant, scopes, expiresAt, name, id = '', rate = null, quota = null }: Allowed,
): APIGatewayAuthorizerResult {
  return {
    principalId: tenant,
    policyDocument: policy('Allow', event),
    context: {
      tenant,
      scopes: scopes.join(' '),
      expires_at: expiresAt ?? '',
      token_id: id,
      // Encoded, because a header of the gateway may carry it, and those are ASCII.
      name: encodeURIComponent(name.toWellFormed()),
      rate: rate === null ? '' : String(rate),
      quota: quota === null ? '' : String(quota),
    },
  };
}

function tokenOf(headers: AuthorizerEvent['headers']): string | null {
  const values = Object.entries(headers ?? {}).filter(([name]) => name.toLowerCase() === 'authorization');
  return rawToken(values[0]?.[1] ?? '');
}

/** Returns the raw token of a header value, with or without `Bearer `; null if there is none. */
export function rawToken(authorization: string): string | null {
  const value = authorization.trim().replace(/^Bearer\s+/i, '');
  return value === '' ? null : value;
}

function policy(
  Effect: 'Allow' | 'Deny',
  { methodArn }: AuthorizerEvent,
): APIGatewayAuthorizerResult['policyDocument'] {
  return {
    Version: '2012-10-17',
    Statement: [{ Action: 'execute-api:Invoke', Effect, Resource: wholeStage(methodArn) }],
  };
}

/** Returns `arn:aws:execute-api:region:account:api/stage/*`. */
function wholeStage(methodArn: string): string {
  return `${methodArn.split('/').slice(0, 2).join('/')}/*`;
}
