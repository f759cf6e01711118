import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { ACCOUNT, REGION, type ScheduleSpec } from './assembly/index.ts';
import { jsonPayload, type Lambda, newTraceId } from './lambda/index.ts';
import type { Logger } from './log.ts';
import { writePrivate } from './state.ts';

/** Milliseconds between checks for due schedules. */
const TICK_MS = 60_000;
/** Schedules with at most this interval, in milliseconds, are also called at the start. */
const AT_START_MS = 60 * 60_000;

/**
 * Calls functions by the stacks' schedules. The time of the last call is stored in the data directory,
 * because a laptop may never run for as long as an interval.
 */
export class Scheduler {
  readonly #path: string;
  readonly #lambda: Lambda;
  readonly #log: Logger;
  #schedules: readonly ScheduleSpec[];
  #timer: NodeJS.Timeout | undefined;
  #last: Record<string, number> = {};
  #running: Promise<void> = Promise.resolve();

  /** @param path file with the times of the last calls */
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
      // This is the first start, or the file is damaged: every interval begins now.
    }
    // A frequent schedule looks for work that was interrupted, as it is whenever this service ends.
    for (const { name, everyMs } of this.#schedules) {
      if (everyMs <= AT_START_MS) this.#last[name] = now - everyMs;
      else this.#last[name] ??= now;
    }
    await this.#save();
    this.#timer = setInterval(() => void this.tick(Date.now()), TICK_MS);
    this.#timer.unref();
  }

  /** Uses these schedules from now on. */
  deploy(schedules: readonly ScheduleSpec[], now: number): void {
    this.#schedules = schedules;
    for (const { name } of schedules) this.#last[name] ??= now;
  }

  /**
   * Calls the due functions one after the other and waits for their results. @param now milliseconds of the
   * epoch
   */
  tick(now: number): Promise<void> {
    // Calls do not overlap: a function may take longer than the time between two checks.
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
      // As on AWS, the next scheduled call follows regardless.
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
