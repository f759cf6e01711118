import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { ACCOUNT, REGION, type ScheduleSpec } from './assembly/index.ts';
import { jsonPayload, type Lambda, newTraceId } from './lambda/index.ts';
import type { Logger } from './log.ts';
import { writePrivate } from './state.ts';

/** How often it is looked whether something is due. */
const TICK_MS = 60_000;

/**
 * Calls functions as the stacks' schedules say. When each was called last is kept in the data directory: a laptop may
 * never run for as long as an interval lasts.
 */
export class Scheduler {
  readonly #path: string;
  readonly #lambda: Lambda;
  readonly #log: Logger;
  #schedules: readonly ScheduleSpec[];
  #timer: NodeJS.Timeout | undefined;
  #last: Record<string, number> = {};
  #running: Promise<void> = Promise.resolve();

  /** @param path File in which the last calls are kept. */
  constructor(path: string, schedules: readonly ScheduleSpec[], lambda: Lambda, log: Logger) {
    this.#path = path;
    this.#schedules = schedules;
    this.#lambda = lambda;
    this.#log = log;
  }

  async start(now: number): Promise<void> {
    try {
      this.#last = JSON.parse(await readFile(this.#path, 'utf8')) as Record<string, number>;
    } catch {
      // The first start, or a note that was cut off: everything counts from now.
    }
    for (const { name } of this.#schedules) this.#last[name] ??= now;
    await this.#save();
    this.#timer = setInterval(() => void this.tick(Date.now()), TICK_MS);
    this.#timer.unref();
  }

  /** Uses these schedules from now on. */
  deploy(schedules: readonly ScheduleSpec[], now: number): void {
    this.#schedules = schedules;
    for (const { name } of schedules) this.#last[name] ??= now;
  }

  /** Calls what is due, one after the other; done when all have answered. @param now Milliseconds of the epoch. */
  tick(now: number): Promise<void> {
    // Never two at a time: a function may take longer than the time between two looks.
    this.#running = this.#callDue(this.#running, now);
    return this.#running;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #callDue(before: Promise<void>, now: number): Promise<void> {
    await before;
    for (const schedule of this.#schedules) {
      if (now - (this.#last[schedule.name] ?? now) < schedule.everyMs) continue;
      this.#last[schedule.name] = now;
      await this.#save();
      await this.#call(schedule, now);
    }
  }

  async #call(schedule: ScheduleSpec, now: number): Promise<void> {
    const event = schedule.input ?? {
      version: '0',
      id: randomUUID(),
      'detail-type': 'Scheduled Event',
      source: 'aws.events',
      account: ACCOUNT,
      time: new Date(now).toISOString(),
      region: REGION,
      resources: [`arn:aws:events:${REGION}:${ACCOUNT}:rule/${schedule.name}`],
      detail: {},
    };
    try {
      const options = { traceId: newTraceId() };
      const result = await this.#lambda.invoke(schedule.functionName, jsonPayload(event), options);
      if (result.kind === 'streamed') result.body.resume();
    } catch (error) {
      // As on AWS: the next time will do.
      this.#log.error(`The schedule ${schedule.name} failed.`, error);
    }
  }

  async #save(): Promise<void> {
    try {
      await writePrivate(this.#path, JSON.stringify(this.#last));
    } catch (error) {
      this.#log.warn(`When schedules ran cannot be noted: ${String(error)}`);
    }
  }
}
