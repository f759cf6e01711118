import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Scope } from '../../packages/contract/src/route.ts';
import { tokenOperations } from '../../functions/authorizer/operations.ts';
import { type NewToken, type TokenRecord, TokenStore } from '../../functions/authorizer/tokens.ts';
import { createGroup, type Reply } from '../../functions/shared/http/index.ts';
import { setLogLevel } from '../../functions/shared/log.ts';
import { startTestStorage, type TestStorage, TOKENS_TABLE } from '../local/storage-for-tests.ts';
import { bodyText, CONTEXT, gatewayEvent } from '../support/gateway-event.ts';

/** The routes of tokens (I-2, decision 0067). */

let storage: TestStorage;
let tokens: TokenStore;

beforeAll(async () => {
  setLogLevel('silent');
  storage = await startTestStorage([TOKENS_TABLE]);
  tokens = new TokenStore(storage.dynamodb, TOKENS_TABLE.name);
});
afterAll(async () => {
  setLogLevel('info');
  await storage.stop();
});

interface Sender {
  token: string;
  record: TokenRecord;
}

const sender = async (wanted: Partial<NewToken> = {}): Promise<Sender> =>
  await tokens.mint({ tenant: 'acme', scopes: ['admin', 'render', 'pdf'], ...wanted });

/** Sends a request as the gateway does that remembers what the token was good for when it was made. */
async function send(
  { token, record }: Sender,
  method: string,
  path: string,
  fields?: object,
): Promise<Reply> {
  const event = gatewayEvent({
    method,
    path,
    headers: { Authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(fields === undefined ? {} : { body: JSON.stringify(fields) }),
    tenant: record.tenant,
    scopes: record.scopes.join(' '),
  });
  return await createGroup('tokens', tokenOperations(tokens))(event, CONTEXT);
}

const read = <T>(reply: Reply): T => JSON.parse(bodyText(reply)) as T;

it('returns a new token once, and lists it without anything that could be used as a token', async () => {
  const own = await sender({ tenant: 'listed' });
  const expires_at = '2130-01-01T00:00:00.000Z';
  const reply = await send(own, 'POST', '/v1/tokens', { name: 'web shop', scopes: ['render'], expires_at });
  expect(reply.headers['cache-control']).toBe('no-store');
  const made = read<{ id: string; token: string }>(reply);
  expect(made).toMatchObject({ name: 'web shop', scopes: ['render'], expires_at, created_by: own.record.id });
  expect(await tokens.find(made.token)).toMatchObject({ id: made.id, tenant: 'listed', scopes: ['render'] });

  const list = await send(own, 'GET', '/v1/tokens');
  expect(read<{ id: string; current: boolean }[]>(list).map(({ id, current }) => [id, current])).toEqual(
    [
      [own.record.id, true],
      [made.id, false],
    ].toSorted(),
  );
  expect(bodyText(list)).not.toContain(made.token);
  expect(bodyText(list)).not.toContain(own.token);
});

it.each<[string, object, Partial<NewToken>, string]>([
  ['a scope', { scopes: ['render', 'keys'] }, {}, 'insufficient_scope'],
  [
    'a later end',
    { expires_at: '2131-01-01T00:00:00Z' },
    { expiresAt: new Date('2130-01-01') },
    'invalid_field',
  ],
  ['more requests in a minute', { rate: 11 }, { rate: 10 }, 'invalid_field'],
  ['more requests in a month', { quota: 11 }, { quota: 10 }, 'invalid_field'],
  ['a scope that there is not', { scopes: ['everything'] }, {}, 'invalid_field'],
  ['an end that has been', { expires_at: '2001-01-01T00:00:00Z' }, {}, 'invalid_field'],
  ['no scope, of one that has admin alone', {}, { scopes: ['admin'] }, 'invalid_field'],
])('creates no token with %s that its own token does not have', async (_, fields, own, code) => {
  const asking = await sender(own);
  const before = (await tokens.list('acme')).length;
  expect(read(await send(asking, 'POST', '/v1/tokens', fields))).toMatchObject({ code });
  expect(await tokens.list('acme')).toHaveLength(before);
});

it('gives a new token its own expiry and limits by default, and all its scopes but admin', async () => {
  const expiresAt = new Date('2130-01-01T00:00:00.000Z');
  const own = await sender({ expiresAt, rate: 10, quota: 100 });
  expect(read(await send(own, 'POST', '/v1/tokens', {}))).toMatchObject({
    scopes: ['render', 'pdf'] satisfies Scope[],
    expires_at: expiresAt.toISOString(),
    rate: 10,
    quota: 100,
  });
});

it('neither shows nor revokes a token of another tenant, which is answered like an unknown id', async () => {
  const own = await sender();
  const other = await tokens.mint({ tenant: 'other' });
  const answers = [];
  for (const id of [other.record.id, '000000000000', 'x']) {
    const { status, ...reply } = await send(own, 'DELETE', `/v1/tokens/${id}`);
    answers.push([status, read<{ detail: string }>({ status, ...reply }).detail.replace(id, 'ID')]);
  }
  expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(
    new Set(['[404,"There is no token ID."]']),
  );
  expect((await tokens.find(other.token))?.revokedAt).toBeNull();
  expect(bodyText(await send(own, 'GET', '/v1/tokens'))).not.toContain(other.record.id);
});

it('refuses requests with a revoked token, even if the gateway has cached it', async () => {
  const own = await sender();
  const otherTenant = await sender();
  expect((await send(own, 'DELETE', `/v1/tokens/${otherTenant.record.id}`)).status).toBe(204);
  for (const [method, path] of [
    ['GET', '/v1/tokens'],
    ['POST', '/v1/tokens'],
    ['DELETE', `/v1/tokens/${own.record.id}`],
  ] as const)
    expect((await send(otherTenant, method, path, method === 'POST' ? {} : undefined)).status, method).toBe(
      401,
    );
  expect((await tokens.find(own.token))?.revokedAt).toBeNull();
  // Revoked, it is still listed: whoever looks sees what became of it.
  const listed = read<{ id: string; revoked_at: string | null }[]>(await send(own, 'GET', '/v1/tokens'));
  expect(listed.find(({ id }) => id === otherTenant.record.id)?.revoked_at).not.toBeNull();
});
