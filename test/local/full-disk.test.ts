import { execFile, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROOT } from '../../bin/service.ts';
import { ensureAssembly } from '../../packages/aws-local/src/synth.ts';
import { until } from '../chrome/processes.ts';
import { mountSmallDisks, type SmallDisks } from '../support/small-disks.ts';

/** The service on disks of 128 MB, one for its data and one for temporary files, which it fills itself. */

const MB = 1024 * 1024;
const TOKEN = 'a-token-of-the-full-disk-test';

let folder: string;
let dataDir: string;
let temporary: string;
let disks: SmallDisks;
let service: Running;

interface Running {
  url: string;
  output: () => string;
  end: () => Promise<void>;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-full-'));
  dataDir = join(folder, 'data');
  temporary = join(folder, 'tmp');
  await mkdir(dataDir);
  await mkdir(temporary);
  await ensureAssembly({ root: ROOT });
  disks = await mountSmallDisks('128m', dataDir, temporary);
  service = await start();
});

afterAll(async () => {
  await service?.end();
  disks.end();
  await rm(folder, { recursive: true, force: true });
});

/** The arguments of a command that sees the file system. */
function inside(command: string, ...args: string[]): string[] {
  const [, ...namespace] = disks.within;
  return [...namespace, 'sh', '-c', `cd "$0" && ${command}`, ROOT, ...args];
}

async function start(): Promise<Running> {
  const child = spawn('nsenter', inside('exec node_modules/.bin/node bin/serve.ts'), {
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? '',
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      PLATEN_DATA_DIR: dataDir,
      PLATEN_PORT: '0',
      PLATEN_TOKEN: TOKEN,
      TMPDIR: temporary,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const exited = once(child, 'exit');
  await until(
    () => child.exitCode !== null || output.includes('is ready'),
    () => output,
  );
  const url = /http:\/\/[^\s]+/.exec(output)?.[0];
  if (url === undefined) throw new Error(`The service did not start:\n${output}`);
  return {
    url: `${url}/v1`,
    output: () => output,
    end: async () => {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

type Fields = Record<string, string | [Buffer | string, string]>;

async function call(
  method: string,
  path: string,
  fields?: Fields,
  headers: Record<string, string> = {},
): Promise<{ status: number; code: string; bytes: Buffer; id: string }> {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields ?? {})) {
    if (typeof value === 'string') body.append(name, value);
    else body.append(name, new Blob([value[0]]), value[1]);
  }
  const response = await fetch(service.url + path, {
    method,
    headers: { authorization: TOKEN, ...headers },
    ...(fields === undefined ? {} : { body }),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  const { id = '', code = '' } = isJson
    ? (JSON.parse(bytes.toString()) as { id?: string; code?: string })
    : {};
  return { status: response.status, code, bytes, id };
}

const addTemplate = (size: number) =>
  call('POST', '/template', {
    file_data: [`<p>Hello {{ name }}<!--${randomBytes(size / 2).toString('hex')}-->`, 'hello.html'],
    template_data: '{"name":"Hello","format":"html"}',
  });

const DATA = { render_data: '{"name":"World"}' };
const RECORDS = { render_data: '[{"name":"A"},{"name":"B"}]' };
const ASYNC = { prefer: 'respond-async' };

/** Adds templates until the service refuses one. */
async function fill(): Promise<{ ids: string[]; refused: Awaited<ReturnType<typeof addTemplate>> }> {
  const ids: string[] = [];
  for (;;) {
    const added = await addTemplate(7 * MB);
    if (added.status !== 200) return { ids, refused: added };
    ids.push(added.id);
  }
}

/** What does not store anything, on a disk that is full. */
async function expectReading(id: string): Promise<void> {
  expect((await call('GET', '/template')).status).toBe(200);
  expect((await call('GET', `/template/${id}`)).status).toBe(200);
  expect((await call('GET', `/template/file/${id}`)).bytes.toString()).toMatch(/^<p>Hello \{\{ name \}\}/);
  const rendered = await call('POST', `/render/pdf/${id}`, DATA);
  expect(rendered.bytes.subarray(0, 5).toString()).toBe('%PDF-');
  const batch = await call('POST', `/render/pdf/batch/${id}`, RECORDS);
  expect([batch.status, batch.bytes.subarray(0, 2).toString()]).toEqual([200, 'PK']);
}

async function expectRefusals(id: string): Promise<void> {
  const full = { status: 503, code: 'storage_unavailable' };
  expect(await addTemplate(7 * MB)).toMatchObject(full);
  // The log of the objects is emptied a moment after something was deleted, which gives room for small ones.
  const refusal = (path: string, fields: Fields) =>
    expect.poll(async () => {
      await fillWithUploads();
      return await call('POST', path, fields, ASYNC);
    });
  await refusal(`/render/pdf/${id}`, DATA).toMatchObject(full);
  await refusal(`/render/pdf/batch/${id}`, RECORDS).toMatchObject(full);
}

it('on a disk that the service has filled, reading, rendering and deleting go on, also after a restart (I-4)', async () => {
  const small = await addTemplate(1_000);
  const { ids, refused } = await fill();
  expect(refused).toMatchObject({ status: 503, code: 'storage_unavailable' });
  expect(refused.bytes.toString()).toContain('almost full');
  expect(ids.length).toBeGreaterThan(5);
  await fillWithUploads();
  await expectReading(small.id);
  await expectRefusals(small.id);

  await service.end();
  expect(service.output()).not.toContain('The storage failed');
  service = await start();
  // The end has given the log of the objects back.
  await fillWithUploads();
  await expectReading(small.id);
  await expectRefusals(small.id);

  for (const id of ids) expect((await call('DELETE', `/template/${id}?permanent=true`)).status).toBe(204);
  // What was deleted becomes free on the disk, file by file, a moment later.
  let again = 0;
  await expect.poll(async () => (again += (await fill()).ids.length)).toBeGreaterThan(ids.length - 4);
  expect(service.output()).not.toContain('The storage failed');
});

/** Uploads of smaller and smaller sizes until the storage takes no more of any. */
async function fillWithUploads(): Promise<void> {
  for (const size of [MB / 2, MB / 16, MB / 128, MB / 1024]) await fillWithUploadsOf(size);
}

async function fillWithUploadsOf(size: number): Promise<void> {
  for (;;) {
    const asked = await call('POST', '/uploads', {});
    const { url, fields } = JSON.parse(asked.bytes.toString()) as {
      url: string;
      fields: Record<string, string>;
    };
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.append(name, value);
    body.append('file', new Blob([randomBytes(size)]), 'file');
    const sent = await fetch(url, { method: 'POST', body });
    if (sent.ok) continue;
    expect(sent.status).toBe(507);
    expect(await sent.text()).toContain('<Code>InsufficientStorage</Code>');
    return;
  }
}

it('on a disk that others fill to the last byte, reading goes on, and deleting as soon as there is some room', async () => {
  const { id } = JSON.parse((await call('GET', '/template?limit=1')).bytes.toString())[0] as { id: string };
  const junk = join(dataDir, 'junk');
  // The storage empties its log a moment after a request, which makes room once more.
  const fill = 'for i in 1 2 3; do dd if=/dev/zero bs=4k >>"$1" 2>/dev/null; sleep 1; done';
  spawnSync('nsenter', inside(fill, junk));
  await expectReading(id);
  expect((await call('DELETE', `/template/${id}`)).code).toBe('storage_unavailable');
  await expectReading(id);
  spawnSync('nsenter', inside('rm "$1"', junk));
  expect((await call('DELETE', `/template/${id}`)).status).toBe(204);
  expect(service.output()).not.toContain('The storage failed');
});

it('a body that does not fit on the disk is a 503 for a client that is still sending, and leaves nothing (I-4)', async () => {
  const code = `
import requests, sys
def pieces():
    for _ in range(150):
        yield bytes(1024 * 1024)
print(requests.post(sys.argv[1], data=pieces(), headers={'Authorization': sys.argv[2]}).text)`;
  const args = ['-c', code, `${service.url}/pdf/compress`, TOKEN];
  const { stdout } = await promisify(execFile)('/usr/bin/python3', args);
  expect(JSON.parse(stdout)).toMatchObject({ status: 503, code: 'service_busy' });
  const left = spawnSync('nsenter', inside('ls "$1"/*', temporary), { encoding: 'utf8' });
  expect(left.stdout).toContain('runtime.mjs');
  expect(left.stdout).not.toContain('body-');
});
