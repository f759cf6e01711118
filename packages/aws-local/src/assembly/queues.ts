import { physicalName, queueUrl, type Resolver } from './resolver.ts';
import { AssemblyError } from './template.ts';

/** A queue defined in the stacks. */
export interface QueueSpec {
  name: string;
  arn: string;
  url: string;
  /** Milliseconds for which a received message is invisible to others. */
  visibilityMs: number;
  delayMs: number;
  retentionMs: number;
  /** The queue that receives a message after too many unsuccessful attempts. */
  redrive: { arn: string; maxReceives: number } | null;
}

/** A function that is called with the messages of a queue. */
export interface EventSourceSpec {
  queueArn: string;
  functionName: string;
  /** Maximum messages of one call. */
  batchSize: number;
  /**
   * The function reports which messages failed; otherwise all messages of a call succeed or fail together.
   */
  reportsFailures: boolean;
}

/** @throws AssemblyError for a FIFO queue, which is not supported here */
export function readQueues(resolver: Resolver): QueueSpec[] {
  return ofType(resolver, 'AWS::SQS::Queue').map(([id, properties]) => {
    const name = physicalName(resolver, id);
    if (properties['FifoQueue'] === true) {
      throw new AssemblyError(`The queue ${name} keeps an order: the local service has no such queues.`);
    }
    const seconds = (property: string, otherwise: number): number =>
      Number(resolver.value(properties[property] ?? otherwise)) * 1000;
    const redrive = properties['RedrivePolicy'] as
      { deadLetterTargetArn: unknown; maxReceiveCount: unknown } | undefined;
    return {
      name,
      arn: resolver.text({ 'Fn::GetAtt': [id, 'Arn'] }),
      url: queueUrl(name),
      // SQS's default.
      visibilityMs: seconds('VisibilityTimeout', 30),
      delayMs: seconds('DelaySeconds', 0),
      retentionMs: seconds('MessageRetentionPeriod', 345_600),
      redrive: redrive
        ? {
            arn: resolver.text(redrive.deadLetterTargetArn),
            maxReceives: Number(resolver.value(redrive.maxReceiveCount)),
          }
        : null,
    };
  });
}

/** @throws AssemblyError for a source other than a queue */
export function readEventSources(resolver: Resolver): EventSourceSpec[] {
  return ofType(resolver, 'AWS::Lambda::EventSourceMapping')
    .filter(([, { Enabled }]) => Enabled !== false)
    .map(([, properties]) => {
      const queueArn = resolver.text(properties['EventSourceArn']);
      const functionName = resolver.text(properties['FunctionName']).split(':').at(-1) ?? '';
      if (!queueArn.startsWith('arn:aws:sqs:')) {
        throw new AssemblyError(
          `${functionName} is called by ${queueArn}: the local service knows queues only.`,
        );
      }
      const types = (properties['FunctionResponseTypes'] ?? []) as string[];
      return {
        queueArn,
        functionName,
        batchSize: Number(resolver.value(properties['BatchSize'] ?? 10)),
        reportsFailures: types.includes('ReportBatchItemFailures'),
      };
    });
}

function ofType(resolver: Resolver, type: string): [string, Record<string, unknown>][] {
  return Object.entries(resolver.template.resources)
    .filter(([, resource]) => resource.Type === type)
    .map(([id, { Properties = {} }]) => [id, Properties]);
}
