import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { QueueSpec } from '../assembly/index.ts';
import { ServiceError } from '../json-api.ts';
import { writePrivate } from '../state.ts';

/** One queue, each message a file: what a service that is started again goes on with. */

export interface Message {
  id: string;
  body: string;
  /** Milliseconds of the epoch, as all times here. */
  sent: number;
  /** How often it was received. */
  receives: number;
  firstReceived: number | null;
  /** Before that nobody receives it. */
  visible: number;
  /** Of the last time it was received: who has it may delete or postpone the message. */
  receipt: string | null;
}

export class Queue {
  spec: QueueSpec;
  readonly #folder: string;
  readonly #messages = new Map<string, Message>();

  private constructor(spec: QueueSpec, folder: string) {
    this.spec = spec;
    this.#folder = folder;
  }

  /** Opens the one that is in `folder`; a message whose file is damaged is removed. */
  static async open(spec: QueueSpec, folder: string): Promise<Queue> {
    const queue = new Queue(spec, folder);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const found: Message[] = [];
    for (const file of await readdir(folder)) {
      if (!file.endsWith('.json')) continue;
      try {
        found.push(JSON.parse(await readFile(join(folder, file), 'utf8')) as Message);
      } catch {
        // Written whole or not at all: this one is of no use to anybody.
        await rm(join(folder, file), { force: true });
      }
    }
    for (const message of found.sort((a, b) => a.sent - b.sent)) queue.#messages.set(message.id, message);
    return queue;
  }

  /** @returns id of the message */
  async send(body: string, now: number, delayMs = this.spec.delayMs): Promise<string> {
    const id = randomUUID();
    const visible = now + delayMs;
    await this.#put({ id, body, sent: now, receives: 0, firstReceived: null, visible, receipt: null });
    return id;
  }

  /**
   * Some of the messages that can be seen; for a while nobody else sees them. One that was received too often goes to
   * `dead` instead.
   */
  async receive(
    most: number,
    now: number,
    { visibilityMs = this.spec.visibilityMs, dead }: { visibilityMs?: number; dead?: Queue | undefined } = {},
  ): Promise<Message[]> {
    const { redrive, retentionMs } = this.spec;
    const received: Message[] = [];
    // The map itself and no copy: while a file is being written others may receive what is there.
    for (const message of this.#messages.values()) {
      if (received.length === most) break;
      if (message.visible > now) continue;
      // What is to be done with a message is decided before anything is waited for: nobody else gets it meanwhile.
      if (message.sent + retentionMs <= now) await this.#remove(message);
      else if (redrive !== null && dead !== undefined && message.receives >= redrive.maxReceives) {
        await this.#orAsItWas(message, async () => {
          this.#messages.delete(message.id);
          // First there, then not here: a crash between the two loses nothing.
          await dead.#put({ ...message, visible: now, receives: 0, receipt: null });
          await this.#remove(message);
        });
      } else {
        const next: Message = {
          ...message,
          receives: message.receives + 1,
          firstReceived: message.firstReceived ?? now,
          visible: now + visibilityMs,
          receipt: `${message.id}.${randomUUID()}`,
        };
        await this.#orAsItWas(message, async () => {
          this.#messages.set(message.id, next);
          await this.#put(next);
        });
        received.push(next);
      }
    }
    return received;
  }

  /** One that is deleted already is no fault. @throws ServiceError */
  async delete(receipt: string): Promise<void> {
    const message = this.#find(receipt);
    if (message) await this.#remove(message);
  }

  /** @throws ServiceError */
  async changeVisibility(receipt: string, now: number, visibilityMs: number): Promise<void> {
    const message = this.#find(receipt);
    if (!message) throw new ServiceError('MessageNotInflight', 'There is no such message.');
    await this.#put({ ...message, visible: now + visibilityMs });
  }

  /** As if it had not been received: who had it was ended before the work was done. */
  async giveBack(receipt: string, now: number): Promise<void> {
    const message = this.#find(receipt);
    if (!message) return;
    await this.#put({ ...message, receives: message.receives - 1, visible: now, receipt: null });
  }

  /** When there will be something to receive; null: nothing is there. */
  nextVisible(): number | null {
    let next: number | null = null;
    for (const { visible } of this.#messages.values()) next = Math.min(next ?? visible, visible);
    return next;
  }

  /** How many can be seen, and how many cannot: yet, or because somebody has them. */
  count(now: number): { visible: number; delayed: number; inFlight: number } {
    const counts = { visible: 0, delayed: 0, inFlight: 0 };
    for (const { visible, receipt } of this.#messages.values()) {
      counts[visible <= now ? 'visible' : receipt === null ? 'delayed' : 'inFlight'] += 1;
    }
    return counts;
  }

  /** The message, for who received it last; undefined when it is gone, or was received by another. */
  #find(receipt: string): Message | undefined {
    const [id = '', rest] = receipt.split('.');
    if (rest === undefined) throw new ServiceError('ReceiptHandleIsInvalid', `${receipt} is no receipt.`);
    const message = this.#messages.get(id);
    return message?.receipt === receipt ? message : undefined;
  }

  /** Does something with a message, which is as it was when that fails. */
  async #orAsItWas(message: Message, action: () => Promise<void>): Promise<void> {
    try {
      await action();
    } catch (error) {
      this.#messages.set(message.id, message);
      throw error;
    }
  }

  async #put(message: Message): Promise<void> {
    await writePrivate(this.#path(message), JSON.stringify(message));
    this.#messages.set(message.id, message);
  }

  async #remove(message: Message): Promise<void> {
    this.#messages.delete(message.id);
    await rm(this.#path(message), { force: true });
  }

  #path({ id }: Message): string {
    return join(this.#folder, `${id}.json`);
  }
}
