import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Serve } from '../../functions/shared/http/index.ts';
import { ObjectStore } from '../../functions/shared/store/storage/objects.ts';
import { sweepTemplateFiles } from '../../functions/templates/sweep-files.ts';
import { type EmbeddedStorage, startEmbeddedStorage } from '../store/embedded.ts';
import { caller } from './gateway.ts';

/** A function that is killed half-way leaves nothing visible, and after the sweep nothing at all (I-12). */

const PROGRAM = fileURLToPath(new URL('killed.program.ts', import.meta.url));
const TWO_HOURS = 2 * 60 * 60 * 1000;

let storage: EmbeddedStorage;
let serve: Serve;
let call: ReturnType<typeof caller>;
let objects: ObjectStore;
beforeAll(async () => {
  storage = await startEmbeddedStorage();
  ({ serve } = await import('../../functions/templates/handler.ts'));
  call = caller(serve);
  objects = new ObjectStore(storage.bucket);
});
afterAll(() => storage.stop());

async function keys(): Promise<string[]> {
  const all: string[] = [];
  for await (const page of objects.list('')) all.push(...page.map(({ key }) => key));
  return all;
}

const TEMPLATE = {
  form: { template_data: '{"name":"n","format":"html"}', file_data: 'body', header_data: 'head' },
};
const STYLE = { form: { template_data: '{"format":"css"}', file_data: 'a{}' } };

/** Serves a request in a process that is killed at the given point. */
async function serveAndDie(
  when: 'before' | 'after',
  command: string,
  request: unknown[],
  which = 1,
): Promise<void> {
  const child = spawn(process.execPath, [PROGRAM, when, command, JSON.stringify(request), String(which)], {
    env: { PATH: process.env['PATH'], ...storage.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  expect([code, signal]).toEqual([null, 'SIGKILL']);
}

const list = async (): Promise<{ id: string; style_files: unknown[] }[]> =>
  (await call('GET', '/template')).json() as unknown as { id: string; style_files: unknown[] }[];
const sweep = (): Promise<unknown> => sweepTemplateFiles(storage, { now: Date.now() + TWO_HOURS });

beforeEach(async () => {
  for (const { id } of await list())
    await call('DELETE', '/template/{id}', id, { query: { permanent: 'true' } });
  await objects.delete(await keys());
});

describe('killed with SIGKILL', () => {
  it('between the files and the item of a new template: nothing is visible, and the sweep leaves nothing', async () => {
    await serveAndDie('before', 'PutItemCommand', ['POST', '/v1/template', null, TEMPLATE]);
    expect(await list()).toEqual([]);
    expect(await keys()).toHaveLength(2);
    await sweep();
    expect(await keys()).toEqual([]);
  });

  it('after the first file of a new template: the same', async () => {
    await serveAndDie('after', 'PutObjectCommand', ['POST', '/v1/template', null, TEMPLATE]);
    expect(await list()).toEqual([]);
    expect((await keys()).length).toBeGreaterThan(0);
    await sweep();
    expect(await keys()).toEqual([]);
  });

  it('after the item of a new template: the template is whole', async () => {
    // The first item is that of its history.
    await serveAndDie('after', 'PutItemCommand', ['POST', '/v1/template', null, TEMPLATE], 2);
    await sweep();
    const [template] = await list();
    expect((await call('GET', '/template/file/{id}', template?.id ?? '')).bytes.toString()).toBe('body');
    expect(await keys()).toHaveLength(2);
  });

  it('between the file and the item of a stylesheet: the template is as it was, and the sweep leaves its files only', async () => {
    const id = String((await call('POST', '/template', null, TEMPLATE)).json()['id']);
    await serveAndDie('before', 'UpdateItemCommand', ['POST', '/v1/template/css/{id}', id, STYLE]);
    expect((await list())[0]?.style_files).toEqual([]);
    expect(await keys()).toHaveLength(3);
    await sweep();
    expect(await keys()).toHaveLength(2);
    expect((await call('GET', '/template/file/{id}', id)).status).toBe(200);
  });

  it('between the item and the files of a deleted template: it does not exist, and the sweep removes its files', async () => {
    const id = String((await call('POST', '/template', null, TEMPLATE)).json()['id']);
    const removal = ['DELETE', '/v1/template/{id}', id, { query: { permanent: 'true' } }];
    // The first item is that of a deleted template, which this is not.
    await serveAndDie('after', 'DeleteItemCommand', removal, 2);
    expect(await list()).toEqual([]);
    expect((await call('GET', '/template/file/{id}', id)).status).toBe(404);
    expect(await keys()).toHaveLength(2);
    await sweep();
    expect(await keys()).toEqual([]);
  });
});
