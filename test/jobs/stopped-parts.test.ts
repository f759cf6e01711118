import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Part, outcomesOf } from '../../functions/render/job/parts.ts';
import { batchSteps } from '../../functions/render/job/steps.ts';
import type { RenderDependencies } from '../../functions/render/dependencies.ts';
import { createGroup } from '../../functions/shared/http/index.ts';
import type { JobServices } from '../../functions/shared/jobs/config.ts';
import { createWorker } from '../../functions/shared/jobs/worker.ts';
import type { JobStore } from '../../functions/shared/store/jobs.ts';
import type { EmbeddedStorage } from '../store/embedded.ts';
import { ONLY_AS_JOB, startEmbeddedJobs } from './embedded-jobs.ts';
import { bodyText, gatewayEvent, multipart } from '../support/gateway-event.ts';

/** Parts whose records take longer than a function may: they stop in time and hand back the rest. */

const PART: Part = { part: 0, first: 0, count: 25 };

let storage: EmbeddedStorage;
let store: JobStore;
let jobs: JobServices;
/** The records whose filling began, in order. */
let begun: number[];
/** How long filling a record takes. */
let fill: (record: number, signal: AbortSignal) => Promise<unknown>;

const filler = {
  checkData: async () => undefined,
  fill: async ({ data }: { data: string }, signal: AbortSignal) => {
    const { n } = JSON.parse(data) as { n: number };
    begun.push(n);
    await fill(n, signal);
    return [`document ${n}`];
  },
};
const dependencies = {
  maxJobRecords: 100,
  images: { displayable: () => [] },
  filler,
  printers: { chrome: { concurrency: 1, session: () => ({ close: () => Promise.resolve() }) } },
} as unknown as RenderDependencies;
const operations = ONLY_AS_JOB;

beforeAll(async () => {
  ({ storage, store, jobs } = await startEmbeddedJobs());
});
afterAll(() => storage.stop());
beforeEach(() => {
  begun = [];
});

/** Accepts a batch of 25 records. @returns functions that render its part for some milliseconds, and look at it */
async function batch() {
  const tenant = randomUUID();
  const form = multipart([
    { name: 'file_data', content: '{{ n }}', filename: 'letter.md' },
    { name: 'template_data', content: '{"name":"Letter","format":"markdown"}' },
    { name: 'render_data', content: JSON.stringify(Array.from({ length: 25 }, (_, n) => ({ n }))) },
    { name: 'on_error', content: 'skip' },
  ]);
  const headers = { ...form.headers, Prefer: 'respond-async' };
  const event = gatewayEvent({ method: 'POST', path: '/v1/render/markdown/batch', tenant, ...form, headers });
  const within = (milliseconds: number) => ({ getRemainingTimeInMillis: () => milliseconds + 1_500 });
  const accepted = await createGroup('render', operations, { jobs })(event, within(60_000));
  const job = { tenant, id: (JSON.parse(bodyText(accepted)) as { id: string }).id };
  const work = createWorker(operations, { jobs }, batchSteps(dependencies));
  await work({ step: 'prepare', job }, within(60_000));
  const record = (await store.get(tenant, job.id)) ?? expect.unreachable('no job');
  return {
    render: async (milliseconds: number) => {
      await work({ step: 'part', job, part: PART }, within(milliseconds));
    },
    assemble: async () => (await work({ step: 'assemble', job }, within(60_000))).next,
    soFar: async () => await outcomesOf(record, store, PART),
    shown: async () => await store.get(tenant, job.id),
  };
}

it('a part begins no record in the second half of its time, and the rest is rendered later', async () => {
  const job = await batch();
  fill = async () => await sleep(150);
  await job.render(2_000);
  const { count } = await job.soFar();
  expect(count).toBeGreaterThan(2);
  expect(count).toBeLessThan(15);
  expect(begun).toHaveLength(count);
  expect(await job.shown()).toMatchObject({ done: 0, total: 25 });
  expect(await job.assemble()).toBe('parts');

  await job.render(60_000);
  const { outcomes } = await job.soFar();
  expect(outcomes.map(({ records }) => records.length)).toEqual([count, 25 - count]);
  // Each record was rendered once, and the part counts once.
  expect(begun.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 25 }, (_, n) => n));
  await job.render(60_000);
  expect(begun).toHaveLength(25);
  expect(await job.shown()).toMatchObject({ done: 25, failed: 0 });
  expect(await job.assemble()).toBe('settle');
});

it('a record that takes all of the time fails alone', async () => {
  const job = await batch();
  fill = async (record, signal) => {
    if (record === 3) await sleep(60_000, undefined, { signal });
  };
  // It shares its time with others, and gets all of it the second time.
  await job.render(1_500);
  expect((await job.soFar()).count).toBe(3);
  await job.render(1_500);
  expect((await job.soFar()).count).toBe(4);
  await job.render(60_000);
  expect(await job.assemble()).toBe('settle');
  expect(await job.shown()).toMatchObject({
    done: 24,
    failed: 1,
    failures: [{ record: 3, code: 'deadline_exceeded' }],
  });
});

it('an attempt that is late and has less time makes the part shorter, and the rest is rendered again', async () => {
  const job = await batch();
  const held = Promise.withResolvers<undefined>();
  fill = () => held.promise;
  const halfOfTime = sleep(3_200);
  const late = job.render(6_000);
  await expect.poll(() => begun.length).toBe(2);
  fill = async () => undefined;
  await job.render(60_000);
  expect(await job.shown()).toMatchObject({ done: 25 });
  await halfOfTime;
  held.resolve(undefined);
  await late;
  const { outcomes, count } = await job.soFar();
  expect(outcomes).toHaveLength(1);
  expect(count).toBeLessThan(25);
  expect(await job.assemble()).toBe('parts');
  await job.render(60_000);
  expect((await job.soFar()).count).toBe(25);
  expect(await job.assemble()).toBe('settle');
  expect(await job.shown()).toMatchObject({ done: 25, failed: 0 });
});
