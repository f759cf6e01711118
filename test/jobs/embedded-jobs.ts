import type { Operations } from '../../functions/shared/http/index.ts';
import type { JobServices } from '../../functions/shared/jobs/config.ts';
import { setLogLevel } from '../../functions/shared/log.ts';
import { IdempotencyStore } from '../../functions/shared/store/jobs/idempotency.ts';
import { JobStore } from '../../functions/shared/store/jobs.ts';
import { Sealer } from '../../functions/shared/store/storage/sealing.ts';
import { type EmbeddedStorage, startEmbeddedStorage } from '../store/embedded.ts';

/** Jobs in the local storage whose steps the tests call themselves: nothing runs them. */
export interface EmbeddedJobs {
  storage: EmbeddedStorage;
  store: JobStore;
  jobs: JobServices;
}

/** Starts the storage; whoever calls this stops it. */
export async function startEmbeddedJobs(): Promise<EmbeddedJobs> {
  setLogLevel('silent');
  const storage = await startEmbeddedStorage();
  const { table, bucket } = storage;
  const sealer = new Sealer(async () => 'the secret of a deployment');
  const store = new JobStore({ table, bucket, lifetime: 1_000_000, sealer });
  const jobs: JobServices = {
    store,
    keys: new IdempotencyStore({ table, bucket, sealer }),
    runner: { start: async () => undefined, stop: async () => undefined },
    isCallbackAddress: () => true,
  };
  return { storage, store, jobs };
}

/** The operation of a batch, which is accepted only as a job. */
export const ONLY_AS_JOB: Operations<'render'> = {
  renderNowBatch: async () => async () => {
    throw new Error('answered later');
  },
};
