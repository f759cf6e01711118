/**
 * Runs the service over S3 and DynamoDB that somebody else runs, as `PLATEN_S3_ENDPOINT` and
 * `PLATEN_DYNAMODB_ENDPOINT` name them. Those of the local service, started apart, are the somebody; with the path of
 * a MinIO program as an argument, that is the S3. Templates, batches, jobs and uploads work, and everything but jobs
 * is there for a service with another data directory, and in a copy of the storage (MinIO).
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Platen } from '@platen/client';
import { startService } from '../../bin/service.ts';
import type { StorageAccess } from '../../packages/aws-local/src/storage/index.ts';
import { startTestStorage } from './storage-for-tests.ts';
import { freePort } from '../support/free-port.ts';

function check(what: string, holds: boolean): void {
  console.log(`${holds ? 'ok  ' : 'FAIL'} ${what}`);
  if (!holds) process.exitCode = 1;
}

const own = await startTestStorage();
const folder = mkdtempSync(path.join(tmpdir(), 'platen-own-'));
const token = 'a-token-of-the-check-of-storage';

const [program] = process.argv.slice(2);

interface Running {
  endpoint: string;
  stop(): Promise<void>;
}

/** MinIO over a folder, with the keys of the rest of the storage. @throws when it does not answer within a minute */
async function startMinio(minio: string, data: string): Promise<Running> {
  const address = `127.0.0.1:${await freePort()}`;
  const { accessKeyId, secretAccessKey } = own.storage.access.credentials;
  const env = { ...process.env, MINIO_ROOT_USER: accessKeyId, MINIO_ROOT_PASSWORD: secretAccessKey };
  const child = spawn(minio, ['server', '--quiet', '--address', address, data], {
    env: { ...env, MINIO_BROWSER: 'off', MINIO_UPDATE: 'off' },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const ended = once(child, 'exit');
  const endpoint = `http://${address}`;
  const deadline = Date.now() + 60_000;
  for (;;) {
    const answer = await fetch(`${endpoint}/minio/health/ready`).catch(() => null);
    if (answer?.ok === true) break;
    if (child.exitCode !== null || Date.now() > deadline) throw new Error('MinIO does not start');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return {
    endpoint,
    stop: async () => {
      child.kill();
      await ended;
    },
  };
}

/** MinIO, when it runs. */
const running: { minio: Running | null } = { minio: null };
let access: StorageAccess = own.storage.access;

/** Has what follows use MinIO over that folder. */
async function useMinio(data: string): Promise<void> {
  if (program === undefined) return;
  await running.minio?.stop();
  const minio = await startMinio(program, path.join(folder, data));
  running.minio = minio;
  access = { ...access, endpoints: { ...access.endpoints, s3: minio.endpoint } };
}

/** A service over the same storage, with a data directory of its own. */
async function serve<T>(name: string, work: (platen: Platen) => Promise<T>): Promise<T> {
  const dataDir = path.join(folder, name);
  const { url, stop } = await startService({ port: 0, dataDir, storage: access, token });
  try {
    return await work(new Platen({ url, token }));
  } finally {
    await stop(0);
  }
}

try {
  await useMinio('minio');
  const id = await serve('first', async (platen) => {
    const added = await platen.templates.add(
      { name: 'Letter', format: 'html' },
      { file: '<p>Dear {{ name }}' },
    );
    const text = await platen.render(added.id, { name: 'Ada' }, { format: 'html' }).text();
    check('a template is stored and rendered', text === '<p>Dear Ada');
    const records = Array.from({ length: 20 }, (_, index) => ({ name: `Person ${index}` }));
    const zip = await platen.batch(added.id, records, { format: 'html' }).asJob().wait();
    check('a batch is made as a job', (await zip.bytes()).length > 1_000);
    const large = { content: `${'<!-- -->'.repeat(1_000_000)}<p>{{ name }}`, name: 'large.html' };
    const rendered = await platen.render({ file: large }, { name: 'Grace' }, { format: 'html' }).text();
    check('a large file is uploaded to it', rendered.endsWith('<p>Grace'));
    return added.id;
  });
  check('nothing of it is in the data directory', !readdirSync(path.join(folder, 'first')).includes('s3'));
  const again = await serve('second', (platen) =>
    platen.render(id, { name: 'Ada' }, { format: 'html' }).text(),
  );
  check('another service has the template', again === '<p>Dear Ada');
  if (program !== undefined) {
    cpSync(path.join(folder, 'minio'), path.join(folder, 'restored'), { recursive: true });
    await useMinio('restored');
    const restored = await serve('third', (platen) =>
      platen.render(id, { name: 'Ada' }, { format: 'html' }).text(),
    );
    check('a copy of the folder of MinIO has it too', restored === '<p>Dear Ada');
  }
} finally {
  await running.minio?.stop();
  await own.stop();
  rmSync(folder, { recursive: true, force: true });
}
