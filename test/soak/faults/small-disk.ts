import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { mountSmallDisks } from '../../support/small-disks.ts';
import { Client, type Fields, NoAnswer } from './client.ts';
import { type Instance } from './instance.ts';
import type { Tally } from './tally.ts';

/** The service on a disk that it fills, is killed on, and empties again. */

const SIZE = '160m';
const TEMPLATE_BYTES = 4 * 2 ** 20;
const RENDERINGS = 5;
/** What was deleted becomes free a moment later. */
const FREE_MS = 60_000;

/** @param make returns an instance that is run by a command */
export async function fillSmallDisk(
  folder: string,
  make: (within: readonly string[]) => Instance,
  tally: Tally,
): Promise<Instance> {
  await mkdir(`${folder}/data`, { recursive: true });
  await mkdir(`${folder}/tmp`, { recursive: true });
  const disks = await mountSmallDisks(SIZE, `${folder}/data`, `${folder}/tmp`);
  const instance = make(disks.within);
  try {
    await instance.start();
    await fillAndEmpty(new Client(instance, tally), tally);
    await instance.end('SIGTERM');
  } finally {
    await instance.end('SIGKILL', true);
    disks.end();
  }
  return instance;
}

async function fillAndEmpty(client: Client, tally: Tally): Promise<void> {
  const stored = new Map<string, string>();
  tally.fault('full disk');
  await fill(client, stored);
  await expectStored(client, stored);
  client.kills += 1;
  tally.fault('service on a full disk');
  await client.instance.end('SIGKILL');
  await client.instance.start();
  tally.fault('full disk');
  await expectStored(client, stored);
  for (const id of stored.keys()) {
    await counted(tally, 'full disk: delete', () =>
      client.send('full disk: delete', `/v1/template/${id}`, { method: 'DELETE', expected: 204 }),
    );
  }
  for (const end = Date.now() + FREE_MS; ; await sleep(1_000)) {
    if (await add(client, new Map())) return;
    if (Date.now() < end) continue;
    tally.add('full disk: template', 'hung', 'the disk does not become free');
    return;
  }
}

/** Adds templates until one is refused. */
async function fill(client: Client, stored: Map<string, string>): Promise<void> {
  while (await add(client, stored));
}

async function add(client: Client, stored: Map<string, string>): Promise<boolean> {
  const content = randomBytes(TEMPLATE_BYTES / 2).toString('hex');
  const fields: Fields = {
    file_data: [`<p>Hello<!--${content}-->`, 'a.html'],
    template_data: '{"name":"Full","format":"html"}',
  };
  return await counted(client.tally, 'full disk: template', async () => {
    const { body } = await client.send('full disk: template', '/v1/template', { fields });
    stored.set((JSON.parse(body.toString()) as { id: string }).id, content);
  });
}

/** Reading goes on, and so does rendering. */
async function expectStored(client: Client, stored: ReadonlyMap<string, string>): Promise<void> {
  const kind = 'full disk: read';
  for (const [id, content] of stored) {
    const { status, body } = await client.ask(`/v1/template/file/${id}`);
    if (status === 404) client.tally.add(kind, 'lost', id);
    else if (status !== 200) client.tally.add(kind, 'unclear error', `${id}: ${status}`);
    else client.tally.add(kind, body.includes(content) ? 'right' : 'wrong', id);
  }
  for (const id of [...stored.keys()].slice(0, RENDERINGS)) {
    await counted(client.tally, 'full disk: render', () =>
      client.send('full disk: render', `/v1/render/html/${id}`, { fields: { render_data: '{}' } }),
    );
  }
}

/** @returns whether it was done; what was not is counted already */
async function counted(tally: Tally, kind: string, work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
  } catch (error) {
    if (error instanceof NoAnswer) return false;
    throw error;
  }
  tally.add(kind, 'right');
  return true;
}
