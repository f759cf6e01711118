import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  PurgeQueueCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EventSourceSpec, QueueSpec } from '../../packages/aws-local/src/assembly/index.ts';
import {
  FunctionError,
  type InvocationResult,
  type Payload,
} from '../../packages/aws-local/src/lambda/index.ts';
import { silentLogger } from '../../packages/aws-local/src/log.ts';
import { Access } from '../../packages/aws-local/src/iam/access.ts';
import { listenForQueues } from '../../packages/aws-local/src/queues/api.ts';
import { Queues } from '../../packages/aws-local/src/queues/index.ts';
import { Queue } from '../../packages/aws-local/src/queues/queue.ts';

/** SQS on a laptop. */

const arn = (name: string) => `arn:aws:sqs:us-east-1:000000000000:${name}`;
const url = (name: string) => `https://sqs.us-east-1.amazonaws.com/000000000000/${name}`;
const spec = (name: string, more: Partial<QueueSpec> = {}): QueueSpec => ({
  name,
  arn: arn(name),
  url: url(name),
  visibilityMs: 60_000,
  delayMs: 0,
  retentionMs: 1_000_000,
  redrive: null,
  ...more,
});
const WORK = spec('work', { redrive: { arn: arn('dead'), maxReceives: 3 } });
const DEAD = spec('dead');
const SOURCE: EventSourceSpec = {
  queueArn: WORK.arn,
  functionName: 'worker',
  batchSize: 2,
  reportsFailures: true,
};

interface Received {
  messageId: string;
  receiptHandle: string;
  body: string;
  attributes: { ApproximateReceiveCount: string };
}

let folder: string;
let calls: Received[][];
/** What the function does with the messages it is called with. */
let act: (messages: Received[]) => Promise<unknown>;
let open: Queues[];

async function queues(sources: EventSourceSpec[] = [SOURCE], specs = [WORK, DEAD]): Promise<Queues> {
  const lambda = {
    invoke: async (_name: string, payload: Payload, { signal }: { signal?: AbortSignal }) => {
      const text = Buffer.concat((await payload.open().toArray()) as Buffer[]).toString();
      const { Records } = JSON.parse(text) as { Records: Received[] };
      calls.push(Records);
      const aborted = new Promise<never>((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason as Error));
      });
      const answer = await Promise.race([act(Records), aborted]);
      return { kind: 'buffered', json: Buffer.from(JSON.stringify(answer ?? null)) } as InvocationResult;
    },
  };
  const all = new Queues({ folder, lambda, pauseFactor: 0.001, log: silentLogger });
  open.push(all);
  await all.deploy(specs, sources);
  return all;
}

const failed = (...messages: Received[]) => ({
  batchItemFailures: messages.map(({ messageId }) => ({ itemIdentifier: messageId })),
});

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-queues-'));
  calls = [];
  open = [];
  act = async () => ({ batchItemFailures: [] });
});
afterEach(async () => {
  await Promise.all(open.map((all) => all.close()));
  await rm(folder, { recursive: true, force: true });
});

describe('a queue', () => {
  it('delivers a message to one receiver at a time, again after its timeout, and not after it is deleted', async () => {
    const queue = await Queue.open(WORK, join(folder, 'one'));
    const id = await queue.send('hello', 0);
    const [first] = await queue.receive(10, 0);
    expect(first).toMatchObject({ id, body: 'hello', receives: 1 });
    expect(await queue.receive(10, 59_999)).toEqual([]);
    const [second] = await queue.receive(10, 60_000);
    expect(second).toMatchObject({ id, receives: 2, firstReceived: 0 });
    // Who has had it too long has no say in it any more.
    await queue.delete(first?.receipt ?? '');
    expect(queue.count(60_000)).toEqual({ visible: 0, delayed: 0, inFlight: 1 });
    await queue.delete(second?.receipt ?? '');
    expect(queue.nextVisible()).toBeNull();
  });

  it('keeps a delayed message to itself until then, and a postponed one too', async () => {
    const queue = await Queue.open(WORK, join(folder, 'one'));
    await queue.send('later', 0, 5_000);
    expect(queue.count(0)).toEqual({ visible: 0, delayed: 1, inFlight: 0 });
    expect(await queue.receive(1, 4_999)).toEqual([]);
    const [message] = await queue.receive(1, 5_000);
    await queue.changeVisibility(message?.receipt ?? '', 5_000, 100_000);
    expect(await queue.receive(1, 104_999)).toEqual([]);
    expect(await queue.receive(1, 105_000)).toHaveLength(1);
  });

  it('gives each message to one of several concurrent readers', async () => {
    const queue = await Queue.open(WORK, join(folder, 'one'));
    await Promise.all(Array.from({ length: 20 }, (_, i) => queue.send(String(i), i)));
    const batches = await Promise.all(Array.from({ length: 5 }, () => queue.receive(10, 100)));
    const bodies = batches.flat().map(({ body }) => body);
    expect(bodies.sort()).toEqual(Array.from({ length: 20 }, (_, i) => String(i)).sort());
  });

  it('makes a dead letter of a message that was received too often, with any number of readers', async () => {
    const queue = await Queue.open(WORK, join(folder, 'one'));
    const dead = await Queue.open(DEAD, join(folder, 'two'));
    const id = await queue.send('poison', 0);
    for (let now = 0; now < 3; now += 1) {
      const [message] = await queue.receive(1, now, { dead });
      await queue.changeVisibility(message?.receipt ?? '', now, 0);
    }
    expect(await Promise.all([1, 2, 3].map(() => queue.receive(1, 3, { dead })))).toEqual([[], [], []]);
    expect(queue.nextVisible()).toBeNull();
    expect(await dead.receive(10, 3)).toMatchObject([{ id, body: 'poison', sent: 0 }]);
    expect(await readdir(join(folder, 'one'))).toEqual([]);
  });

  it('drops messages after their retention', async () => {
    const queue = await Queue.open(WORK, join(folder, 'one'));
    await queue.send('old', 0);
    expect(await queue.receive(1, 1_000_000)).toEqual([]);
    expect(await readdir(join(folder, 'one'))).toEqual([]);
  });

  it('has the same messages after a crash, and ignores a file that was cut off', async () => {
    const path = join(folder, 'one');
    const before = await Queue.open(WORK, path);
    await before.send('seen', 0);
    await before.receive(1, 0);
    await before.send('unseen', 1);
    await writeFile(join(path, 'damaged.json'), '{"id":"dam');
    const after = await Queue.open(WORK, path);
    expect(await after.receive(10, 2)).toMatchObject([{ body: 'unseen', receives: 1 }]);
    expect(await after.receive(10, 60_000)).toMatchObject([{ body: 'seen', receives: 2 }]);
    expect(await readdir(path)).toHaveLength(2);
  });
});

describe('a function that is called with messages', () => {
  it('has successful messages deleted, and the failed ones sent again after their delay', async () => {
    const all = await queues();
    act = async (messages) => {
      const again = messages.filter(
        ({ body, attributes }) => body === 'bad' && attributes.ApproximateReceiveCount === '1',
      );
      for (const { receiptHandle } of again) await all.changeVisibility(WORK.url, receiptHandle, 10);
      return failed(...again);
    };
    await all.send(WORK.url, 'good');
    await all.send(WORK.url, 'bad');
    await expect.poll(() => all.count(WORK.url)).toEqual({ visible: 0, delayed: 0, inFlight: 0 });
    expect(
      calls.flat().map(({ body, attributes }) => `${body} ${attributes.ApproximateReceiveCount}`),
    ).toEqual(['good 1', 'bad 1', 'bad 2']);
    expect(all.count(DEAD.url).visible).toBe(0);
  });

  it('gets at most a batch at once', async () => {
    const all = await queues([]);
    for (let i = 0; i < 5; i += 1) await all.send(WORK.url, String(i));
    await all.deploy([WORK, DEAD], [SOURCE]);
    await expect.poll(() => calls.flat()).toHaveLength(5);
    expect(Math.max(...calls.map((messages) => messages.length))).toBe(2);
  });

  it.each([
    ['throws', () => Promise.reject(new FunctionError('Runtime.ExitError', 'killed'))],
    ['names a message it did not get', async () => ({ batchItemFailures: [{ itemIdentifier: 'x' }] })],
    ['answers something else', async () => ({ batchItemFailures: 'all' })],
  ])('and %s has none deleted; a message that always fails becomes a dead letter', async (_, fails) => {
    const all = await queues([SOURCE], [{ ...WORK, visibilityMs: 20 }, DEAD]);
    act = fails;
    await all.send(WORK.url, 'poison');
    await expect.poll(() => all.count(DEAD.url).visible).toBe(1);
    expect(calls.flat().map(({ attributes }) => attributes.ApproximateReceiveCount)).toEqual(['1', '2', '3']);
    expect(await all.receive(DEAD.url, 10)).toMatchObject([{ body: 'poison' }]);
  });

  it('gets the message again at the next start, as its first attempt, if the end of the service cut it off', async () => {
    const before = await queues();
    act = () => new Promise(() => {});
    await before.send(WORK.url, 'hello');
    await expect.poll(() => calls).toHaveLength(1);
    await before.close();
    act = async () => null;
    const after = await queues();
    await expect.poll(() => calls).toHaveLength(2);
    expect(calls[1]).toMatchObject([{ body: 'hello', attributes: { ApproximateReceiveCount: '1' } }]);
    await expect.poll(() => after.count(WORK.url).inFlight).toBe(0);
  });
});

describe('the API', () => {
  const KEYS = { accessKeyId: 'key', secretAccessKey: 'secret' };

  it('sends, receives, postpones, counts and deletes for a client with the right keys', async () => {
    const api = await listenForQueues(new Access(KEYS));
    api.serve(await queues([]));
    const client = (secretAccessKey: string) =>
      new SQSClient({
        region: 'us-east-1',
        endpoint: api.endpoint,
        credentials: { ...KEYS, secretAccessKey },
        maxAttempts: 1,
      });
    const sqs = client('secret');
    const QueueUrl = WORK.url;
    try {
      const send = new SendMessageCommand({ QueueUrl, MessageBody: 'héllo' });
      const { MessageId } = await sqs.send(send);
      const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl }));
      expect(Messages).toMatchObject([{ MessageId, Body: 'héllo' }]);
      const ReceiptHandle = Messages[0]?.ReceiptHandle ?? '';
      await sqs.send(
        new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 43_200 }),
      );
      const { Attributes } = await sqs.send(
        new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }),
      );
      expect(Attributes).toMatchObject({ ApproximateNumberOfMessagesNotVisible: '1' });
      await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));

      const tooLong = { QueueUrl, ReceiptHandle, VisibilityTimeout: 43_201 };
      for (const [sending, name] of [
        [sqs.send(new ChangeMessageVisibilityCommand({ ...tooLong })), 'InvalidParameterValue'],
        [
          sqs.send(new ChangeMessageVisibilityCommand({ ...tooLong, VisibilityTimeout: 1 })),
          'MessageNotInflight',
        ],
        [sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: 'x' })), 'ReceiptHandleIsInvalid'],
        [sqs.send(new ReceiveMessageCommand({ QueueUrl: url('other') })), 'QueueDoesNotExist'],
        [sqs.send(new PurgeQueueCommand({ QueueUrl })), 'UnknownOperationException'],
        [client('guessed').send(send), 'AccessDeniedException'],
      ] as const) {
        await expect(sending).rejects.toMatchObject({ name });
      }
    } finally {
      api.close();
    }
  });
});
