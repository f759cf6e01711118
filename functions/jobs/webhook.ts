import { ChangeMessageVisibilityCommand, SQSClient } from '@aws-sdk/client-sqs';
import { createFetcher } from '@platen/print/fetcher';
import { setLogLevel } from '../shared/log.ts';
import { JobStore } from '../shared/store/jobs.ts';
import { webhookSecret } from './webhook-secrets.ts';
import { readWebhookConfig } from './config.ts';
import { type MessagesLeft, type QueueMessage, workOnMessages } from './messages.ts';

/** The function that calls receivers. It may reach the addresses that callers choose, and has few rights. */
const config = readWebhookConfig();
setLogLevel(config.logLevel);

const store = new JobStore({ table: config.jobsTable, bucket: '', lifetime: 0 });
const fetcher = createFetcher({ outside: 'open', isAllowedAddress: config.isCallbackAddress });
const sqs = new SQSClient({
  // The endpoint is that of the region or the configured one, and never derived from the queue's name.
  useQueueUrlAsEndpoint: false,
  requestHandler: { connectionTimeout: 2_000, requestTimeout: 3_000, throwOnRequestTimeout: true },
});

async function postpone(receiptHandle: string, seconds: number): Promise<void> {
  const { webhookQueue: QueueUrl } = config;
  await sqs.send(
    new ChangeMessageVisibilityCommand({
      QueueUrl,
      ReceiptHandle: receiptHandle,
      VisibilityTimeout: seconds,
    }),
  );
}

export async function handler({ Records }: { Records: QueueMessage[] }): Promise<MessagesLeft> {
  const secret = (tenant: string): Promise<string> => webhookSecret(config.jobsTable, tenant);
  return await workOnMessages(Records, { store, fetcher, secret, postpone });
}
