import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FunctionError } from '../../packages/aws-local/src/lambda/errors.ts';
import type { Lambda } from '../../packages/aws-local/src/lambda/index.ts';
import { Access } from '../../packages/aws-local/src/iam/access.ts';
import { InvokeApi } from '../../packages/aws-local/src/lambda/invoke-api.ts';
import { newTraceId, tenantOf } from '../../packages/aws-local/src/lambda/trace.ts';

const KEYS = { accessKeyId: 'key', secretAccessKey: 'secret' };

const traces: string[] = [];

/** Echoes its event, or fails when told so. */
const lambda = {
  spec: (name: string) => (name === 'echo' ? {} : undefined),
  invoke: async (
    _name: string,
    payload: { open(): AsyncIterable<Buffer> },
    { traceId }: { traceId: string },
  ) => {
    traces.push(traceId);
    const chunks: Buffer[] = [];
    for await (const chunk of payload.open()) chunks.push(chunk);
    const json = Buffer.concat(chunks);
    if (json.includes('fail')) throw new FunctionError('Boom', 'It went wrong');
    return { kind: 'buffered', json };
  },
} as unknown as Lambda;

describe('the local Invoke', () => {
  let api: InvokeApi;
  const client = (secretAccessKey = KEYS.secretAccessKey): LambdaClient =>
    new LambdaClient({
      region: 'us-east-1',
      endpoint: api.endpoint,
      credentials: { ...KEYS, secretAccessKey },
      maxAttempts: 1,
    });
  const invoke = async (payload: string, name = 'echo', lambdaClient = client()) =>
    await lambdaClient.send(new InvokeCommand({ FunctionName: name, Payload: payload }));

  beforeAll(async () => {
    api = await InvokeApi.listen(new Access(KEYS));
    api.serve(lambda);
  });
  afterAll(() => api.close());

  test('passes the event to the function and returns its answer', async () => {
    const { Payload, FunctionError: failed } = await invoke('{"a":"ü"}');
    expect(Payload?.transformToString()).toBe('{"a":"ü"}');
    expect(failed).toBeUndefined();
  });

  test('keeps the trace of the function that calls, and with it the tenant of the request', async () => {
    const trace = newTraceId('Acme; & Söhne=1');
    // The runtime sets these for a function, and the SDK reads them.
    const variables = { AWS_LAMBDA_FUNCTION_NAME: 'caller', _X_AMZN_TRACE_ID: trace };
    Object.assign(process.env, variables);
    try {
      await invoke('{}');
    } finally {
      for (const name of Object.keys(variables)) delete process.env[name];
    }
    expect(traces.at(-1)).toBe(trace);
    expect(tenantOf(trace)).toBe(tenantOf(newTraceId('Acme; & Söhne=1')));
    await invoke('{}');
    expect(tenantOf(traces.at(-1) ?? '')).toBe('');
  });

  test('reports a failed function as Lambda does', async () => {
    const { Payload, FunctionError: failed } = await invoke('{"fail":1}');
    expect(failed).toBe('Unhandled');
    expect(JSON.parse(Payload?.transformToString() ?? '')).toMatchObject({
      errorType: 'Boom',
      errorMessage: 'It went wrong',
    });
  });

  test('answers ResourceNotFoundException for an unknown function', async () => {
    await expect(invoke('{}', 'nobody')).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  });

  test('refuses an event that Lambda would not take', async () => {
    await expect(invoke(JSON.stringify('x'.repeat(6_300_000)))).rejects.toMatchObject({
      name: 'RequestTooLargeException',
    });
  });

  test('refuses callers without the keys', async () => {
    await expect(invoke('{}', 'echo', client('guessed'))).rejects.toMatchObject({
      name: 'AccessDeniedException',
    });
    const unsigned = await fetch(`${api.endpoint}/2015-03-31/functions/echo/invocations`, { method: 'POST' });
    expect(unsigned.status).toBe(403);
  });
});
