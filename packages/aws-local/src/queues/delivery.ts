import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EventSourceSpec, REGION } from '../assembly/index.ts';
import { invokeWithJson, type Lambda } from '../lambda/index.ts';
import type { Logger } from '../log.ts';
import type { Message, Queue } from './queue.ts';

/** Calls a function with the messages of a queue, as Lambda's event source mapping does. */

/** Maximum concurrent calls of one function on a laptop. */
const CONCURRENCY = 2;
/** Milliseconds between two attempts to write to a full disk. */
const WAIT_FOR_DISK_MS = 10_000;
/** Longest delay of a timer. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export interface DeliverySettings {
  lambda: Pick<Lambda, 'invoke'>;
  log: Logger;
}

export class Delivery {
  readonly #source: EventSourceSpec;
  readonly #queue: Queue;
  readonly #dead: () => Queue | undefined;
  readonly #settings: DeliverySettings;
  readonly #abort = new AbortController();
  readonly #running = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;

  /** @param dead queue for messages that were received too often */
  constructor(
    source: EventSourceSpec,
    queue: Queue,
    dead: () => Queue | undefined,
    settings: DeliverySettings,
  ) {
    this.#source = source;
    this.#queue = queue;
    this.#dead = dead;
    this.#settings = settings;
  }

  /** Has to be called when a message was added or its visibility changed. */
  wake(): void {
    clearTimeout(this.#timer);
    const next = this.#queue.nextVisible();
    if (next === null || this.#abort.signal.aborted || this.#running.size >= CONCURRENCY) return;
    const wait = Math.min(Math.max(0, next - Date.now()), LONGEST_TIMER_MS);
    this.#timer = setTimeout(() => this.#begin(), wait);
    this.#timer.unref();
  }

  /** Stops calling the function, and returns the messages of running calls to the queue. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#abort.abort();
    await Promise.all(this.#running);
  }

  #begin(): void {
    const running = this.#deliver().finally(() => {
      this.#running.delete(running);
      this.wake();
    });
    this.#running.add(running);
  }

  async #deliver(): Promise<void> {
    const { signal } = this.#abort;
    try {
      const messages = await this.#queue.receive(this.#source.batchSize, Date.now(), { dead: this.#dead() });
      // There may be more messages than one call takes.
      this.wake();
      if (messages.length > 0) await this.#call(messages, signal);
    } catch (error) {
      // The disk is probably full: messages that cannot be deleted are delivered again.
      this.#settings.log.error(
        `The queue ${this.#queue.spec.name} cannot note where it is, and waits.`,
        error,
      );
      await sleep(WAIT_FOR_DISK_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  async #call(messages: readonly Message[], signal: AbortSignal): Promise<void> {
    const { functionName, reportsFailures } = this.#source;
    let failed: ReadonlySet<string>;
    try {
      const event = { Records: messages.map((message) => this.#record(message)) };
      const answer = await invokeWithJson(this.#settings.lambda, functionName, event, signal);
      failed = reportsFailures ? failures(answer, messages) : new Set();
    } catch (error) {
      if (signal.aborted) {
        for (const { receipt } of messages) await this.#queue.giveBack(receipt ?? '', Date.now());
        return;
      }
      this.#settings.log.warn(`${functionName} failed with messages, which come again: ${String(error)}`);
      return;
    }
    for (const { id, receipt } of messages) if (!failed.has(id)) await this.#queue.delete(receipt ?? '');
  }

  #record({ id, body, receipt, receives, sent, firstReceived }: Message): object {
    return {
      messageId: id,
      receiptHandle: receipt,
      body,
      attributes: {
        ApproximateReceiveCount: String(receives),
        SentTimestamp: String(sent),
        ApproximateFirstReceiveTimestamp: String(firstReceived),
      },
      messageAttributes: {},
      md5OfBody: md5(body),
      eventSource: 'aws:sqs',
      eventSourceARN: this.#queue.spec.arn,
      awsRegion: REGION,
    };
  }
}

/** Returns the MD5 hash that SDKs verify; it is not used for security. */
export function md5(text: string): string {
  return createHash('md5').update(text).digest('hex');
}

/**
 * Returns the ids of messages to deliver again. As on AWS, an unknown id or an invalid result means all
 * messages.
 */
function failures(answer: unknown, messages: readonly Message[]): Set<string> {
  const all = new Set(messages.map(({ id }) => id));
  const named = (answer as { batchItemFailures?: unknown } | null)?.batchItemFailures ?? [];
  if (!Array.isArray(named)) return all;
  const ids = named.map((item: { itemIdentifier?: unknown } | null) => item?.itemIdentifier);
  return ids.every((id) => typeof id === 'string' && all.has(id)) ? new Set(ids as string[]) : all;
}
