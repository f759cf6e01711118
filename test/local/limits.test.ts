import { responseType } from '../../packages/aws-local/src/gateway/index.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Throttle } from '../../packages/aws-local/src/gateway/throttle.ts';
import { bodyLimit, RELAXED, STRICT } from '../../packages/aws-local/src/gateway/limits.ts';
import { call, serveFixture, type ServedFixture } from './served-fixture.ts';

const MB = 1024 * 1024;

describe('the throttle', () => {
  it('accepts a burst at once, and then as many a second as its rate', () => {
    const throttle = new Throttle({ rate: 5, burst: 20 }, 0);
    const admitted = (now: number, count: number) =>
      Array.from({ length: count }, () => throttle.admit(now)).filter(Boolean).length;
    expect(admitted(0, 30)).toBe(20);
    expect(admitted(1_000, 30)).toBe(5);
    expect(admitted(1_100, 30)).toBe(0);
    expect(admitted(60_000, 30)).toBe(20);
  });
});

describe('the size of a body', () => {
  it('is bounded by the limit of the gateway, and by the memory of the function', () => {
    expect(bodyLimit(STRICT, 2048)).toBe(10 * MB);
    expect(bodyLimit(RELAXED, 2048)).toBe(256 * MB);
    expect(bodyLimit(RELAXED, 512)).toBe(128 * MB);
  });
});

describe('a service that throttles', () => {
  let fixture: ServedFixture;
  beforeAll(async () => {
    fixture = await serveFixture({ throttle: true });
  });
  afterAll(() => fixture.stop());

  it('answers too many requests with 429 as a problem document', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => call(`${fixture.url}/v1/probe/literal`)),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(5);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(20);
    expect(JSON.parse(refused[0]?.body.toString() ?? '')).toMatchObject({ code: 'too_many_requests' });
  });
});

it('a body that does not fit on the disk is answered as an error to retry, and not as a fault of the function', () => {
  const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  expect(responseType(full)).toBe('INTEGRATION_FAILURE');
  expect(responseType(new Error('another'))).toBe('DEFAULT_5XX');
});
