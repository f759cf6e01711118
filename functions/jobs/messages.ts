import { CALLBACK_PAUSES, MAX_CALLS } from '@platen/contract/callbacks';
import { log } from '../shared/log.ts';
import { type JobReference, notifyReceiver, type Notifying } from './notify.ts';

/** The messages that SQS passes to the function, and the answer that it expects. */

/** Its body is a JobReference, as lib/job-definition.ts sends it. */
export interface QueueMessage {
  messageId: string;
  receiptHandle: string;
  body: string;
  attributes: { ApproximateReceiveCount: string };
}

/** The messages that failed; SQS deletes all others from the queue. */
export interface MessagesLeft {
  batchItemFailures: { itemIdentifier: string }[];
}

export interface Receiving extends Notifying {
  /** Makes a message visible again after so many seconds. */
  postpone: (receiptHandle: string, seconds: number) => Promise<void>;
}

/** Makes the call of each message, in parallel. A message whose call failed returns after a pause. */
export async function workOnMessages(
  messages: readonly QueueMessage[],
  services: Receiving,
): Promise<MessagesLeft> {
  const done = await Promise.all(messages.map((message) => workOn(message, services)));
  const left = messages.filter((_, index) => done[index] !== true);
  return { batchItemFailures: left.map(({ messageId }) => ({ itemIdentifier: messageId })) };
}

/** @returns whether the message can be deleted */
async function workOn(message: QueueMessage, services: Receiving): Promise<boolean> {
  const call = Number(message.attributes.ApproximateReceiveCount);
  try {
    const job = JSON.parse(message.body) as JobReference;
    if (await notifyReceiver(job, { ...services, last: call >= MAX_CALLS })) return true;
    // After the last attempt it returns at once, and the queue moves it to the dead letters.
    await services.postpone(message.receiptHandle, CALLBACK_PAUSES[call - 1] ?? 0);
  } catch (error) {
    // An internal error: the message returns after the queue's visibility timeout. It does not affect the others.
    log.error('message', { id: message.messageId, call, error: String(error) });
  }
  return false;
}
