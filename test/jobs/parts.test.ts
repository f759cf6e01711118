import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { batchSteps } from '../../functions/render/job/steps.ts';
import type { RenderDependencies } from '../../functions/render/dependencies.ts';
import { settleJob } from '../../functions/jobs/settle.ts';
import { createGroup } from '../../functions/shared/http/index.ts';
import { createWorker } from '../../functions/shared/jobs/worker.ts';
import type { JobServices } from '../../functions/shared/jobs/config.ts';
import { JobStore } from '../../functions/shared/store/jobs.ts';
import { Sealer } from '../../functions/shared/store/storage/sealing.ts';
import type { EmbeddedStorage } from '../store/embedded.ts';
import { ONLY_AS_JOB, startEmbeddedJobs } from './embedded-jobs.ts';
import { bodyText, CONTEXT, gatewayEvent, multipart } from '../support/gateway-event.ts';

/** What becomes of the records of a part that the state machine has given up. */

let storage: EmbeddedStorage;
let store: JobStore;
let jobs: JobServices;
/** Nothing is rendered here. */
const images = { displayable: () => [] } as unknown as RenderDependencies['images'];
const dependencies = { maxJobRecords: 100, images } as RenderDependencies;
const operations = ONLY_AS_JOB;

beforeAll(async () => {
  ({ storage, store, jobs } = await startEmbeddedJobs());
});
afterAll(() => storage.stop());

/** A batch of 30 records, the first part of which was given up with an error, and the second not even noted. */
async function batch(onError: string, error: { Error: string; Cause?: string }) {
  const tenant = randomUUID();
  const form = multipart([
    { name: 'file_data', content: '<p>{{ n }}</p>', filename: 'letter.html' },
    { name: 'template_data', content: '{"name":"Letter","format":"html"}' },
    { name: 'render_data', content: JSON.stringify(Array.from({ length: 30 }, (_, n) => ({ n }))) },
    { name: 'on_error', content: onError },
  ]);
  const headers = { ...form.headers, Prefer: 'respond-async' };
  const event = gatewayEvent({ method: 'POST', path: '/v1/render/html/batch', tenant, ...form, headers });
  const accepted = await createGroup('render', operations, { jobs })(event, CONTEXT);
  const { id } = JSON.parse(bodyText(accepted)) as { id: string };
  const job = { tenant, id };
  const work = createWorker(operations, { jobs }, batchSteps(dependencies));
  await work({ step: 'prepare', job }, CONTEXT);
  // A step that is done twice counts once.
  for (const _ of [1, 2]) {
    await work({ step: 'part', job, part: { part: 0, first: 0, count: 25 }, error }, CONTEXT);
  }
  const shown = await store.get(tenant, id);
  await work({ step: 'assemble', job }, CONTEXT);
  await settleJob({ step: 'settle', job }, store);
  return { before: shown, after: await store.get(tenant, id) };
}

it('a step without storage ends with the code of the error, from its beginning on', async () => {
  const sealer = new Sealer(async () => 'the secret of a deployment');
  const away = new JobStore({ table: 'none', bucket: storage.bucket, lifetime: 1_000_000, sealer });
  const work = createWorker(operations, { jobs: { ...jobs, store: away } }, batchSteps(dependencies));
  const job = { tenant: randomUUID(), id: 'x' };
  await expect(work({ step: 'part', job }, CONTEXT)).rejects.toThrow(
    expect.objectContaining({ name: 'storage_unavailable' }),
  );
});

describe('a part that was given up', () => {
  it.each([
    ['Runtime.ExitError', 'print_failed', 'crashed the engine'],
    ['Lambda.Unknown', 'print_failed', 'crashed the engine'],
    ['Sandbox.Timedout', 'deadline_exceeded', 'too long'],
    ['storage_unavailable', 'storage_unavailable', 'several attempts'],
    // Neither is anything that a record has done.
    ['Lambda.ServiceException', 'internal_error', 'in the service'],
    ['Lambda.TooManyRequestsException', 'internal_error', 'in the service'],
  ])('with %s reports %s for its records, and counts them as failed', async (Error, code, message) => {
    const { before, after } = await batch('skip', { Error });
    expect(before).toMatchObject({ total: 30, done: 0, failed: 25 });
    expect(after).toMatchObject({ state: 'succeeded', done: 0, failed: 30 });
    expect(after?.failures[24]).toMatchObject({ record: 24, code });
    expect(after?.failures[24]?.detail).toContain(message);
    // Of these nobody has said why.
    expect(after?.failures[25]).toMatchObject({ record: 25, code: 'print_failed' });
    expect(after?.failures[25]?.detail).toContain('was not rendered');
  });

  it('fails a batch that is to be whole', async () => {
    const { after } = await batch('fail', { Error: 'Runtime.ExitError' });
    expect(after).toMatchObject({ state: 'failed', problem: { code: 'batch_failed' } });
  });
});
