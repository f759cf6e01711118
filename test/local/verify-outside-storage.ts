/**
 * `npm run verify:storage`: the service over S3 and DynamoDB that somebody else runs, as `PLATEN_S3_ENDPOINT` and
 * `PLATEN_DYNAMODB_ENDPOINT` name them. Those of the local service, started apart, are the somebody. Templates, batches, jobs
 * and uploads work, and everything but jobs is there for a service with another data directory.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Platen } from '@platen/client';
import { startService } from '../../bin/service.ts';
import { startTestStorage } from './storage-for-tests.ts';

function check(what: string, holds: boolean): void {
  console.log(`${holds ? 'ok  ' : 'FAIL'} ${what}`);
  if (!holds) process.exitCode = 1;
}

const own = await startTestStorage();
const folder = mkdtempSync(path.join(tmpdir(), 'platen-own-'));
const token = 'a-token-of-the-check-of-storage';

/** A service over the same storage, with a data directory of its own. */
async function serve<T>(name: string, work: (platen: Platen) => Promise<T>): Promise<T> {
  const dataDir = path.join(folder, name);
  const { url, stop } = await startService({ port: 0, dataDir, storage: own.storage.access, token });
  try {
    return await work(new Platen({ url, token }));
  } finally {
    await stop(0);
  }
}

try {
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
} finally {
  await own.stop();
  rmSync(folder, { recursive: true, force: true });
}
