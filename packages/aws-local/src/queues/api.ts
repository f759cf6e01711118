import { JsonApi, unsupportedAction, ServiceError } from '../json-api.ts';
import { queueArn } from '../assembly/index.ts';
import type { Access } from '../iam/access.ts';
import { md5 } from './delivery.ts';
import type { Message, Queues } from './index.ts';

/**
 * The part of SQS's API that functions use, and people who inspect dead letters. The SDK finds it by
 * AWS_ENDPOINT_URL_SQS.
 */

interface Order {
  QueueUrl?: string;
  MessageBody?: string;
  DelaySeconds?: number;
  MaxNumberOfMessages?: number;
  ReceiptHandle?: string;
  VisibilityTimeout?: number;
}

/** SQS's limit in seconds. */
const LONGEST_DELAY = 900;
const LONGEST_VISIBILITY = 43_200;

export async function listenForQueues(access: Access): Promise<JsonApi<Queues, Order>> {
  return await JsonApi.listen(access, {
    target: 'AmazonSQS',
    needs: (action, { QueueUrl = '' }) => [{ action: `sqs:${action}`, resource: queueArn(QueueUrl) }],
    answer,
  });
}

async function answer(queues: Queues, action: string, order: Order): Promise<object> {
  const { QueueUrl: url = '', ReceiptHandle: receipt = '' } = order;
  switch (action) {
    case 'SendMessage': {
      const { MessageBody = '', DelaySeconds } = order;
      if (MessageBody === '') throw new ServiceError('MissingParameter', 'There is no MessageBody.');
      const id = await queues.send(url, MessageBody, within('DelaySeconds', DelaySeconds, 0, LONGEST_DELAY));
      return { MessageId: id, MD5OfMessageBody: md5(MessageBody) };
    }
    case 'ReceiveMessage': {
      const most = within('MaxNumberOfMessages', order.MaxNumberOfMessages, 1, 10) ?? 1;
      const visibility = within('VisibilityTimeout', order.VisibilityTimeout, 0, LONGEST_VISIBILITY);
      return { Messages: (await queues.receive(url, most, visibility)).map(messageJson) };
    }
    case 'DeleteMessage':
      await queues.delete(url, receipt);
      return {};
    case 'ChangeMessageVisibility': {
      const seconds = within('VisibilityTimeout', order.VisibilityTimeout, 0, LONGEST_VISIBILITY);
      if (seconds === undefined) throw new ServiceError('MissingParameter', 'There is no VisibilityTimeout.');
      await queues.changeVisibility(url, receipt, seconds);
      return {};
    }
    case 'GetQueueAttributes': {
      const { visible, delayed, inFlight } = queues.count(url);
      return {
        Attributes: {
          ApproximateNumberOfMessages: String(visible),
          ApproximateNumberOfMessagesDelayed: String(delayed),
          ApproximateNumberOfMessagesNotVisible: String(inFlight),
        },
      };
    }
    default:
      throw unsupportedAction(action);
  }
}

function messageJson({ id, receipt, body, receives, sent }: Message): object {
  return {
    MessageId: id,
    ReceiptHandle: receipt,
    Body: body,
    MD5OfBody: md5(body),
    Attributes: { ApproximateReceiveCount: String(receives), SentTimestamp: String(sent) },
  };
}

/** @throws ServiceError for a value that SQS refuses */
function within(name: string, value: number | undefined, least: number, most: number): number | undefined {
  if (value !== undefined && !(Number.isInteger(value) && value >= least && value <= most)) {
    throw new ServiceError('InvalidParameterValue', `${name} must be from ${least} to ${most}.`);
  }
  return value;
}
