import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createGroup, json, type Reply } from '../../functions/shared/http/index.ts';
import type { UsageCounter } from '../../functions/shared/http/limits.ts';
import { setLogLevel } from '../../functions/shared/log.ts';
import { TokenStore } from '../../functions/authorizer/tokens.ts';
import { UsageStore } from '../../functions/shared/store/usage.ts';
import { startTestStorage, type TestStorage, TOKENS_TABLE } from '../local/storage-for-tests.ts';
import { bodyText, CONTEXT, gatewayEvent } from '../support/gateway-event.ts';

/** Limits of tokens (I-55: `RateLimit` headers). */

/** Twenty seconds before the end of a minute, and six days before the end of a month. */
const NOW = new Date('2026-11-24T23:59:40.000Z');
const LATER = new Date('2026-11-25T00:00:01.000Z');
const NEXT_MONTH = new Date('2026-12-01T00:00:00.000Z');

let storage: TestStorage;
let usage: UsageStore;
let worked = 0;
let tenant = '';

beforeAll(async () => {
  setLogLevel('silent');
  storage = await startTestStorage([TOKENS_TABLE]);
  usage = new UsageStore(storage.dynamodb, TOKENS_TABLE.name);
});
afterAll(async () => {
  setLogLevel('info');
  await storage.stop();
});
beforeEach(({ task }) => {
  worked = 0;
  tenant = task.id;
});

async function send(limits: Record<string, string>, now = NOW): Promise<Reply> {
  const counter: UsageCounter = { count: async (who, wanted) => await usage.count(who, wanted, now) };
  const serve = createGroup(
    'templates',
    {
      listTemplates: async () => {
        worked += 1;
        return json([]);
      },
    },
    { usage: counter },
  );
  const event = gatewayEvent({ method: 'GET', path: '/v1/template', tenant });
  Object.assign(event.requestContext.authorizer ?? {}, limits);
  return await serve(event, CONTEXT);
}

it('answers 429 to requests beyond the rate, with the start of the next minute', async () => {
  const first = await send({ rate: '2', quota: '' });
  expect(first.status).toBe(200);
  expect(first.headers).toMatchObject({
    'ratelimit-policy': '"minute";q=2;w=60',
    ratelimit: '"minute";r=1;t=20',
  });
  expect((await send({ rate: '2', quota: '' })).headers['ratelimit']).toBe('"minute";r=0;t=20');

  const refused = await send({ rate: '2', quota: '' });
  expect(refused.status).toBe(429);
  expect(refused.headers).toMatchObject({ ratelimit: '"minute";r=0;t=20', 'retry-after': '20' });
  expect(JSON.parse(bodyText(refused))).toMatchObject({ code: 'too_many_requests', status: 429 });
  expect(worked).toBe(2);

  expect((await send({ rate: '2', quota: '' }, LATER)).status).toBe(200);
});

it('counts a month in UTC, and no request that was refused for its rate', async () => {
  const limits = { rate: '2', quota: '3' };
  const replies = [await send(limits), await send(limits), await send(limits)];
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 429]);
  expect(replies[1]?.headers).toMatchObject({
    'ratelimit-policy': '"minute";q=2;w=60, "month";q=3;w=2592000',
    ratelimit: '"minute";r=0;t=20, "month";r=1;t=518420',
  });
  expect((await send(limits, LATER)).status).toBe(200);

  const refused = await send(limits, LATER);
  expect(JSON.parse(bodyText(refused))).toMatchObject({ code: 'quota_exceeded', status: 429 });
  expect(refused.headers['retry-after']).toBe(String((NEXT_MONTH.getTime() - LATER.getTime()) / 1000));
  expect((await send(limits, NEXT_MONTH)).status).toBe(200);
  expect(worked).toBe(4);
});

it('admits exactly the remaining quota of a hundred concurrent requests', async () => {
  const replies = await Promise.all(Array.from({ length: 100 }, () => send({ rate: '', quota: '37' })));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(37);
});

it('counts each tenant separately, and stores nothing for a token without limits', async () => {
  expect((await send({ rate: '1' })).status).toBe(200);
  tenant = `${tenant}-other`;
  expect((await send({ rate: '1' })).status).toBe(200);
  const free = await send({});
  expect(Object.keys(free.headers).filter((name) => name.startsWith('ratelimit'))).toEqual([]);
});

it('leaves no counter behind after its expiry, and none among the tokens', async () => {
  await send({ rate: '5', quota: '5' });
  const tokens = new TokenStore(storage.dynamodb, TOKENS_TABLE.name);
  await tokens.mint({ tenant: 'listed', rate: 60, quota: 1_000 });
  expect(await tokens.list()).toMatchObject([{ tenant: 'listed', rate: 60, quota: 1_000 }]);

  const { Items = [] } = await storage.dynamodb.send(new ScanCommand({ TableName: TOKENS_TABLE.name }));
  const counters = Items.filter((item) => item['pk']?.S?.startsWith('USAGE#'));
  expect(counters.length).toBeGreaterThan(0);
  expect(counters.filter((item) => item['expires_at_epoch'] === undefined)).toEqual([]);
});

it('refuses a token with limits if no counter is configured', async () => {
  const serve = createGroup('templates', { listTemplates: async () => json([]) });
  const event = gatewayEvent({ method: 'GET', path: '/v1/template', tenant });
  Object.assign(event.requestContext.authorizer ?? {}, { rate: '5' });
  expect((await serve(event, CONTEXT)).status).toBe(500);
});

it.each([0, -1, 1.5, Number.NaN])('makes no token with a rate of %s', async (rate) => {
  const tokens = new TokenStore(storage.dynamodb, TOKENS_TABLE.name);
  await expect(tokens.mint({ tenant: 'acme', rate })).rejects.toMatchObject({ code: 'invalid_field' });
});
