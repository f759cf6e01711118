import { createSecretKey, generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { authorize } from '../../functions/authorizer/authorize.ts';
import { oidcSettings } from '../../functions/authorizer/oidc-settings.ts';
import { type OidcConfig, People } from '../../functions/authorizer/oidc.ts';
import { tokenOperations } from '../../functions/authorizer/operations.ts';
import { TokenStore } from '../../functions/authorizer/tokens.ts';
import { createGroup } from '../../functions/shared/http/index.ts';
import { setLogLevel } from '../../functions/shared/log.ts';
import { startTestStorage, type TestStorage, TOKENS_TABLE } from '../local/storage-for-tests.ts';
import { bodyText, CONTEXT, gatewayEvent } from '../support/gateway-event.ts';
import { OidcProvider } from '../support/oidc-provider.ts';

/** People who signed in with an OpenID Connect provider: whose tokens are accepted, for what, and whose are not. */

const METHOD = 'arn:aws:execute-api:eu-west-1:123456789012:abc123/live/GET/v1/template/42';
const GROUPS = {
  editors: { tenant: 'acme', scopes: ['templates:read', 'templates:write'] },
  printers: { tenant: 'acme', scopes: ['render', 'templates:read'] },
  owners: { tenant: 'acme', scopes: ['admin', 'render'] },
  usual: { tenant: 'acme' },
  others: { tenant: 'globex' },
};
const KEYS = '/realm/keys';

let provider: OidcProvider;
let storage: TestStorage;
let tokens: TokenStore;
let people: People;

beforeAll(async () => {
  setLogLevel('silent');
  provider = await new OidcProvider().start();
  storage = await startTestStorage([TOKENS_TABLE]);
  tokens = new TokenStore(storage.dynamodb, TOKENS_TABLE.name);
});
afterAll(async () => {
  setLogLevel('info');
  await provider.stop();
  await storage.stop();
});
beforeEach(() => {
  provider.answers = {};
  provider.requests.clear();
  people = new People(settings());
});

const variables = (more: Record<string, string> = {}): Record<string, string> => ({
  PLATEN_OIDC_ISSUER: provider.issuer,
  PLATEN_OIDC_AUDIENCE: 'platen, platen-api',
  PLATEN_OIDC_GROUPS: JSON.stringify(GROUPS),
  ...more,
});

function settings(more: Record<string, string> = {}): OidcConfig {
  const oidc = oidcSettings(variables(more));
  if (oidc === null) throw new Error('no provider');
  return oidc;
}

const call = async (token: string, now?: Date) =>
  await authorize({ headers: { Authorization: `Bearer ${token}` }, methodArn: METHOD }, tokens, people, now);

async function effectOf(token: string, now?: Date): Promise<unknown> {
  const { policyDocument, context } = await call(token, now);
  const [statement] = policyDocument.Statement;
  return statement && 'Effect' in statement ? [statement.Effect, context?.['tenant']] : null;
}

const ALLOWED = ['Allow', 'acme'];
const DENIED = ['Deny', undefined];

it('gets the tenant and scopes of the groups, the name, and the end of the sign-in', async () => {
  const exp = Math.floor(Date.now() / 1000) + 600;
  const { principalId, context } = await call(
    provider.token({ exp, groups: ['printers', 'unknown', 'editors'] }),
  );
  expect(principalId).toBe('acme');
  expect(context).toEqual({
    tenant: 'acme',
    scopes: 'render templates:read templates:write',
    expires_at: new Date(exp * 1000).toISOString(),
    token_id: '',
    name: encodeURIComponent('Ada Lovelace (ada@example.org)'),
    rate: '',
    quota: '',
  });
});

it('a group without scopes has all but admin', async () => {
  const { context } = await call(provider.token({ groups: 'usual' }));
  expect(String(context?.['scopes']).split(' ')).toEqual(
    expect.arrayContaining(['templates:read', 'templates:write', 'render', 'pdf', 'keys']),
  );
  expect(context?.['scopes']).not.toContain('admin');
});

it.each([
  [{ email: undefined }, 'Ada Lovelace'],
  [{ name: undefined }, 'ada@example.org'],
  [{ email: undefined, preferred_username: 'ada1' }, 'Ada Lovelace (ada1)'],
  [{ name: undefined, email: undefined }, 'ada'],
  [{ name: '山'.repeat(300), email: undefined }, '山'.repeat(100)],
  [{ name: { no: 'text' }, email: 7 }, 'ada'],
])('names the person of %o', async (claims, name) => {
  expect((await people.identify(provider.token(claims))).person?.name).toBe(name);
});

it('accepts keys of several kinds, with and without a name of the key, and a token that names several audiences', async () => {
  for (const token of [
    provider.token({}, { alg: 'ES256' }),
    provider.token({}, { typ: 'at+jwt' }),
    provider.token({ aud: ['other', 'platen-api'] }),
    provider.token({}, { kid: null }),
  ])
    expect(await effectOf(token)).toEqual(ALLOWED);
});

it('finds groups in a claim of another name, and in an object', async () => {
  people = new People(settings({ PLATEN_OIDC_GROUPS_CLAIM: 'cognito:groups' }));
  expect(await effectOf(provider.token({ groups: undefined, 'cognito:groups': ['editors'] }))).toEqual(
    ALLOWED,
  );
  people = new People(settings({ PLATEN_OIDC_GROUPS_CLAIM: 'realm_access.roles' }));
  expect(await effectOf(provider.token({ groups: undefined, realm_access: { roles: ['editors'] } }))).toEqual(
    ALLOWED,
  );
  expect(await effectOf(provider.token({ groups: ['editors'] }))).toEqual(DENIED);
  people = new People(settings({ PLATEN_OIDC_GROUPS_CLAIM: '__proto__.groups' }));
  expect(await effectOf(provider.token())).toEqual(DENIED);
});

const now = (): number => Math.floor(Date.now() / 1000);
const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;

describe('refuses', () => {
  it.each<[string, () => string]>([
    ['another issuer', () => provider.token({ iss: 'https://evil.example' })],
    ['the issuer with a slash more', () => provider.token({ iss: `${provider.issuer}/` })],
    ['no issuer', () => provider.token({ iss: undefined })],
    ['another audience', () => provider.token({ aud: 'shop' })],
    ['no audience', () => provider.token({ aud: undefined })],
    ['an audience that only begins so', () => provider.token({ aud: 'platen-2' })],
    ['a token that has expired', () => provider.token({ exp: now() - 10 })],
    ['no expiry', () => provider.token({ exp: undefined })],
    ['an expiry that is no number', () => provider.token({ exp: 'never' })],
    ['a token that is not valid yet', () => provider.token({ nbf: now() + 60 })],
    ['nobody in particular', () => provider.token({ sub: undefined })],
    ['no signature', () => provider.token({}, { alg: 'none' })],
    ['no signature, with the name of a key', () => provider.token({}, { alg: 'none', kid: 'rsa' })],
    ['a signature with the public key as the secret', () => provider.token({}, { alg: 'HS256' })],
    [
      'a signature with a guessed secret',
      () => provider.token({}, { alg: 'HS256', key: createSecretKey(Buffer.from('secret')) }),
    ],
    ['a signature of somebody else', () => provider.token({}, { key: stranger })],
    ['an unknown key', () => provider.token({}, { kid: 'other', key: stranger })],
    ['the name of a key of another kind', () => provider.token({}, { kid: 'ec' })],
    ['the token of a logout', () => provider.token({}, { typ: 'logout+jwt' })],
    [
      'changed claims',
      () => {
        const [head, , signature] = provider.token().split('.');
        const claims = Buffer.from(
          JSON.stringify({
            iss: provider.issuer,
            aud: 'platen',
            sub: 'x',
            exp: now() + 60,
            groups: ['owners'],
          }),
        );
        return `${head}.${claims.toString('base64url')}.${signature}`;
      },
    ],
    ['a token without its signature', () => provider.token().replace(/\.[^.]*$/, '.')],
    ['no groups', () => provider.token({ groups: undefined })],
    ['groups without rights', () => provider.token({ groups: ['guests'] })],
    [
      'groups that are names of members of objects',
      () => provider.token({ groups: ['constructor', '__proto__', 'toString'] }),
    ],
    ['groups that are no texts', () => provider.token({ groups: [{ editors: true }, 1, null] })],
    ['groups of several tenants', () => provider.token({ groups: ['editors', 'others'] })],
    ['a token of 20 KB', () => provider.token({ more: 'x'.repeat(20_000) })],
    ['what only looks like a token', () => 'eyJhbGciOiJSUzI1NiJ9.e30.AAAA'],
    ['what is not JSON', () => 'eyJ.AAAA.AAAA'],
  ])('%s', async (_, token) => {
    expect(await effectOf(token())).toEqual(DENIED);
  });

  it('every token if no provider is configured', async () => {
    const headers = { Authorization: provider.token() };
    const { policyDocument } = await authorize({ headers, methodArn: METHOD }, tokens);
    expect(policyDocument.Statement).toMatchObject([{ Effect: 'Deny' }]);
  });
});

it('a person of another tenant has that tenant alone', async () => {
  expect(await effectOf(provider.token({ groups: ['others'] }))).toEqual(['Allow', 'globex']);
});

it('a token ends at its moment, with some seconds for clocks that differ', async () => {
  const exp = now() + 3600;
  const token = provider.token({ exp });
  expect(await effectOf(token, new Date((exp + 4) * 1000))).toEqual(ALLOWED);
  expect(await effectOf(token, new Date((exp + 6) * 1000))).toEqual(DENIED);
});

it('tokens of the service stay what they are', async () => {
  const { token } = await tokens.mint({ tenant: 'acme', name: 'shop' });
  expect(await effectOf(token)).toEqual(ALLOWED);
  expect(await effectOf('plt_unknown')).toEqual(DENIED);
  expect(provider.requests.size).toBe(0);
});

it('asks for the keys once, also for a thousand tokens of keys that nobody knows', async () => {
  for (let n = 0; n < 50; n += 1) {
    expect(await effectOf(provider.token())).toEqual(ALLOWED);
    expect(await effectOf(provider.token({}, { kid: `k${n}`, key: stranger }))).toEqual(DENIED);
  }
  expect(provider.requests.get(KEYS)).toBeLessThanOrEqual(2);
  expect(provider.requests.get('/realm/.well-known/openid-configuration')).toBe(1);
});

it('a provider that does not answer is a fault of the service, not of the token, and is asked again', async () => {
  const fails = { code: 'storage_unavailable' };
  for (const path of ['/realm/.well-known/openid-configuration', KEYS]) {
    people = new People(settings());
    provider.answers = { [path]: (response) => void response.writeHead(500).end('{}') };
    await expect(call(provider.token())).rejects.toMatchObject(fails);
    provider.answers = { [path]: (response) => void response.writeHead(200).end('<html>') };
    await expect(call(provider.token())).rejects.toMatchObject(fails);
    provider.answers = {};
  }
  const [path] = ['/realm/.well-known/openid-configuration'];
  people = new People(settings());
  for (const [issuer, jwks_uri] of [
    ['https://evil.example', `${provider.issuer}/keys`],
    [provider.issuer, 'file:///etc/passwd'],
  ]) {
    provider.answers = { [path]: (response) => void response.end(JSON.stringify({ issuer, jwks_uri })) };
    await expect(call(provider.token())).rejects.toMatchObject(fails);
  }
  provider.answers = {};
  expect(await effectOf(provider.token())).toEqual(ALLOWED);
});

it('a person with admin creates tokens that outlast the sign-in, with no more scopes, and nobody without it', async () => {
  const serve = createGroup('tokens', tokenOperations(tokens, people));
  const send = async (token: string, method: string, fields?: object) => {
    const { context } = await call(token);
    const event = gatewayEvent({
      method,
      path: '/v1/tokens',
      headers: { Authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(fields === undefined ? {} : { body: JSON.stringify(fields) }),
      tenant: String(context?.['tenant']),
      scopes: String(context?.['scopes']),
    });
    const reply = await serve(event, CONTEXT);
    return { status: reply.status, body: JSON.parse(bodyText(reply)) as Record<string, unknown> };
  };
  const owner = provider.token({ groups: ['owners'] });
  const made = await send(owner, 'POST', { name: 'shop', scopes: ['render'] });
  expect(made.body).toMatchObject({
    scopes: ['render'],
    expires_at: null,
    created_by: 'Ada Lovelace (ada@example.org)',
  });
  expect((await send(owner, 'POST', { scopes: ['pdf'] })).status).toBe(403);
  expect((await send(owner, 'GET')).status).toBe(200);
  expect((await send(provider.token(), 'POST', {})).status).toBe(403);
});

it('an invalid configuration stops the start, with its name', () => {
  const wrong = (more: Record<string, string>) => () => oidcSettings(variables(more));
  expect(wrong({ PLATEN_OIDC_ISSUER: 'http://issuer.example' })).toThrow(/^PLATEN_OIDC_ISSUER is "http:/);
  expect(wrong({ PLATEN_OIDC_ISSUER: '' })).toThrow(
    'PLATEN_OIDC_AUDIENCE is set without PLATEN_OIDC_ISSUER.',
  );
  expect(wrong({ PLATEN_OIDC_AUDIENCE: '' })).toThrow('PLATEN_OIDC_AUDIENCE is not set.');
  for (const groups of [
    '',
    '[]',
    '{"a":{}}',
    '{"a":{"tenant":"a/b"}}',
    '{"a":{"tenant":"a","scopes":["root"]}}',
    '{"a":{"tenant":"a","scope":[]}}',
  ])
    expect(wrong({ PLATEN_OIDC_GROUPS: groups }), groups).toThrow(/^PLATEN_OIDC_GROUPS /);
  expect(oidcSettings({})).toBeNull();
});
