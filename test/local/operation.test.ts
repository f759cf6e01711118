import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, serveFixture, type ServedFixture } from './served-fixture.ts';

/** The health and the metrics of the local service, which need no token. */

let fixture: ServedFixture;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-operation-'));
  fixture = await serveFixture({ concurrency: 2, strict: false });
});
afterAll(async () => {
  await fixture.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Returns the values of all time series, by name and labels. */
async function series(): Promise<Record<string, number>> {
  const response = await fetch(`${fixture.url}/metrics`);
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const lines = (await response.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(
    lines.map((line) => {
      const blank = line.lastIndexOf(' ');
      return [line.slice(0, blank), Number(line.slice(blank + 1))];
    }),
  );
}

it.each(['/health', '/health/live', '/health?from=probe'])('%s answers GET and HEAD', async (path) => {
  const answer = await fetch(fixture.url + path);
  expect([answer.status, await answer.json()]).toEqual([200, { status: 'ok' }]);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  const head = await fetch(fixture.url + path, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
});

it('other methods and paths below are requests to the API', async () => {
  for (const [method, path] of [
    ['POST', '/health'],
    ['GET', '/health/other'],
    ['GET', '/metrics/'],
  ] as const)
    expect((await fetch(fixture.url + path, { method })).status).toBe(404);
});

it('requests are counted by route, method and status, and no client makes a series of its own', async () => {
  await call(`${fixture.url}/v1/streams/bytes`);
  await call(`${fixture.url}/v1/streams/bytes`);
  await call(`${fixture.url}/v1/no-such-route-1`);
  await call(`${fixture.url}/v1/no-such-route-2`, { method: 'INVENTED' }).catch(() => undefined);
  const counted = await series();
  expect(counted).toMatchObject({
    'platen_http_requests_total{route="/v1/streams/{what}",method="GET",status="200"}': 2,
    'platen_http_request_duration_seconds_count{route="/v1/streams/{what}"}': 2,
  });
  expect(Object.keys(counted).filter((name) => /no-such-route|INVENTED/.test(name))).toEqual([]);
  expect(
    counted['platen_http_requests_total{route="none",method="GET",status="404"}'],
  ).toBeGreaterThanOrEqual(1);
});

it('what a function works on and what waits for it is there while it does, and clients that leave are counted', async () => {
  const leaving = new AbortController();
  const notes = [1, 2, 3, 4, 5].map((index) => join(folder, `note-${index}`));
  const asked = notes.map((note) =>
    fetch(`${fixture.url}/v1/guarded/until-abandoned?note=${note}`, {
      headers: { authorization: 'good-of-many' },
      signal: leaving.signal,
    }).catch(() => undefined),
  );
  await expect.poll(() => notes.filter((note) => existsSync(note)).length).toBe(2);
  const working = (name: string): string => `platen_function_${name}{function="probe"}`;
  await expect.poll(series).toMatchObject({
    [working('requests_in_progress')]: 2,
    [working('requests_waiting')]: 3,
    [working('environments')]: 2,
  });
  leaving.abort();
  await Promise.all(asked);
  await expect.poll(series).toMatchObject({
    [working('requests_in_progress')]: 0,
    [working('requests_waiting')]: 0,
    'platen_http_requests_total{route="/v1/guarded/{what}",method="GET",status="499"}': 5,
  });
});
