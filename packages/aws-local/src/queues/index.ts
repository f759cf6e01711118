import { join } from 'node:path';
import type { EventSourceSpec, QueueSpec } from '../assembly/index.ts';
import { ServiceError } from '../json-api.ts';
import type { Lambda } from '../lambda/index.ts';
import type { Logger } from '../log.ts';
import { Delivery } from './delivery.ts';
import { type Message, Queue } from './queue.ts';

export type { Message } from './queue.ts';

/**
 * Amazon SQS on this machine: the queues of an assembly, and the functions that are called with their
 * messages.
 */

export interface QueuesSettings {
  /** Folder of the messages. */
  folder: string;
  lambda: Pick<Lambda, 'invoke'>;
  /** Factor for requested visibility timeouts; tests use a small one. */
  pauseFactor?: number | undefined;
  log: Logger;
}

export class Queues {
  readonly #settings: QueuesSettings;
  readonly #queues = new Map<string, Queue>();
  #deliveries: Delivery[] = [];

  constructor(settings: QueuesSettings) {
    this.#settings = settings;
  }

  /** Uses these queues from now on, and continues with the existing messages. */
  async deploy(specs: readonly QueueSpec[], sources: readonly EventSourceSpec[]): Promise<void> {
    await this.close();
    const known = new Map(this.#queues);
    this.#queues.clear();
    for (const spec of specs) {
      const queue = known.get(spec.arn) ?? (await Queue.open(spec, join(this.#settings.folder, spec.name)));
      queue.spec = spec;
      this.#queues.set(spec.arn, queue);
    }
    for (const source of sources) {
      const queue = this.#queues.get(source.queueArn);
      if (queue)
        this.#deliveries.push(new Delivery(source, queue, () => this.#deadOf(queue), this.#settings));
    }
    this.#wake();
  }

  /** @returns id of the message @throws ServiceError */
  async send(url: string, body: string, delaySeconds?: number): Promise<string> {
    const delayMs = delaySeconds === undefined ? undefined : this.#pause(delaySeconds);
    const id = await this.#at(url).send(body, Date.now(), delayMs);
    this.#wake();
    return id;
  }

  /** @throws ServiceError */
  async receive(url: string, most: number, visibilitySeconds?: number): Promise<Message[]> {
    const queue = this.#at(url);
    const visibilityMs = visibilitySeconds === undefined ? {} : { visibilityMs: visibilitySeconds * 1000 };
    return await queue.receive(most, Date.now(), { ...visibilityMs, dead: this.#deadOf(queue) });
  }

  /** @throws ServiceError */
  async delete(url: string, receipt: string): Promise<void> {
    await this.#at(url).delete(receipt);
  }

  /** @throws ServiceError */
  async changeVisibility(url: string, receipt: string, seconds: number): Promise<void> {
    await this.#at(url).changeVisibility(receipt, Date.now(), this.#pause(seconds));
    this.#wake();
  }

  /** @throws ServiceError */
  count(url: string): { visible: number; delayed: number; inFlight: number } {
    return this.#at(url).count(Date.now());
  }

  /** Stops calling functions; unfinished messages are delivered after the next start. */
  async close(): Promise<void> {
    await Promise.all(this.#deliveries.splice(0).map((delivery) => delivery.close()));
  }

  #wake(): void {
    for (const delivery of this.#deliveries) delivery.wake();
  }

  #pause(seconds: number): number {
    return seconds * 1000 * (this.#settings.pauseFactor ?? 1);
  }

  #deadOf({ spec }: Queue): Queue | undefined {
    return spec.redrive === null ? undefined : this.#queues.get(spec.redrive.arn);
  }

  #at(url: string): Queue {
    for (const queue of this.#queues.values()) if (queue.spec.url === url) return queue;
    throw new ServiceError('QueueDoesNotExist', `There is no queue ${url}.`);
  }
}
