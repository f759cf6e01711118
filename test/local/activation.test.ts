import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createInvoker } from '../../functions/shared/hand-over/invoke.ts';
import { Access } from '../../packages/aws-local/src/iam/access.ts';
import {
  type Lambda,
  NotReadyError,
  TooManyRequestsError,
} from '../../packages/aws-local/src/lambda/index.ts';
import { InvokeApi } from '../../packages/aws-local/src/lambda/invoke-api.ts';

/** A function that calls another one, by Lambda's own protocol: the other is inactive, or has no capacity. */

const KEYS = { accessKeyId: 'key', secretAccessKey: 'secret' };

/** What the calls are answered with, in order; the last one again and again. */
let answers: (() => Promise<object>)[] = [];
let calls = 0;

const done = (): Promise<object> => Promise.resolve({ kind: 'buffered', json: Buffer.from('{"done":true}') });
const inactive = (): Promise<object> => Promise.reject(new NotReadyError('convert'));
const throttled = (): Promise<object> => Promise.reject(new TooManyRequestsError('Too many'));

const lambda = {
  spec: () => ({}),
  invoke: () => {
    const answer = answers[Math.min(calls, answers.length - 1)] ?? done;
    calls += 1;
    return answer();
  },
} as unknown as Lambda;

describe('a call of another function', () => {
  let api: InvokeApi;
  const call = createInvoker<{ timeout: number }, { done: boolean }>('convert', 'Not right now.');

  beforeAll(async () => {
    api = await InvokeApi.listen(new Access(KEYS));
    api.serve(lambda);
    vi.stubEnv('AWS_ENDPOINT_URL_LAMBDA', api.endpoint);
    vi.stubEnv('AWS_REGION', 'us-east-1');
    vi.stubEnv('AWS_ACCESS_KEY_ID', KEYS.accessKeyId);
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', KEYS.secretAccessKey);
  });
  afterEach(() => {
    calls = 0;
    vi.restoreAllMocks();
  });
  afterAll(() => {
    vi.unstubAllEnvs();
    api.close();
  });

  test('is repeated until the function is active', async () => {
    // The SDK itself repeats a call twice within less than a second.
    answers = [inactive, inactive, inactive, inactive, done];
    await expect(call({ timeout: 1_000 }, undefined)).resolves.toEqual({ done: true });
    expect(calls).toBe(5);
  });

  test('is busy after two minutes', async () => {
    answers = [inactive];
    const now = performance.now.bind(performance);
    // The three calls of the SDK take as long.
    vi.spyOn(performance, 'now').mockImplementation(() => now() + (calls < 3 ? 0 : 119_500));
    await expect(call({ timeout: 1_000 }, undefined)).rejects.toMatchObject({ code: 'service_busy' });
    expect(calls).toBe(3);
  });

  test('ends with its request while it waits', async () => {
    answers = [inactive];
    const reason = new Error('the request has ended');
    const request = new AbortController();
    const waiting = call({ timeout: 1_000 }, request.signal);
    await expect.poll(() => calls).toBe(3);
    setTimeout(() => request.abort(reason), 100);
    await expect(waiting).rejects.toBe(reason);
  });

  test('is busy if there is no capacity', async () => {
    answers = [throttled];
    await expect(call({ timeout: 1_000 }, undefined)).rejects.toMatchObject({ code: 'service_busy' });
  });
});
