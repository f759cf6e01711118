import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ScheduleSpec } from '../../packages/aws-local/src/assembly/index.ts';
import type { Lambda, Payload } from '../../packages/aws-local/src/lambda/index.ts';
import { silentLogger } from '../../packages/aws-local/src/log.ts';
import { Scheduler } from '../../packages/aws-local/src/scheduler.ts';

const HOUR = 3_600_000;
const START = Date.parse('2026-01-01T00:00:00Z');
const SWEEP: ScheduleSpec = { name: 'sweep', everyMs: 12 * HOUR, functionName: 'sweeper', input: undefined };

let folder: string;
let events: { name: string; event: Record<string, unknown> }[];

/** Notes what it is asked to invoke; `fails` makes every invocation fail. */
function lambda(fails = false): Lambda {
  return {
    invoke: async (name: string, payload: Payload) => {
      const chunks: Buffer[] = [];
      for await (const chunk of payload.open() as AsyncIterable<Buffer>) chunks.push(chunk);
      events.push({ name, event: JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown> });
      if (fails) throw new Error('it failed');
      return { kind: 'buffered', json: Buffer.from('null') };
    },
  } as unknown as Lambda;
}

const scheduler = (schedule: ScheduleSpec = SWEEP, fails = false) =>
  new Scheduler(join(folder, 'schedules.json'), [schedule], lambda(fails), silentLogger);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-scheduler-'));
  events = [];
});

afterEach(() => rm(folder, { recursive: true }));

it('calls a function when its interval has passed, with the event EventBridge sends', async () => {
  const running = scheduler();
  await running.start(START);
  await running.tick(START + 11 * HOUR);
  expect(events).toEqual([]);
  await running.tick(START + 12 * HOUR);
  await running.tick(START + 13 * HOUR);
  expect(events).toMatchObject([
    {
      name: 'sweeper',
      event: { source: 'aws.events', 'detail-type': 'Scheduled Event', time: '2026-01-01T12:00:00.000Z' },
    },
  ]);
  running.stop();
});

it('counts on over a restart, as a laptop may never run for as long as an interval lasts', async () => {
  const first = scheduler();
  await first.start(START);
  first.stop();
  const second = scheduler();
  await second.start(START + 20 * HOUR);
  await second.tick(START + 20 * HOUR);
  second.stop();
  expect(events).toHaveLength(1);
  expect(JSON.parse(await readFile(join(folder, 'schedules.json'), 'utf8'))).toEqual({
    sweep: START + 20 * HOUR,
  });
});

it('calls a function at each start whose interval is an hour or less, to finish what was interrupted', async () => {
  const hourly = { ...SWEEP, everyMs: HOUR };
  for (const start of [START, START + 1_000]) {
    const running = scheduler(hourly);
    await running.start(start);
    await running.tick(start);
    await running.tick(start + HOUR / 2);
    running.stop();
  }
  expect(events).toHaveLength(2);
});

it('continues at the next interval after a failure', async () => {
  const running = scheduler(SWEEP, true);
  await running.start(START);
  await running.tick(START + 12 * HOUR);
  await running.tick(START + 12 * HOUR + 60_000);
  await running.tick(START + 24 * HOUR);
  running.stop();
  expect(events).toHaveLength(2);
});

it('sends the input a rule gives instead of its own event', async () => {
  const running = scheduler({ ...SWEEP, input: { do: 'this' } });
  await running.start(START);
  await running.tick(START + 12 * HOUR);
  running.stop();
  expect(events[0]?.event).toEqual({ do: 'this' });
});
