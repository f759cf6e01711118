import { describe, expect, test } from 'vitest';
import { MAX_CALLS } from '../../packages/contract/src/callbacks.ts';
import { idIn, lambdas, type Resource, resources, synthesize, type Value } from './support.ts';

/** The queue of webhooks, its dead letters, and who may do what with them. */

interface QueueProperties {
  QueueName?: string;
  SqsManagedSseEnabled: boolean;
  VisibilityTimeout?: number;
  MessageRetentionPeriod?: number;
  RedrivePolicy?: { deadLetterTargetArn: Value; maxReceiveCount: number };
}
interface Statement {
  Effect: string;
  Action: string | string[];
  Resource: Value | Value[];
  Condition?: unknown;
}

const { api } = synthesize();
const queues = resources<QueueProperties>(api, 'AWS::SQS::Queue');
function queue(name: string): [string, Resource<QueueProperties>] {
  const found = queues.find(([logical]) => logical.startsWith(name));
  if (found === undefined) throw new Error(`there is no queue ${name}`);
  return found;
}
const [id, { Properties: webhooks }] = queue('WebhooksQueue');
const [deadId, { Properties: dead }] = queue('WebhooksDeadLetters');

describe('the queue of webhooks', () => {
  test('is two, both encrypted and reached by TLS alone', () => {
    expect(queues).toHaveLength(2);
    const policies = resources<{ Queues: Value[]; PolicyDocument: { Statement: Statement[] } }>(
      api,
      'AWS::SQS::QueuePolicy',
    );
    for (const [name, { Properties }] of queues) {
      expect(Properties.SqsManagedSseEnabled).toBe(true);
      const policy = policies.find(([, { Properties: own }]) => idIn(own.Queues) === name)?.[1].Properties;
      expect(policy?.PolicyDocument.Statement).toMatchObject([
        { Effect: 'Deny', Action: 'sqs:*', Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
      ]);
    }
  });

  test('has no name of its own: SQS would refuse it for a minute after the stack was removed', () => {
    expect(queues.filter(([, { Properties }]) => Properties.QueueName !== undefined)).toEqual([]);
    const outputs = api.toJSON()['Outputs'] as Record<string, { Value: Value }>;
    expect(idIn(outputs['DeadLetterQueue']?.Value)).toBe(deadId);
  });

  test('makes a dead letter, for two weeks, of a message that was received once for each call', () => {
    expect(idIn(webhooks.RedrivePolicy?.deadLetterTargetArn)).toBe(deadId);
    expect(webhooks.RedrivePolicy?.maxReceiveCount).toBe(MAX_CALLS);
    expect(dead.MessageRetentionPeriod).toBe(14 * 24 * 60 * 60);
  });

  test('is delivered to the function that calls, with enough time, which reports failed messages', () => {
    const [name, { Timeout }] = lambdas(api).get('webhook') ?? ['', { Timeout: 0 }];
    const sources = resources<Record<string, unknown>>(api, 'AWS::Lambda::EventSourceMapping');
    expect(sources).toHaveLength(1);
    const source = sources[0]?.[1].Properties;
    expect(source).toMatchObject({ BatchSize: 5, FunctionResponseTypes: ['ReportBatchItemFailures'] });
    expect(idIn(source?.['EventSourceArn'])).toBe(id);
    expect(idIn(source?.['FunctionName'])).toBe(name);
    expect(webhooks.VisibilityTimeout).toBe(6 * Timeout);
  });

  test('takes a small part of the account’s concurrency, however many messages wait', () => {
    const scaling = (template: typeof api) =>
      resources<{ ScalingConfig?: unknown }>(template, 'AWS::Lambda::EventSourceMapping').map(
        ([, { Properties }]) => Properties.ScalingConfig,
      );
    expect(scaling(api)).toEqual([{ MaximumConcurrency: 5 }]);
    expect(scaling(synthesize({ webhookConcurrency: 40 }).api)).toEqual([{ MaximumConcurrency: 40 }]);
    expect(() => synthesize({ webhookConcurrency: 1 })).toThrow(/platen:webhookConcurrency/);
  });

  test('accepts messages only from the state machine of jobs', () => {
    const senders = resources<{ Roles: Value[]; PolicyDocument: { Statement: Statement[] } }>(
      api,
      'AWS::IAM::Policy',
    ).flatMap(([, { Properties }]) =>
      Properties.PolicyDocument.Statement.filter(({ Action }) =>
        [Action].flat().includes('sqs:SendMessage'),
      ).map(({ Action, Resource: on }) => ({ Action, on: idIn(on), role: idIn(Properties.Roles) })),
    );
    expect(senders).toMatchObject([{ Action: 'sqs:SendMessage', on: id }]);
    expect(senders[0]?.role).toMatch(/^JobsMachineRole/);
  });
});
