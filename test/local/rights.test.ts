import { GetItemCommand, PutItemCommand, QueryCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import {
  CreateMultipartUploadCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Assembly, readAssembly } from '../../packages/aws-local/src/assembly/index.ts';
import { Access } from '../../packages/aws-local/src/iam/access.ts';
import {
  checkEventSources,
  newCredentials,
  RoleKeys,
  rulesOf,
} from '../../packages/aws-local/src/iam/rules.ts';
import { type Clients, provision, storageClients } from '../../packages/aws-local/src/storage/index.ts';
import { define } from '../stacks/support.ts';
import { startTestStorage, type TestStorage } from './storage-for-tests.ts';

/** The policies of our own stacks, in front of the storage of a laptop. */

const keys = new RoleKeys();
let storage: TestStorage;
let assembly: Assembly;
let bucket: string;
let templates: string;
const opened: Clients[] = [];

beforeAll(async () => {
  const { app } = define();
  assembly = await readAssembly(app.synth().directory);
  storage = await startTestStorage();
  await provision(storage, assembly);
  bucket = assembly.buckets[0]?.name ?? '';
  templates = spec('render').environment['PLATEN_TEMPLATES_TABLE'] ?? '';
  await storage.storage.permit(rulesOf(assembly, keys));
});
afterAll(async () => {
  for (const { s3, dynamodb } of opened) {
    s3.destroy();
    dynamodb.destroy();
  }
  await storage.stop();
});

function spec(label: string) {
  const found = [...assembly.functions.values()].find((one) => one.label === label);
  if (!found) throw new Error(`the stacks have no function ${label}`);
  return found;
}

/** Clients with the keys that a function gets. */
function as(label: string): Clients {
  const clients = storageClients({ ...storage.storage.access, credentials: keys.of(spec(label).role) });
  opened.push(clients);
  return clients;
}

const outcome = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'done',
    (error: Error) => error.name,
  );
const get = ({ s3 }: Clients, Key: string) => outcome(s3.send(new GetObjectCommand({ Bucket: bucket, Key })));
const put = ({ s3 }: Clients, Key: string) =>
  outcome(s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body: 'x' })));
const list = ({ s3 }: Clients, Prefix: string) =>
  outcome(s3.send(new ListObjectsV2Command({ Bucket: bucket, Prefix })));
const putItem = ({ dynamodb }: Clients, pk: string) =>
  outcome(
    dynamodb.send(new PutItemCommand({ TableName: templates, Item: { pk: { S: pk }, sk: { S: 'x' } } })),
  );

describe('a function', () => {
  it('reaches the prefixes of its policies and no others', async () => {
    await put(storage, 'tenants/acme/templates/t/f');
    await put(storage, 'elsewhere');
    const render = as('render');
    expect(await get(render, 'tenants/acme/templates/t/f')).toBe('done');
    expect(await put(render, 'tenants/acme/templates/t/f')).toBe('AccessDenied');
    expect(await get(render, 'elsewhere')).toBe('AccessDenied');
    expect(await put(render, 'jobs/acme/j/result')).toBe('done');
    expect(await list(render, '')).toBe('AccessDenied');
    const Delete = { Objects: [{ Key: 'tenants/acme/templates/t/f' }] };
    expect(await outcome(render.s3.send(new DeleteObjectsCommand({ Bucket: bucket, Delete })))).toBe(
      'AccessDenied',
    );
  });

  it('gets NoSuchKey for a missing object only if it may list it', async () => {
    expect(await get(as('render'), 'tenants/acme/templates/t/gone')).toBe('NoSuchKey');
    // Not a key of a template's file: its policies do not let it ask.
    expect(await get(as('render'), 'tenants/acme')).toBe('AccessDenied');
  });

  it('reaches items of the partitions alone that a condition names', async () => {
    expect(await putItem(as('sweep'), 'SWEEP')).toBe('done');
    expect(await putItem(as('sweep'), 'TENANT#acme')).toBe('AccessDeniedException');
    expect(await putItem(as('templates'), 'TENANT#acme')).toBe('done');
    expect(await putItem(as('render'), 'TENANT#acme')).toBe('AccessDeniedException');
  });

  it('without rights reaches nothing', async () => {
    const convert = as('convert');
    expect(await get(convert, 'tenants/acme/templates/t/f')).toBe('AccessDenied');
    const Key = { pk: { S: 'a' }, sk: { S: 'b' } };
    for (const command of [
      new GetItemCommand({ TableName: templates, Key }),
      new ScanCommand({ TableName: templates }),
    ]) {
      expect(await outcome(convert.dynamodb.send(command as GetItemCommand))).toBe('AccessDeniedException');
    }
  });

  it('signs addresses for its own rights, and for no others', async () => {
    const fetched = async (label: string, Key: string) => {
      const url = await getSignedUrl(as(label).s3, new GetObjectCommand({ Bucket: bucket, Key }));
      return (await fetch(url)).status;
    };
    await put(storage, 'jobs/acme/j/result');
    expect(await fetched('jobs', 'jobs/acme/j/result')).toBe(200);
    expect(await fetched('jobs', 'tenants/acme/templates/t/f')).toBe(403);
  });
});

it('an upload has at most 10,000 pieces', async () => {
  const Key = 'jobs/acme/j/pieces';
  const { UploadId } = await storage.s3.send(new CreateMultipartUploadCommand({ Bucket: bucket, Key }));
  const piece = (PartNumber: number) =>
    outcome(storage.s3.send(new UploadPartCommand({ Bucket: bucket, Key, UploadId, PartNumber, Body: 'x' })));
  expect(await piece(10_000)).toBe('done');
  expect(await piece(10_001)).toBe('InvalidArgument');
});

it.each([{ isolated: true }, { convert: false }, { removal: 'destroy' }])(
  'the policies of stacks with %j are understood',
  async (switches) => {
    const stacks = await readAssembly(define(switches).app.synth().directory);
    const access = new Access(newCredentials());
    access.deploy(rulesOf(stacks, keys));
    for (const { label, role } of stacks.functions.values()) {
      // What each of them has besides is its own.
      const elsewhere = [{ action: 's3:GetObject', resource: 'arn:aws:s3:::another-bucket/x' }];
      expect(access.refusalOfRole(role, elsewhere), label).not.toBeNull();
    }
  },
);

describe('a statement that is removed from the stacks', () => {
  it('removes its rights from the function, also from a running one', async () => {
    const query = new QueryCommand({
      TableName: templates,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': { S: 'TENANT#acme' } },
    });
    const { dynamodb } = as('templates');
    expect(await outcome(dynamodb.send(query))).toBe('done');
    await storage.storage.permit(rulesOf(without('templates', 'dynamodb:Query'), keys));
    expect(await outcome(dynamodb.send(query))).toBe('AccessDeniedException');
    await storage.storage.permit(rulesOf(assembly, keys));
    expect(await outcome(dynamodb.send(query))).toBe('done');
  });

  it('is reported as missing before anything runs, if it lets a function receive from its queue', () => {
    const access = new Access(newCredentials());
    access.deploy(rulesOf(assembly, keys));
    expect(() => checkEventSources(assembly, access)).not.toThrow();
    access.deploy(rulesOf(without('webhook', 'sqs:ReceiveMessage'), keys));
    expect(() => checkEventSources(assembly, access)).toThrow('sqs:ReceiveMessage');
  });
});

/** The stacks, but for the statements of a function's role that name an action. */
function without(label: string, action: string): Assembly {
  const { role } = spec(label);
  let found = 0;
  const roles = assembly.roles.map((one) => {
    if (one.arn !== role) return one;
    const policies = (one.policies as { Statement: { Action: string | string[] }[] }[]).map(
      ({ Statement }) => ({
        Statement: Statement.filter(({ Action }) => {
          const named = [Action].flat().includes(action);
          if (named) found++;
          return !named;
        }),
      }),
    );
    return { ...one, policies };
  });
  if (found === 0) throw new Error(`no statement of ${label} names ${action}`);
  return { ...assembly, roles };
}
