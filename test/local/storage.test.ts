import { spawnSync } from 'node:child_process';
import { GetItemCommand, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TableSpec } from '../../packages/aws-local/src/assembly/index.ts';
import { silentLogger } from '../../packages/aws-local/src/log.ts';
import { deleteExpired, Storage, storageClients } from '../../packages/aws-local/src/storage/index.ts';
import { processesWith } from './processes.ts';
import { startTestStorage, type TestStorage } from './storage-for-tests.ts';

/** S3 and DynamoDB on this machine, asked by the AWS SDK. */

const BUCKET = 'files-of-the-test';
const TABLE: TableSpec = {
  name: 'things-of-the-test',
  keySchema: [
    { AttributeName: 'pk', KeyType: 'HASH' },
    { AttributeName: 'sk', KeyType: 'RANGE' },
  ],
  attributes: [
    { AttributeName: 'pk', AttributeType: 'S' },
    { AttributeName: 'sk', AttributeType: 'S' },
  ],
  globalIndexes: [],
  ttlAttribute: 'until',
};
const STACKS = {
  tables: [TABLE],
  buckets: [{ name: BUCKET, expirations: [{ prefix: 'uploads/', days: 2 }] }],
};

let storage: TestStorage;

beforeAll(async () => {
  storage = await startTestStorage(STACKS.tables, STACKS.buckets);
});

afterAll(() => storage.stop());

const put = (Key: string, Body: string | Buffer = 'content') =>
  storage.s3.send(new PutObjectCommand({ Bucket: BUCKET, Key, Body }));

async function text(Key: string): Promise<string | undefined> {
  const { Body } = await storage.s3.send(new GetObjectCommand({ Bucket: BUCKET, Key }));
  return Body?.transformToString();
}

describe('S3', () => {
  it('answers a client that has only the address, from the variables of functions', async () => {
    const { endpoints, credentials } = storage.storage.access;
    const code = `
      import { S3Client, PutObjectCommand, GetObjectCommand } from '@aws-sdk/client-s3';
      const s3 = new S3Client({});
      await s3.send(new PutObjectCommand({ Bucket: '${BUCKET}', Key: 'plain/client', Body: 'hello' }));
      const { Body } = await s3.send(new GetObjectCommand({ Bucket: '${BUCKET}', Key: 'plain/client' }));
      console.log(await Body.transformToString());`;
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
      encoding: 'utf8',
      env: {
        AWS_REGION: 'us-east-1',
        AWS_ENDPOINT_URL_S3: endpoints.s3,
        AWS_ACCESS_KEY_ID: credentials.accessKeyId,
        AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      },
    });
    expect(stderr).toBe('');
    expect(stdout).toBe('hello\n');
  });

  it.each(["a b+c/ü (1)!*'.txt", 'tenants/x/%2F/y', 'quote"&<>'])(
    'keeps an object under the key %s',
    async (key) => {
      await put(key, key);
      expect(await text(key)).toBe(key);
      const { Contents } = await storage.s3.send(new ListObjectsV2Command({ Bucket: BUCKET, Prefix: key }));
      expect(Contents?.map(({ Key }) => Key)).toEqual([key]);
    },
  );

  it('accepts 30 MB in one piece', async () => {
    const bytes = randomBytes(30 * 1024 * 1024);
    await put('large', bytes);
    const { Body } = await storage.s3.send(new GetObjectCommand({ Bucket: BUCKET, Key: 'large' }));
    const back = Buffer.from((await Body?.transformToByteArray()) ?? []);
    expect(back.equals(bytes)).toBe(true);
  });

  it('lists in the order of bytes, and complete over several pages', async () => {
    const keys = ['list/B', 'list/a', 'list/A', 'list/_', 'list/b', 'list/ü', 'list/1'];
    for (const key of keys) await put(key);
    const found: string[] = [];
    let token: string | undefined;
    do {
      const page = await storage.s3.send(
        new ListObjectsV2Command({ Bucket: BUCKET, Prefix: 'list/', MaxKeys: 2, ContinuationToken: token }),
      );
      found.push(...(page.Contents ?? []).map(({ Key }) => Key ?? ''));
      token = page.NextContinuationToken;
    } while (token !== undefined);
    expect(found).toEqual(['list/1', 'list/A', 'list/B', 'list/_', 'list/a', 'list/b', 'list/ü']);
  });

  it('does not overwrite with If-None-Match', async () => {
    const once = new PutObjectCommand({ Bucket: BUCKET, Key: 'once', Body: 'first', IfNoneMatch: '*' });
    await storage.s3.send(once);
    await expect(storage.s3.send(once)).rejects.toMatchObject({ name: 'PreconditionFailed' });
    await storage.s3.send(new DeleteObjectCommand({ Bucket: BUCKET, Key: 'once' }));
    await storage.s3.send(once);
  });

  it('refuses a client with wrong keys', async () => {
    const { endpoints } = storage.storage.access;
    await put('secret');
    expect((await fetch(`${endpoints.s3}/${BUCKET}/secret`)).status).toBe(403);
    expect((await fetch(`${endpoints.s3}/${BUCKET}/secret`, { method: 'DELETE' })).status).toBe(403);
    for (const credentials of [
      { accessKeyId: 'guessed', secretAccessKey: 'guessed' },
      { ...storage.storage.access.credentials, secretAccessKey: 'guessed' },
    ]) {
      const unknownClient = new S3Client({ region: 'us-east-1', endpoint: endpoints.s3, credentials });
      const asked = unknownClient.send(new GetObjectCommand({ Bucket: BUCKET, Key: 'secret' }));
      await expect(asked).rejects.toBeInstanceOf(S3ServiceException);
      unknownClient.destroy();
    }
    expect(await text('secret')).toBe('content');
  });

  it('listens on this machine only', async () => {
    const { port } = new URL(storage.storage.access.endpoints.s3);
    const hex = Number(port).toString(16).toUpperCase().padStart(4, '0');
    const sockets = spawnSync('cat', ['/proc/net/tcp', '/proc/net/tcp6'], { encoding: 'utf8' }).stdout;
    const listening = sockets.split('\n').filter((line) => line.includes(`:${hex} `) && / 0A /.test(line));
    expect(listening.map((line) => line.trim().split(/\s+/)[1])).toEqual([`0100007F:${hex}`]);
  });
});

describe('a presigned address', () => {
  const presign = (key: string, seconds: number, date = new Date()): string => {
    const { endpoints, credentials } = storage.storage.access;
    const stamp = date.toISOString().replace(/[-:]|\.\d+/g, '');
    const scope = `${stamp.slice(0, 8)}/us-east-1/s3/aws4_request`;
    const query = new URLSearchParams({
      'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
      'X-Amz-Credential': `${credentials.accessKeyId}/${scope}`,
      'X-Amz-Date': stamp,
      'X-Amz-Expires': String(seconds),
      'X-Amz-SignedHeaders': 'host',
    });
    const { host } = new URL(endpoints.s3);
    const path = `/${BUCKET}/${key}`;
    const canonical = ['GET', path, query.toString(), `host:${host}`, '', 'host', 'UNSIGNED-PAYLOAD'].join(
      '\n',
    );
    const text = [
      'AWS4-HMAC-SHA256',
      stamp,
      scope,
      createHash('sha256').update(canonical).digest('hex'),
    ].join('\n');
    return `${endpoints.s3}${path}?${query.toString()}&X-Amz-Signature=${sign(scope, text)}`;
  };
  const sign = (scope: string, text: string): string => {
    let key: string | Buffer = `AWS4${storage.storage.access.credentials.secretAccessKey}`;
    for (const part of scope.split('/')) key = createHmac('sha256', key).update(part).digest();
    return createHmac('sha256', key).update(text).digest('hex');
  };

  it('is good until it runs out, for its own object', async () => {
    await put('shared', 'for you');
    const good = await fetch(presign('shared', 60));
    expect(await good.text()).toBe('for you');
    expect((await fetch(presign('shared', 60, new Date(Date.now() - 61_000)))).status).toBe(403);
    expect((await fetch(presign('shared', 60).replace('/shared', '/secret'))).status).toBe(403);
  });

  const SIGNED_FIELDS = ['algorithm', 'credential', 'date'].map((name) => [
    'starts-with',
    `$x-amz-${name}`,
    '',
  ]);

  const post = async (
    key: string,
    content: string,
    conditions: unknown[],
    { expiration = 60_000, method = 'POST', address = BUCKET, extra = '' } = {},
  ) => {
    const { endpoints, credentials } = storage.storage.access;
    const stamp = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
    const scope = `${stamp.slice(0, 8)}/us-east-1/s3/aws4_request`;
    const policy = Buffer.from(
      JSON.stringify({
        expiration: new Date(Date.now() + expiration).toISOString(),
        conditions: [...SIGNED_FIELDS, ...conditions],
      }),
    ).toString('base64');
    const form = new FormData();
    form.append('key', key);
    form.append('bucket', BUCKET);
    form.append('X-Amz-Algorithm', 'AWS4-HMAC-SHA256');
    form.append('X-Amz-Credential', `${credentials.accessKeyId}/${scope}`);
    form.append('X-Amz-Date', stamp);
    form.append('Policy', policy);
    form.append('X-Amz-Signature', sign(scope, policy));
    if (extra !== '') form.append(extra, 'x');
    form.append('file', new Blob([content]), 'file.bin');
    return fetch(`${endpoints.s3}/${address}`, { method, body: form });
  };

  it('to post a form to takes a file of the size and the key it allows (I-35)', async () => {
    const conditions = [
      { bucket: BUCKET },
      ['starts-with', '$key', 'uploads/'],
      ['content-length-range', 2, 10],
    ];
    expect((await post('uploads/one', '12345', conditions)).status).toBe(204);
    expect(await text('uploads/one')).toBe('12345');
    const large = await post('uploads/two', 'x'.repeat(11), conditions);
    expect(large.status).toBe(400);
    expect(await large.text()).toContain('EntityTooLarge');
    expect((await post('elsewhere/three', '12345', conditions)).status).toBe(403);
    expect((await post('uploads/four', '12345', conditions, { expiration: -1_000 })).status).toBe(403);
    const marked = await post('uploads/five', '12345', conditions, { extra: 'x-amz-meta-mark' });
    expect(await marked.text()).toContain('Extra input fields: x-amz-meta-mark');
    await expect(text('uploads/two')).rejects.toMatchObject({ name: 'NoSuchKey' });
  });

  it('for posting a form permits no other operation', async () => {
    const conditions = [{ bucket: BUCKET }, ['starts-with', '$key', '']];
    await put('precious', 'kept');
    for (const method of ['PUT', 'POST']) {
      const answer = await post('precious', 'x', conditions, { method, address: `${BUCKET}/precious` });
      expect(answer.status).toBe(403);
    }
    const deletion = await post('precious', 'x', conditions, { address: `${BUCKET}?delete` });
    expect(deletion.status).toBe(403);
    expect(await text('precious')).toBe('kept');
    const elsewhere = await post('uploads/six', 'x', [{ bucket: 'another' }, ['starts-with', '$key', '']]);
    expect(elsewhere.status).toBe(403);
  });
});

describe('DynamoDB', () => {
  it('refuses a request with unknown keys, and continues to serve others', async () => {
    const { endpoints } = storage.storage.access;
    const answer = await fetch(endpoints.dynamodb, {
      method: 'POST',
      headers: {
        'x-amz-target': 'DynamoDB_20120810.ListTables',
        'content-type': 'application/x-amz-json-1.0',
      },
      body: '{}',
    });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('UnrecognizedClientException');
  });

  it('survives clients that disconnect in the middle of a request', async () => {
    const { endpoints } = storage.storage.access;
    const { connect } = await import('node:net');
    for (let round = 0; round < 5; round++) {
      const socket = connect(Number(new URL(endpoints.dynamodb).port), '127.0.0.1');
      socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{"half":');
      await new Promise((resolve) => setTimeout(resolve, 50));
      socket.resetAndDestroy();
    }
    const scan = new ScanCommand({ TableName: TABLE.name });
    await expect(storage.dynamodb.send(scan)).resolves.toHaveProperty('Items');
  });
});

describe('expired items and files', () => {
  it('are removed as AWS removes them, and all others stay', async () => {
    const now = Date.now();
    const item = (pk: string, until?: number) =>
      storage.dynamodb.send(
        new PutItemCommand({
          TableName: TABLE.name,
          Item: {
            pk: { S: pk },
            sk: { S: 'x' },
            ...(until === undefined ? {} : { until: { N: String(until) } }),
          },
        }),
      );
    const second = Math.floor(now / 1000);
    await Promise.all([
      item('for ever'),
      item('later', second + 100),
      ...Array.from({ length: 30 }, (_, index) => item(`past ${index}`, second - 1 - index)),
    ]);
    await put('uploads/old');
    await put('tenants/old');
    await deleteExpired(storage, STACKS, now);
    const { Items = [] } = await storage.dynamodb.send(new ScanCommand({ TableName: TABLE.name }));
    expect(new Set(Items.map(({ pk }) => pk?.S))).toEqual(new Set(['for ever', 'later']));
    expect(await text('uploads/old')).toBe('content');

    await deleteExpired(storage, STACKS, now + 3 * 86_400_000);
    await expect(text('uploads/old')).rejects.toMatchObject({ name: 'NoSuchKey' });
    expect(await text('tenants/old')).toBe('content');
  });
});

describe('the data directory', () => {
  it('keeps confirmed writes when the storage is killed, which is then started again on the same ports', async () => {
    await put('survivor', 'still here');
    const Item = { pk: { S: 'survivor' }, sk: { S: 'x' } };
    await storage.dynamodb.send(new PutItemCommand({ TableName: TABLE.name, Item }));
    const [pid] = processesWith('packages/aws-local/src/storage/process.ts').filter((candidate) =>
      isChildOfThis(candidate),
    );
    process.kill(pid ?? 0, 'SIGKILL');
    await expect.poll(() => text('survivor').catch(() => '')).toBe('still here');
    const found = await storage.dynamodb.send(new GetItemCommand({ TableName: TABLE.name, Key: Item }));
    expect(found.Item).toEqual(Item);
  });

  it('is refused to a second service, with a message that explains what to do', async () => {
    await expect(Storage.open(storage.folder, silentLogger)).rejects.toThrow(
      /is in use by another service.*PLATEN_DATA_DIR/s,
    );
  });

  it('is given to one of several services that open it at the same time', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'platen-storage-'));
    const opened = await Promise.allSettled(
      Array.from({ length: 5 }, () => Storage.open(folder, silentLogger)),
    );
    const [holder, ...others] = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(others).toEqual([]);
    await holder?.close();
    await (await Storage.open(folder, silentLogger)).close();
    await rm(folder, { recursive: true });
  });

  it('is refused with a message that explains what to do, if its files are damaged', async () => {
    const broken = await startTestStorage(STACKS.tables, STACKS.buckets);
    await broken.storage.close();
    await writeFile(join(broken.folder, 's3', 'fauxqs.db'), 'this was a database');
    await expect(Storage.open(broken.folder, silentLogger)).rejects.toThrow(/holds damaged data/);
    await broken.stop();
  });

  it('is refused with such a message, too, if its tables are damaged', async () => {
    const broken = await startTestStorage(STACKS.tables, STACKS.buckets);
    await broken.storage.close();
    const folder = join(broken.folder, 'dynamodb');
    const manifest = (await readdir(folder)).find((name) => name.startsWith('MANIFEST')) ?? '';
    await writeFile(join(folder, manifest), 'nonsense');
    await expect(Storage.open(broken.folder, silentLogger)).rejects.toThrow(/holds damaged data/);
    await broken.stop();
  });

  it('is refused with a message if it cannot be created', async () => {
    await expect(Storage.open('/dev/null/platen', silentLogger)).rejects.toThrow(/cannot be made/);
  });

  it('is left without a process when it is closed', async () => {
    const other = await startTestStorage();
    await storageClients(other.storage.access)
      .s3.send(new ListObjectsV2Command({ Bucket: 'none' }))
      .catch(() => {});
    const before = children().length;
    await other.stop();
    expect(children().length).toBe(before - 1);
  });
});

function isChildOfThis(pid: number): boolean {
  return children().includes(pid);
}

function children(): number[] {
  const { stdout } = spawnSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], {
    encoding: 'utf8',
  });
  return stdout
    .split('\n')
    .filter((line) => line.includes('storage/process.ts'))
    .map((line) => Number(line.trim().split(/\s+/)[0]));
}
