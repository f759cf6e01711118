import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, json, serveFixture, type ServedFixture } from './served-fixture.ts';

/** Many requests of one tenant, and those of others: two environments of each function, and the reserve. */

let fixture: ServedFixture;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-fairness-'));
  fixture = await serveFixture({ concurrency: 2, waiting: 12 });
});

afterAll(async () => {
  await fixture.stop();
  await rm(folder, { recursive: true, force: true });
});

const ask = (tenant: string, what: string) =>
  call(`${fixture.url}/v1/guarded/${what}`, { headers: { authorization: `good-of-${tenant}` } });

/** Sends requests that last until their clients leave. @returns how many have ended; a function with which all leave */
function flood(tenant: string, count: number, name: string) {
  const leaving = new AbortController();
  const state = { ended: 0 };
  const notes = Array.from({ length: count }, (_, index) => join(folder, `${name}-${index}`));
  const asked = notes.map(async (note) => {
    await fetch(`${fixture.url}/v1/guarded/until-abandoned?note=${note}`, {
      headers: { authorization: `good-of-${tenant}` },
      signal: leaving.signal,
    }).catch(() => undefined);
    state.ended++;
  });
  const begun = () => notes.filter((note) => existsSync(note)).length;
  return { state, begun, leave: () => leaving.abort(), left: Promise.all(asked) };
}

describe('a flood of one tenant', () => {
  it('does not keep others waiting, has all environments but the reserve, and ends when its clients leave', async () => {
    const many = flood('many', 12, 'many');
    await expect.poll(many.begun).toBe(2);
    for (const tenant of ['few', 'others', 'few']) {
      const answers = await Promise.all([ask(tenant, 'count'), ask(tenant, 'count')]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    }
    expect(many.state.ended).toBe(0);
    expect(many.begun()).toBe(2);
    many.leave();
    await many.left;
    // Those that waited never begin, and those in work have ended.
    expect((await ask('many', 'count')).status).toBe(200);
    expect(many.begun()).toBe(2);
  });

  it('that fills the line costs its sender the last one, and nobody else', async () => {
    // All environments work, that of the reserve for another tenant, before anybody waits.
    const many = flood('many', 2, 'working');
    await expect.poll(many.begun).toBe(2);
    const few = flood('few', 1, 'few');
    await expect.poll(few.begun).toBe(1);
    const line = flood('many', 13, 'line');
    await expect.poll(() => line.state.ended).toBe(1);
    const further = flood('few', 1, 'further');
    await expect.poll(() => line.state.ended).toBe(2);
    expect([many, few, further].map(({ state }) => state.ended)).toEqual([0, 0, 0]);
    many.leave();
    line.leave();
    await expect.poll(further.begun).toBe(1);
    few.leave();
    further.leave();
    await Promise.all([many, line, few, further].map(({ left }) => left));
  });
});

describe('a service that stops', () => {
  it('answers requests beyond its patience with 503 and a problem document, also one that is still sent', async () => {
    const stopping = await serveFixture({ concurrency: 2 });
    const working = call(`${stopping.url}/v1/probe/sleep?ms=15000`);
    // It has to be under way before the service stops to accept connections.
    await pause(1000);
    const sending = new Promise<number | undefined>((resolve, reject) => {
      const headers = { 'content-length': '100', expect: '100-continue' };
      const outgoing = request(`${stopping.url}/v1/probe/echo`, { method: 'POST', headers });
      outgoing.on('response', (incoming) => resolve(incoming.resume().statusCode)).on('error', reject);
      outgoing.flushHeaders();
      outgoing.on('continue', () => {
        outgoing.write('some of it');
        void stopping.service.stop(100);
      });
    });
    expect(await sending).toBe(503);
    const answer = await working;
    expect(answer).toMatchObject({ status: 503, cut: false });
    expect(answer.headers['retry-after']).toBe('2');
    expect(json(answer)).toMatchObject({ status: 503, code: 'service_busy' });
    await stopping.stop();
  });
});
