import { Duration } from 'aws-cdk-lib';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { MAX_CALLS } from '../../functions/shared/contract/callbacks.ts';

/** Calls that one invocation makes side by side. */
const BATCH_SIZE = 5;
/** AWS asks for it: room for Lambda to try again when it is busy. */
const TIMEOUTS_UNTIL_VISIBLE = 6;

export interface WebhookQueueProps {
  name: string;
  /** Of the function that receives. */
  timeoutSeconds: number;
}

/** Says whose receiver is to be called; what no receiver took is kept apart for two weeks. */
export class WebhookQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, { name, timeoutSeconds }: WebhookQueueProps) {
    super(scope, id);
    const secured = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true };
    this.deadLetters = new Queue(this, 'DeadLetters', {
      ...secured,
      queueName: `${name}-dead`,
      retentionPeriod: Duration.days(14),
    });
    this.queue = new Queue(this, 'Queue', {
      ...secured,
      queueName: name,
      visibilityTimeout: Duration.seconds(timeoutSeconds * TIMEOUTS_UNTIL_VISIBLE),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: MAX_CALLS },
    });
  }

  /** Has a function called with the messages; it gets the rights to receive, postpone and delete them. */
  deliverTo(receiver: LambdaFunction): void {
    receiver.addEventSource(
      new SqsEventSource(this.queue, { batchSize: BATCH_SIZE, reportBatchItemFailures: true }),
    );
  }
}
