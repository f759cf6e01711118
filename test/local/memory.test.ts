import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { watchMemory } from '../../bin/memory.ts';
import { silentLogger } from '../../packages/aws-local/src/log.ts';
import { call, json, serveFixture, type ServedFixture } from './served-fixture.ts';

/** The service in a control group whose memory is nearly used up. */

const MB = 1024 * 1024;
let folder: string;
let fixture: ServedFixture;
const notes: string[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'platen-memory-'));
  writeFileSync(join(folder, 'own'), '0::/\n');
  writeFileSync(join(folder, 'memory.max'), String(4_000 * MB));
  useMb(100);
  const log = { ...silentLogger, warn: (message: string) => void notes.push(message) };
  fixture = await serveFixture({
    isShortOfMemory: watchMemory(log, { root: folder, own: join(folder, 'own') }),
  });
});

afterAll(async () => {
  await fixture.stop();
  rmSync(folder, { recursive: true, force: true });
});

function useMb(megabytes: number): void {
  writeFileSync(join(folder, 'memory.current'), String(megabytes * MB));
}

const ask = (what: string, signal?: AbortSignal) =>
  fetch(`${fixture.url}/v1/guarded/${what}`, {
    headers: { authorization: 'good-of-somebody' },
    ...(signal === undefined ? {} : { signal }),
  });

/** A request in work, until its client leaves. */
async function begin(name: string) {
  const note = join(folder, name);
  const leaving = new AbortController();
  const asked = ask(`until-abandoned?note=${note}`, leaving.signal).catch(() => undefined);
  const begun = () => existsSync(note);
  const leave = async (): Promise<void> => {
    leaving.abort();
    await asked;
  };
  return { begun, leave };
}

it('refuses further requests of a function at work, and takes them when there is memory', async () => {
  const first = await begin('first');
  await expect.poll(first.begun).toBe(true);
  useMb(3_400);
  expect((await ask('count')).status).toBe(200);
  useMb(3_401);
  const headers = { authorization: 'good-of-somebody' };
  const refused = await call(`${fixture.url}/v1/guarded/count`, { headers });
  expect(refused.status).toBe(503);
  expect(json(refused)).toMatchObject({ code: 'service_busy' });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  useMb(100);
  expect((await ask('count')).status).toBe(200);
  await first.leave();
  expect(notes).toEqual([
    '3401 of 4000 MB of memory are in use: further requests wait or are refused.',
    '100 of 4000 MB of memory are in use: requests are taken as before.',
  ]);
});

it('takes a request of a function without work, whatever is in use', async () => {
  await expect.poll(() => fixture.service.load().reduce((sum, { working }) => sum + working, 0)).toBe(0);
  useMb(3_990);
  expect((await ask('count')).status).toBe(200);
  useMb(100);
});

it('ends environments without a request while memory runs out', async () => {
  const first = await begin('ending');
  await expect.poll(first.begun).toBe(true);
  expect((await ask('count')).status).toBe(200);
  const environments = () => fixture.service.load().reduce((sum, one) => sum + one.environments, 0);
  const before = environments();
  useMb(3_900);
  expect((await ask('count')).status).toBe(503);
  await expect.poll(environments).toBeLessThan(before);
  useMb(100);
  await first.leave();
});

it('keeps more than a share of a small limit', () => {
  const isShort = watchMemory(silentLogger, { root: folder, own: join(folder, 'own') });
  const at = (used: number, limit: number): boolean => {
    writeFileSync(join(folder, 'memory.max'), String(limit * MB));
    useMb(used);
    return isShort();
  };
  expect([at(808, 1_000), at(809, 1_000), at(3_400, 4_000), at(3_401, 4_000)]).toEqual([
    false,
    true,
    false,
    true,
  ]);
});
