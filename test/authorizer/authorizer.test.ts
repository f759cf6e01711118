import { createHash } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authorize } from '../../functions/authorizer/authorize.ts';
import { setLogLevel } from '../../functions/shared/log.ts';
import { TokenStore } from '../../functions/authorizer/tokens.ts';
import { startTestStorage, type TestStorage, TOKENS_TABLE } from '../local/storage-for-tests.ts';

const METHOD = 'arn:aws:execute-api:eu-west-1:123456789012:abc123/live/GET/v1/template/42';

/** No crash of the function: an alarm on those would go off at anybody's typing error. */
const REFUSAL = {
  principalId: 'nobody',
  policyDocument: {
    Version: '2012-10-17',
    Statement: [
      {
        Action: 'execute-api:Invoke',
        Effect: 'Deny',
        Resource: 'arn:aws:execute-api:eu-west-1:123456789012:abc123/live/*',
      },
    ],
  },
};

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

function call(headers: Record<string, string>, now?: Date) {
  return authorize({ headers, methodArn: METHOD }, tokens, null, now);
}

describe('the authorizer (I-2)', () => {
  it('answers a raw token and the same after Bearer with tenant, scopes and expiry, for the whole stage', async () => {
    const expiresAt = new Date(Date.now() + 60_000);
    const { token, record } = await tokens.mint({ tenant: 'acme', scopes: ['render', 'pdf'], expiresAt });

    for (const value of [token, `Bearer ${token}`, `bearer  ${token}`]) {
      expect(await call({ authorization: value })).toEqual({
        principalId: 'acme',
        policyDocument: {
          Version: '2012-10-17',
          Statement: [
            {
              Action: 'execute-api:Invoke',
              Effect: 'Allow',
              Resource: 'arn:aws:execute-api:eu-west-1:123456789012:abc123/live/*',
            },
          ],
        },
        context: {
          tenant: 'acme',
          scopes: 'render pdf',
          expires_at: expiresAt.toISOString(),
          token_id: record.id,
          name: record.id,
          rate: '',
          quota: '',
        },
      });
    }
  });

  it('passes the name of a token on, in ASCII', async () => {
    const { token } = await tokens.mint({ tenant: 'acme', name: 'Zoë 🖨\ud800' });
    const { context } = await call({ authorization: token });
    expect(context).toMatchObject({ name: 'Zo%C3%AB%20%F0%9F%96%A8%EF%BF%BD' });
  });

  it('passes the limits of a token on', async () => {
    const { token } = await tokens.mint({ tenant: 'acme', rate: 60, quota: 10_000 });
    expect((await call({ authorization: token })).context).toMatchObject({ rate: '60', quota: '10000' });
  });

  it('passes an empty expiry on for a token that does not expire', async () => {
    const { token } = await tokens.mint({ tenant: 'acme' });
    expect((await call({ Authorization: token })).context).toMatchObject({ expires_at: '' });
  });

  it.each([
    ['no header', {}],
    ['an empty one', { Authorization: '' }],
    ['Bearer alone', { Authorization: 'Bearer ' }],
    ['an unknown token', { Authorization: `plt_${'A'.repeat(43)}` }],
    ['a text of another scheme', { Authorization: 'Basic dXNlcjpwYXNz' }],
    ['100 KB of it', { Authorization: 'x'.repeat(100_000) }],
    ['control characters and emoji', { Authorization: 'plt_\u0000😀' }],
  ])('denies %s the whole stage, which the gateway answers with 401 and remembers', async (_, headers) => {
    expect(await call(headers as Record<string, string>)).toEqual(REFUSAL);
  });

  it('refuses a token from the second on in which it expires', async () => {
    const expiresAt = new Date(Date.now() + 3_600_000);
    const { token } = await tokens.mint({ tenant: 'acme', expiresAt });
    const before = await call({ Authorization: token }, new Date(expiresAt.getTime() - 1));
    expect(before.policyDocument.Statement).toMatchObject([{ Effect: 'Allow' }]);
    expect(await call({ Authorization: token }, expiresAt)).toEqual(REFUSAL);
  });

  it('refuses a token that was revoked', async () => {
    const { token, record } = await tokens.mint({ tenant: 'acme' });
    await tokens.revoke(record.id);
    expect(await call({ Authorization: token })).toEqual(REFUSAL);
  });

  it('does not pass a failure of the storage off as a bad token', async () => {
    const lost = new TokenStore(storage.dynamodb, 'no-such-table');
    const event = { headers: { Authorization: 'whatever-token' }, methodArn: METHOD };
    await expect(authorize(event, lost)).rejects.toMatchObject({ code: 'storage_unavailable' });
  });

  it('does not start without its table', async () => {
    await expect(import('../../functions/authorizer/config.ts')).rejects.toThrow('PLATEN_TOKENS_TABLE');
  });
});

describe('the tokens', () => {
  it('are 256 bits of chance, stored as their SHA-256 only', async () => {
    const { token, record } = await tokens.mint({ tenant: 'hidden' });
    expect(token).toMatch(/^plt_[A-Za-z0-9_-]{43}$/);

    const { Items } = await storage.dynamodb.send(new ScanCommand({ TableName: TOKENS_TABLE.name }));
    const hash = createHash('sha256').update(token).digest('hex');
    expect(Items?.find((item) => item['pk']?.S === hash)).toMatchObject({
      id: { S: hash.slice(0, 12) },
      tenant: { S: 'hidden' },
    });
    expect(record.id).toBe(hash.slice(0, 12));
    expect(JSON.stringify(Items)).not.toContain(token);
  });

  it('have all scopes except admin if none are named', async () => {
    const { record } = await tokens.mint({ tenant: 'acme' });
    expect(record.scopes).toEqual(['templates:read', 'templates:write', 'render', 'pdf', 'keys']);
  });

  it('carry the second of their end for DynamoDB to delete them by', async () => {
    const expiresAt = new Date('2130-01-02T03:04:05.678Z');
    const { record } = await tokens.mint({ tenant: 'acme', expiresAt });
    const { Items } = await storage.dynamodb.send(new ScanCommand({ TableName: TOKENS_TABLE.name }));
    expect(Items?.find((item) => item['id']?.S === record.id)?.['expires_at_epoch']).toEqual({
      N: String(Date.parse('2130-01-02T03:04:06Z') / 1000),
    });
  });

  it('are listed by tenant, oldest first, without the tokens themselves', async () => {
    const first = await tokens.mint({ tenant: 'listed' }, new Date('2026-01-01T00:00:00Z'));
    const second = await tokens.mint({ tenant: 'listed' }, new Date('2026-01-02T00:00:00Z'));
    expect(await tokens.list('listed')).toEqual([first.record, second.record]);
    expect((await tokens.list()).length).toBeGreaterThan(2);
  });

  it('keep the time of their first revocation', async () => {
    const { record } = await tokens.mint({ tenant: 'acme' });
    const first = await tokens.revoke(record.id, new Date('2026-05-01T00:00:00Z'));
    const again = await tokens.revoke(record.id, new Date('2026-06-01T00:00:00Z'));
    expect(first?.revokedAt).toBe('2026-05-01T00:00:00.000Z');
    expect(again).toEqual(first);
  });

  it.each(['', 'nonsense', '000000000000', '%'])(
    'answer null if the unknown id "%s" is revoked',
    async (id) => {
      expect(await tokens.revoke(id)).toBeNull();
    },
  );

  it('may be chosen, if they fit into a header', async () => {
    expect((await tokens.mint({ tenant: 'acme', token: 'x' })).token).toBe('x');
    for (const token of ['', 'with space', 'zeilen\nende', 'ümlaut-token', 'x'.repeat(513)]) {
      await expect(tokens.mint({ tenant: 'acme', token })).rejects.toMatchObject({ code: 'invalid_field' });
    }
  });

  it.each(['', '../other', 'a/b', 'a#b', 'ü', '.', 'x'.repeat(65)])(
    'are refused for the tenant "%s", which no key of the storage could hold',
    async (tenant) => {
      await expect(tokens.mint({ tenant })).rejects.toMatchObject({ code: 'invalid_field' });
    },
  );

  it.each([new Date(Date.now() - 1), new Date(Number.NaN)])(
    'are refused with the expiry %s',
    async (expiresAt) => {
      await expect(tokens.mint({ tenant: 'acme', expiresAt })).rejects.toMatchObject({
        code: 'invalid_field',
      });
    },
  );
});
