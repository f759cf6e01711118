import { createGroup, streaming } from '../shared/http/index.ts';
import { stepFunctionsRunner } from '../shared/jobs/runner.ts';
import { setLogLevel } from '../shared/log.ts';
import { JobStore } from '../shared/store/jobs.ts';
import { servingServices } from '../shared/http/serving.ts';
import { catchUp, isCatchUp } from './catch-up.ts';
import { readConfig } from './config.ts';
import { jobOperations } from './operations.ts';
import { settleJob } from './settle.ts';

const config = readConfig();
setLogLevel(config.logLevel);

const store = new JobStore({
  table: config.jobsTable,
  bucket: config.filesBucket,
  lifetime: config.jobs?.lifetime ?? 0,
});
const runner = config.jobs === null ? null : stepFunctionsRunner(config.jobs.machine);

export const serve = createGroup('jobs', jobOperations(config, { store, runner }), {
  ...servingServices(config),
});

export const handler = streaming(
  serve,
  async (event) => {
    await settleJob(event, store);
    return {};
  },
  (event) => (isCatchUp(event) && runner !== null ? catchUp(store, runner).then(() => ({})) : undefined),
);
