import { Duration } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { MAX_CALLS } from '@platen/contract/callbacks';

/** Calls that one invocation makes concurrently. */
const BATCH_SIZE = 5;
/** AWS recommends this factor, which lets Lambda retry when it is throttled. */
const TIMEOUTS_UNTIL_VISIBLE = 6;

export interface WebhookQueueProps {
  /** The timeout of the function that receives the messages. */
  timeoutSeconds: number;
  /** The operator's key; a key of SQS when absent. */
  key: IKey | undefined;
  /** Invocations of the function at the same time; without a limit, a full queue takes the concurrency of the account. */
  concurrency: number;
}

/** The queue of receivers to call; messages that no receiver accepted are kept separately for two weeks. */
export class WebhookQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;
  private readonly concurrency: number;

  constructor(scope: Construct, id: string, { timeoutSeconds, key, concurrency }: WebhookQueueProps) {
    super(scope, id);
    this.concurrency = concurrency;
    const secured = {
      ...(key === undefined
        ? { encryption: QueueEncryption.SQS_MANAGED }
        : { encryption: QueueEncryption.KMS, encryptionMasterKey: key }),
      enforceSSL: true,
    };
    this.deadLetters = new Queue(this, 'DeadLetters', {
      ...secured,
      retentionPeriod: Duration.days(14),
    });
    this.queue = new Queue(this, 'Queue', {
      ...secured,
      visibilityTimeout: Duration.seconds(timeoutSeconds * TIMEOUTS_UNTIL_VISIBLE),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: MAX_CALLS },
    });
  }

  /** Calls a function with the messages and permits it to receive, delay and delete them. */
  deliverTo(receiver: IFunction): void {
    receiver.addEventSource(
      new SqsEventSource(this.queue, {
        batchSize: BATCH_SIZE,
        reportBatchItemFailures: true,
        maxConcurrency: this.concurrency,
      }),
    );
  }
}
