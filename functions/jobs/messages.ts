import { CALLBACK_PAUSES, MAX_CALLS } from '@platen/contract/callbacks';
import { log } from '../shared/log.ts';
import { type JobReference, notifyReceiver, type Notifying } from './notify.ts';

/** What SQS hands to the function, and what it wants to know. */

/** Its body is a JobReference, as lib/job-definition.ts sends it. */
export interface QueueMessage {
  messageId: string;
  receiptHandle: string;
  body: string;
  attributes: { ApproximateReceiveCount: string };
}

/** Messages that are not named are deleted from the queue. */
export interface MessagesLeft {
  batchItemFailures: { itemIdentifier: string }[];
}

export interface Receiving extends Notifying {
  /** Has a message come back after so many seconds. */
  postpone: (receiptHandle: string, seconds: number) => Promise<void>;
}

/** One call for each message, side by side. One that was not taken comes back when its pause is over. */
export async function workOnMessages(
  messages: readonly QueueMessage[],
  services: Receiving,
): Promise<MessagesLeft> {
  const done = await Promise.all(messages.map((message) => workOn(message, services)));
  const left = messages.filter((_, index) => done[index] !== true);
  return { batchItemFailures: left.map(({ messageId }) => ({ itemIdentifier: messageId })) };
}

/** @returns whether the message has done its work */
async function workOn(message: QueueMessage, services: Receiving): Promise<boolean> {
  const call = Number(message.attributes.ApproximateReceiveCount);
  try {
    const job = JSON.parse(message.body) as JobReference;
    if (await notifyReceiver(job, { ...services, last: call >= MAX_CALLS })) return true;
    // After the last one it comes back at once, which makes it a dead letter.
    await services.postpone(message.receiptHandle, CALLBACK_PAUSES[call - 1] ?? 0);
  } catch (error) {
    // A fault of ours: the message comes back when the queue's own time is up. The others are none the worse for it.
    log.error('message', { id: message.messageId, call, error: String(error) });
  }
  return false;
}
