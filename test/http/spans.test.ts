import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { span, traced } from '../../functions/shared/spans.ts';
import { startTestStorage, TOKENS_TABLE } from '../local/storage-for-tests.ts';

/** Spans as the X-Ray daemon takes them (AWS X-Ray, "Segment documents"), against a socket that stands in for it. */

const TRACE = 'Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8';

let daemon: Socket;
let segments: Record<string, unknown>[];

beforeEach(async () => {
  segments = [];
  daemon = createSocket('udp4');
  daemon.on('message', (message) => {
    const [header = '', body = ''] = message.toString().split('\n');
    expect(JSON.parse(header)).toEqual({ format: 'json', version: 1 });
    segments.push(JSON.parse(body) as Record<string, unknown>);
  });
  daemon.bind(0, '127.0.0.1');
  await once(daemon, 'listening');
  vi.stubEnv('AWS_XRAY_DAEMON_ADDRESS', `127.0.0.1:${daemon.address().port}`);
  vi.stubEnv('_X_AMZN_TRACE_ID', `${TRACE};Sampled=1`);
});
afterEach(() => {
  vi.unstubAllEnvs();
  daemon.close();
});

async function received(count: number): Promise<Record<string, unknown>[]> {
  await vi.waitFor(() => expect(segments).toHaveLength(count));
  return segments;
}

it('sends a span within the trace of the invocation, and spans within it below it', async () => {
  expect(await span('outer', async () => await span('inner', async () => 7))).toBe(7);
  const [inner, outer] = await received(2);
  expect(outer).toMatchObject({
    name: 'outer',
    type: 'subsegment',
    trace_id: '1-5759e988-bd862e3fe1be46a994272793',
    parent_id: '53995c3f42cd8ad8',
  });
  expect(inner).toMatchObject({ name: 'inner', parent_id: outer?.['id'] });
  expect(String(inner?.['id'])).toMatch(/^[0-9a-f]{16}$/);
  expect(Number(outer?.['end_time'])).toBeGreaterThanOrEqual(Number(outer?.['start_time']));
});

it('records failed work as failed, and throws its error again', async () => {
  await expect(span('broken', async () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await received(1)).toMatchObject([{ name: 'broken', fault: true }]);
});

it('sends nothing for an invocation that is not sampled', async () => {
  vi.stubEnv('_X_AMZN_TRACE_ID', `${TRACE};Sampled=0`);
  await span('unseen', async () => undefined);
  vi.stubEnv('_X_AMZN_TRACE_ID', `${TRACE};Sampled=1`);
  await span('seen', async () => undefined);
  expect(await received(1)).toMatchObject([{ name: 'seen' }]);
});

it('shows calls of AWS services as such, with the table', async () => {
  const storage = await startTestStorage([TOKENS_TABLE]);
  try {
    const client = traced(storage.dynamodb);
    await client.send(new GetItemCommand({ TableName: TOKENS_TABLE.name, Key: { pk: { S: 'x' } } }));
    expect(await received(1)).toMatchObject([
      { name: 'DynamoDB', namespace: 'aws', aws: { operation: 'GetItem', table_name: TOKENS_TABLE.name } },
    ]);
  } finally {
    await storage.stop();
  }
});
