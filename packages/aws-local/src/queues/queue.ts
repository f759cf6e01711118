import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { QueueSpec } from '../assembly/index.ts';
import { ServiceError } from '../json-api.ts';
import { writePrivate } from '../state.ts';

/** One queue, with each message in a file, so that a restarted service can continue. */

export interface Message {
  id: string;
  body: string;
  /** Milliseconds of the epoch, as all times here. */
  sent: number;
  /** Number of times it was received. */
  receives: number;
  firstReceived: number | null;
  /** Time before which it cannot be received. */
  visible: number;
  /** Handle of the last receipt, which allows its holder to delete or postpone the message. */
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

  /** Opens the queue in `folder`; it deletes messages whose file is damaged. */
  static async open(spec: QueueSpec, folder: string): Promise<Queue> {
    const queue = new Queue(spec, folder);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const found: Message[] = [];
    for (const file of await readdir(folder)) {
      if (!file.endsWith('.json')) continue;
      try {
        found.push(JSON.parse(await readFile(join(folder, file), 'utf8')) as Message);
      } catch {
        // Files are written atomically, so a damaged one is useless.
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
   * Returns some visible messages and hides them for a while. A message that was received too often moves to
   * `dead`.
   */
  async receive(
    most: number,
    now: number,
    { visibilityMs = this.spec.visibilityMs, dead }: { visibilityMs?: number; dead?: Queue | undefined } = {},
  ): Promise<Message[]> {
    const { redrive, retentionMs } = this.spec;
    const received: Message[] = [];
    // The map is not copied: while a file is being written, other calls may receive messages.
    for (const message of this.#messages.values()) {
      if (received.length === most) break;
      if (message.visible > now) continue;
      // The state of a message changes before anything is awaited, so that no other call receives it
      // meanwhile.
      if (message.sent + retentionMs <= now) await this.#remove(message);
      else if (redrive !== null && dead !== undefined && message.receives >= redrive.maxReceives) {
        await this.#orAsItWas(message, async () => {
          this.#messages.delete(message.id);
          // The message is written there before it is removed here, so that a crash between the two loses
          // nothing.
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

  /** Deletes a message; it succeeds when the message is already deleted. @throws ServiceError */
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

  /** Undoes a receipt: its holder was ended before the work was done. */
  async giveBack(receipt: string, now: number): Promise<void> {
    const message = this.#find(receipt);
    if (!message) return;
    await this.#put({ ...message, receives: message.receives - 1, visible: now, receipt: null });
  }

  /** Returns the time at which a message becomes visible; null when the queue is empty. */
  nextVisible(): number | null {
    let next: number | null = null;
    for (const { visible } of this.#messages.values()) next = Math.min(next ?? visible, visible);
    return next;
  }

  /** Returns the numbers of visible, delayed and received messages. */
  count(now: number): { visible: number; delayed: number; inFlight: number } {
    const counts = { visible: 0, delayed: 0, inFlight: 0 };
    for (const { visible, receipt } of this.#messages.values()) {
      counts[visible <= now ? 'visible' : receipt === null ? 'delayed' : 'inFlight'] += 1;
    }
    return counts;
  }

  /** Returns the message for its last receiver; undefined when it is deleted, or was received again. */
  #find(receipt: string): Message | undefined {
    const [id = '', rest] = receipt.split('.');
    if (rest === undefined) throw new ServiceError('ReceiptHandleIsInvalid', `${receipt} is no receipt.`);
    const message = this.#messages.get(id);
    return message?.receipt === receipt ? message : undefined;
  }

  /** Runs an action on a message, and restores the message's state when the action fails. */
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
