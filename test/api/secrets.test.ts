import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { paginateScan, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, ListBucketsCommand, NoSuchKey, paginateListObjectsV2 } from '@aws-sdk/client-s3';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { expect, inject, it } from 'vitest';
import { readState } from '../../packages/aws-local/src/state.ts';
import { storageClients } from '../../packages/aws-local/src/storage/index.ts';
import { call, expectStatus, form, jsonOf, pdfInfo, renderNow } from './client.ts';

/** Passwords of requests that are answered later lie nowhere in the clear, and are gone with the job. */

const { dataDir } = inject('service');

/**
 * Everything that is kept: each file as it is, and what is in tables and buckets as their APIs give it.
 *
 * @param unchanged says of a file or an object, by its place and what tells its contents apart, that it need not be read
 */
async function* everythingKept(
  unchanged: (version: string) => boolean = () => false,
): AsyncGenerator<[place: string, bytes: Buffer]> {
  for (const entry of readdirSync(dataDir, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    // What ends meanwhile is no longer kept.
    const found = entry.isFile() ? statSync(path, { throwIfNoEntry: false, bigint: true }) : undefined;
    if (found === undefined || unchanged(`${path} ${found.ino} ${found.size} ${found.mtimeNs}`)) continue;
    yield [path, readFileSync(path)];
  }
  const state = await readState(dataDir);
  if (state === null) throw new Error('there is no service');
  const { dynamodb, s3 } = storageClients(state.storage);
  try {
    for (const TableName of (await dynamodb.send(new ListTablesCommand({}))).TableNames ?? []) {
      for await (const { Items = [] } of paginateScan({ client: dynamodb }, { TableName })) {
        for (const item of Items) yield [TableName, Buffer.from(JSON.stringify(unmarshall(item)))];
      }
    }
    for (const { Name: Bucket = '' } of (await s3.send(new ListBucketsCommand({}))).Buckets ?? []) {
      for await (const { Contents = [] } of paginateListObjectsV2({ client: s3 }, { Bucket })) {
        for (const { Key = '', ETag = '' } of Contents) {
          if (unchanged(`${Bucket}/${Key} ${ETag}`)) continue;
          const object = await s3.send(new GetObjectCommand({ Bucket, Key })).catch((error: unknown) => {
            // It was deleted meanwhile.
            if (error instanceof NoSuchKey) return null;
            throw error;
          });
          const bytes = await object?.Body?.transformToByteArray();
          if (bytes) yield [`${Bucket}/${Key}`, Buffer.from(bytes)];
        }
      }
    }
  } finally {
    dynamodb.destroy();
    s3.destroy();
  }
}

/** What has been read and does not have a text in it, by that text. */
const readWithout = new Map<string, Set<string>>();

async function placesOf(text: string): Promise<string[]> {
  const places: string[] = [];
  const before = readWithout.get(text) ?? new Set<string>();
  const now = new Set<string>();
  const unchanged = (version: string): boolean => {
    now.add(version);
    return before.has(version);
  };
  for await (const [place, bytes] of everythingKept(unchanged)) {
    for (const encoded of [
      Buffer.from(text),
      Buffer.from(Buffer.from(text).toString('base64').slice(4, -4)),
    ]) {
      if (bytes.includes(encoded)) places.push(place);
    }
  }
  if (places.length === 0) readWithout.set(text, now);
  return places;
}

it('a password of a job is not stored in the data directory, neither before its end nor after it', async () => {
  const pdf = expectStatus(await renderNow('<p>To be locked'), 200).bytes;
  const password = 'correct-horse-battery-5d1f0c77';
  const visible = await call('POST', '/v1/template', {
    body: form({
      file_data: ['<p>a-marker-that-can-be-found', 'a.html'],
      template_data: '{"name":"M","format":"html"}',
    }),
  });
  expectStatus(visible, 200);
  expect((await placesOf('a-marker-that-can-be-found')).length).toBeGreaterThan(0);

  for (const [path, fields] of [
    ['/v1/pdf/encrypt', { file: [pdf, 'a.pdf'], password }],
    ['/v1/pdf/encrypt', { file: [pdf, 'a.pdf'], options: JSON.stringify({ encrypt_password: password }) }],
    [
      '/v1/render/pdf',
      { file_data: ['<p>x', 'x.html'], render_options: JSON.stringify({ encrypt_password: password }) },
    ],
  ] as [string, Parameters<typeof form>[0]][]) {
    const headers = {
      prefer: 'respond-async',
      'idempotency-key': `${path}-${JSON.stringify(Object.keys(fields))}`,
    };
    const accepted = expectStatus(await call('POST', path, { body: form(fields), headers }), 202);
    const id = String(jsonOf(accepted)['id']);
    expect(await placesOf(password), path).toEqual([]);
    await expect
      .poll(async () => jsonOf(await call('GET', `/v1/jobs/${id}`))['state'], { timeout: 50_000 })
      .toBe('succeeded');
    expect(await placesOf(password), path).toEqual([]);
    const result = expectStatus(await call('GET', `/v1/jobs/${id}/result`), 200).bytes;
    expect(pdfInfo(result, '-upw', password)['Encrypted']).toContain('yes');
    const left: string[] = [];
    const ofOthers = (version: string): boolean => !version.includes(`/${id}/`);
    for await (const [place] of everythingKept(ofOthers)) if (!ofOthers(place)) left.push(place);
    expect(left.filter((place) => /\/(request|body)$/.test(place))).toEqual([]);
  }
});

it('the secret that encrypts them is readable only by its owner', () => {
  const folder = join(dataDir, 'secrets');
  const files = readdirSync(folder);
  expect(files.length).toBeGreaterThan(0);
  for (const name of files) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
});
