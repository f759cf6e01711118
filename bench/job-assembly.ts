/**
 * Measures the assembly of a job's ZIP: of 2,000 and 20,000 documents of 15 KB (or of the numbers of documents and
 * bytes, and a path for the ZIP, given as arguments). The documents are written as rendered parts are, without rendering
 * them, to an emulated storage in a process of its own. The steps run in this process, one after the other; the state
 * machine runs those of several ranges at a time.
 */
import { fork } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { batchSteps } from '../functions/render/job/steps.ts';
import type { RenderDependencies } from '../functions/render/dependencies.ts';
import { createGroup } from '../functions/shared/http/index.ts';
import { createWorker } from '../functions/shared/jobs/worker.ts';
import { RANGES_FILE } from '../functions/shared/store/jobs/record.ts';
import { setLogLevel } from '../functions/shared/log.ts';
import { IdempotencyStore } from '../functions/shared/store/jobs/idempotency.ts';
import { JobStore } from '../functions/shared/store/jobs.ts';
import { Sealer } from '../functions/shared/store/storage/sealing.ts';
import { startEmbeddedStorage } from '../test/store/embedded.ts';
import { bodyText, CONTEXT, gatewayEvent, multipart } from '../test/support/gateway-event.ts';

if (process.argv[2] === 'storage') {
  const { env } = await startEmbeddedStorage();
  process.send?.(env);
} else {
  const [count = 0, bytes = 15_000] = process.argv.slice(2, 4).map(Number);
  const zip = process.argv[4];
  const storage = fork(import.meta.filename, ['storage']);
  const [env] = (await once(storage, 'message')) as [Record<string, string>];
  Object.assign(process.env, env);
  setLogLevel('silent');
  const sealer = new Sealer(async () => 'the secret of a deployment');
  const at = { table: env['PLATEN_TEMPLATES_TABLE'] ?? '', bucket: env['PLATEN_FILES_BUCKET'] ?? '' };
  const store = new JobStore({ ...at, lifetime: 86_400_000, sealer });
  const jobs = {
    store,
    keys: new IdempotencyStore({ ...at, sealer }),
    runner: { start: async () => undefined, stop: async () => undefined },
    isCallbackAddress: () => true,
  };
  const images = { displayable: () => [] } as unknown as RenderDependencies['images'];
  const tenantFonts = { current: async () => [] };
  const steps = batchSteps({
    maxJobRecords: 1_000_000,
    images,
    tenantFonts,
  } as unknown as RenderDependencies);
  const operations = { renderNowBatch: async () => async () => expectNothing() };
  for (const n of count > 0 ? [count] : [2_000, 20_000]) await measure(n);
  storage.kill();

  function expectNothing(): never {
    throw new Error('answered later');
  }

  async function measure(records: number): Promise<void> {
    const tenant = randomUUID();
    const form = multipart([
      { name: 'file_data', content: '<p>{{ n }}</p>', filename: 'letter.html' },
      { name: 'template_data', content: '{"name":"Letter","format":"html"}' },
      {
        name: 'render_data',
        content: '{}\n'.repeat(records),
        filename: 'records.jsonl',
      },
      { name: 'on_error', content: 'skip' },
    ]);
    const format = process.env['BENCH_FORMAT'] ?? 'pdf';
    const event = gatewayEvent({
      method: 'POST',
      path: `/v1/render/${format}/batch`,
      tenant,
      ...form,
      headers: { ...form.headers, Prefer: 'respond-async' },
    });
    const accepted = await createGroup('render', operations, { jobs })(event, CONTEXT);
    if (accepted.status !== 202) throw new Error(bodyText(accepted));
    const { id } = JSON.parse(bodyText(accepted)) as { id: string };
    const work = createWorker(operations, { jobs }, steps);
    const context = { ...CONTEXT, getRemainingTimeInMillis: () => 3_600_000 };
    const timed = async (step: string, run: () => Promise<unknown>): Promise<void> => {
      const started = performance.now();
      const before = process.cpuUsage();
      await run();
      const { user, system } = process.cpuUsage(before);
      const seconds = (ms: number): string => (ms / 1000).toFixed(1);
      console.log(
        `${records} ${step}: ${seconds(performance.now() - started)} s, ${seconds((user + system) / 1000)} s of CPU`,
      );
    };
    await timed('prepare', async () => await work({ step: 'prepare', job: { tenant, id } }, context));
    await timed('parts (written)', async () => {
      for (let first = 0; first < records; first += 25) {
        const part = first / 25;
        const file = `parts/${part}-x`;
        const documents = await Promise.all(
          Array.from({ length: Math.min(25, records - first) }, async (_, i) =>
            store.files.seal(tenant, id, `${file}#${i}`, randomBytes(bytes)),
          ),
        );
        await store.files.put(tenant, id, file, Buffer.concat(documents));
        const sizes = documents.map(({ length }) => ({ size: length }));
        const outcomes = { file, records: sizes, report: null, found: null, warnings: [] };
        await store.files.putSealed(
          tenant,
          id,
          `parts/${part}-0.json`,
          Buffer.from(JSON.stringify(outcomes)),
        );
      }
    });
    let most = 0;
    const start = process.memoryUsage().rss;
    const looking = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 50);
    await timed('assemble', async () => await work({ step: 'assemble', job: { tenant, id } }, context));
    const list = (await store.files.read(tenant, id, RANGES_FILE))?.toString().trim().split('\n') ?? [];
    for (const line of list) {
      const range = JSON.parse(line) as { range: number };
      await timed(
        `range ${range.range}`,
        async () => await work({ step: 'range', job: { tenant, id }, range }, context),
      );
    }
    if (list.length > 0)
      await timed('join', async () => await work({ step: 'join', job: { tenant, id } }, context));
    clearInterval(looking);
    const job = await store.get(tenant, id);
    const mb = (b: number): string => (b / 2 ** 20).toFixed(0);
    console.log(
      `${records}: ${mb(job?.result?.size ?? 0)} MB, ${mb(start)} MB of memory before, ${mb(most)} MB at the most, ${JSON.stringify(job?.problem)}`,
    );
    if (zip !== undefined) {
      const result = await store.files.open(tenant, id, job?.result?.file ?? '');
      await writeFile(zip, result ?? []);
    }
  }
}
