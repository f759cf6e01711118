import type { PlatenRequest } from '../../shared/http/index.ts';
import type { JobStep } from '../../shared/jobs/events.ts';
import type { BatchStep, BatchWork } from '../../shared/jobs/worker.ts';
import { inGroups } from '../../shared/store/storage/in-groups.ts';
import { mostJobRecords } from '../combined.ts';
import { readRecords } from '../data/records.ts';
import { dataSource } from '../operations.ts';
import type { RenderDependencies } from '../dependencies.ts';
import { type Plan, sentPlan, storedPlan } from '../plan.ts';
import { assemble, joinRanges, writeRange } from './assembly.ts';
import { RANGE_LIMITS, type RangeLimits } from './gathered.ts';
import { type Part, putParts, putPartsLeft, recordsFile } from './parts.ts';
import { renderPart } from './render-part.ts';

/**
 * A batch as a job. Its records are divided into parts, each part's documents become one file, and the files
 * become one ZIP or one PDF (assembly.ts). `prepare` decides the content of each part once, and the results
 * of a part have one name; so each record is in the result once, however often a part is rendered.
 */

/** Most documents of one part: few enough to lose in a crash. */
const PART_RECORDS = 25;
/** Most parts: their results must fit into the state of a state machine, 256 KB. */
const MAX_PARTS = 40_000;
/** Small files that are written in parallel. */
const FILES_AT_ONCE = 16;

/** @param limits of the ranges of a ZIP; tests have smaller ones */
export function batchSteps(
  dependencies: RenderDependencies,
  limits: RangeLimits = RANGE_LIMITS,
): Partial<Record<JobStep, BatchStep>> {
  const planOf = async (request: PlatenRequest, { job }: BatchWork): Promise<Plan> =>
    job.operation === 'renderTemplateBatch'
      ? await storedPlan(request, dependencies)
      : await sentPlan(request, dependencies);
  type Step = (request: PlatenRequest, work: BatchWork, plan: Plan) => ReturnType<BatchStep>;
  const step =
    (does: Step): BatchStep =>
    async (request, work) =>
      await does(request, work, await planOf(request, work));

  return {
    prepare: async (request, work) => {
      try {
        const plan = await planOf(request, work);
        await prepare(request, work, mostJobRecords(plan, dependencies));
        return undefined;
      } catch (error) {
        // The state machine always reads a list; for a job with a problem, its one part has no records.
        await putPartsLeft(work.job, work.store, [{ part: 0, first: 0, count: 0 }]);
        throw error;
      }
    },
    part: step(async (request, work, plan) => {
      await renderPart(request, work, plan, dependencies);
      return undefined;
    }),
    assemble: step(async (request, work, plan) => await assemble(request, work, plan, dependencies, limits)),
    range: step(async (_request, work, plan) => {
      await writeRange(work, plan);
      return undefined;
    }),
    join: step(async (request, work, plan) => {
      await joinRanges(request, work, plan);
      return undefined;
    }),
  };
}

/** Divides the records into parts. @throws PlatenError as `readRecords` does */
async function prepare(request: PlatenRequest, { job, store }: BatchWork, maxRecords: number): Promise<void> {
  const { tenant, id } = job;
  const records = await readRecords(await dataSource(request), maxRecords);
  const size = Math.max(PART_RECORDS, Math.ceil(records.length / MAX_PARTS));
  const parts: Part[] = [];
  for (let first = 0; first < records.length; first += size) {
    parts.push({ part: parts.length, first, count: Math.min(size, records.length - first) });
  }
  await inGroups(parts, FILES_AT_ONCE, async ({ part, first, count }) => {
    // A record may span several lines in the request.
    const bytes = Buffer.from(JSON.stringify(records.slice(first, first + count)));
    await store.files.putSealed(tenant, id, recordsFile(part), bytes);
  });
  await putParts(job, store, parts);
  await store.setTotal(tenant, id, records.length);
}
