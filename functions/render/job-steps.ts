import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { isPlatenError, PlatenError } from '@platen/core/errors';
import { document, type PlatenRequest, warningHeader } from '../shared/http/index.ts';
import { type BatchStep, type BatchWork, JobFailure } from '../shared/jobs/worker.ts';
import { Recorder } from './report/recorder.ts';
import type { JobStep } from '../shared/jobs/events.ts';
import { givenUp } from '../shared/jobs/given-up.ts';
import { PARTS_FILE } from '../shared/store/job-record.ts';
import { type Batch, batchFailed, failureOf, inOrder, REPORTED_FAILURES } from './batch.ts';
import { fileType } from './collection.ts';
import { readRecords } from './data/records.ts';
import {
  type Outcome,
  type Outcomes,
  placeOf,
  storeDocuments,
  storeReport,
  warnOfParts,
} from './job-file.ts';
import { dataSource, onError, recordsAtOnce } from './operations.ts';
import { type Plan, type RenderDependencies, sentPlan, storedPlan } from './plan.ts';
import { openRendering } from './rendering.ts';
import { SummedReport } from './report/summed.ts';

/**
 * A batch as a job. Its records are divided into parts, each part's documents become one file, and the files
 * become one ZIP or one PDF (job-file.ts). `prepare` decides the content of each part once, and the results
 * of a part have one name; so each record is in the result once, however often a part is rendered.
 */

/** Most documents of one part: few enough to lose in a crash and to fit into the time of one invocation. */
const PART_RECORDS = 25;
/** Most parts: their results must fit into the state of a state machine, 256 KB. */
const MAX_PARTS = 40_000;
/** Small files that are read or written in parallel. */
const FILES_AT_ONCE = 16;

interface Part {
  part: number;
  /** Index of its first record. */
  first: number;
  count: number;
}

const recordsFile = (part: number): string => `records/${part}`;
const outcomesFile = (part: number): string => `parts/${part}.json`;

/** A request of a batch route; its operation identifies the route. */
type BatchRequest = PlatenRequest;

export function batchSteps(dependencies: RenderDependencies): Partial<Record<JobStep, BatchStep>> {
  const planOf = async (request: BatchRequest, { job }: BatchWork): Promise<Plan> =>
    job.operation === 'renderTemplateBatch'
      ? await storedPlan(request, dependencies)
      : await sentPlan(request, dependencies);
  type Step = (request: BatchRequest, work: BatchWork, plan: Plan) => Promise<void>;
  const step =
    (does: Step): BatchStep =>
    async (request, work) =>
      await does(request, work, await planOf(request, work));

  return {
    prepare: async (request, work) => {
      try {
        await planOf(request, work);
        await prepare(request, work, dependencies.maxJobRecords);
      } catch (error) {
        // The state machine always reads a list; for a job with a problem it is empty.
        await work.store.files.put(
          work.job.tenant,
          work.job.id,
          PARTS_FILE,
          listOf([{ part: 0, first: 0, count: 0 }]),
        );
        throw error;
      }
    },
    part: step((request, work, plan) => renderPart(request, work, plan, dependencies)),
    assemble: step((request, work, plan) => assemble(request, work, plan, dependencies)),
  };
}

/** Divides the records into parts. @throws PlatenError as `readRecords` does */
async function prepare(request: BatchRequest, { job, store }: BatchWork, maxRecords: number): Promise<void> {
  const { tenant, id } = job;
  const records = await readRecords(await dataSource(request), maxRecords);
  const size = Math.max(PART_RECORDS, Math.ceil(records.length / MAX_PARTS));
  const parts: Part[] = [];
  for (let first = 0; first < records.length; first += size) {
    parts.push({ part: parts.length, first, count: Math.min(size, records.length - first) });
  }
  await inGroups(parts, ({ part, first, count }) =>
    // A record may span several lines in the request.
    store.files.putSealed(
      tenant,
      id,
      recordsFile(part),
      Buffer.from(JSON.stringify(records.slice(first, first + count))),
    ),
  );
  await store.files.put(tenant, id, PARTS_FILE, listOf(parts));
  await store.setTotal(tenant, id, records.length);
}

function listOf(parts: readonly Part[]): Buffer {
  return Buffer.from(parts.map((part) => `${JSON.stringify(part)}\n`).join(''));
}

/** Renders the records of one part, or records why they are given up, and counts them. */
async function renderPart(
  request: BatchRequest,
  { job, store, event }: BatchWork,
  plan: Plan,
  dependencies: RenderDependencies,
): Promise<void> {
  const { tenant, id } = job;
  const { part } = event;
  if (part === undefined) throw new Error('a part without a number');
  const known = await outcomesOf(job, store, part.part);
  if (known === null && onError(request) === 'fail' && job.failed >= REPORTED_FAILURES) return;
  const outcomes =
    known ??
    (event.error
      ? abandoned(part, givenUp(event.error, crashed))
      : await renderRecords(request, { job, store, event }, plan, part, dependencies));
  if (known === null) {
    await store.files.putSealed(tenant, id, outcomesFile(part.part), Buffer.from(JSON.stringify(outcomes)));
  }
  const done = outcomes.records.filter((outcome) => 'size' in outcome).length;
  await store.countPart(job, part.part, { done, failed: outcomes.records.length - done });
}

/** Writes the documents of a part to its file, one after the other. */
async function renderRecords(
  request: BatchRequest,
  { job, store }: BatchWork,
  plan: Plan,
  { part, first }: Part,
  dependencies: RenderDependencies,
): Promise<Outcomes> {
  const { tenant, id } = job;
  const kept = await store.files.readSealed(tenant, id, recordsFile(part));
  if (kept === null) throw new Error(`the records of part ${part} are gone`);
  const records = JSON.parse(kept.toString('utf8')) as string[];
  const name = `parts/${part}-${randomUUID()}`;
  const path = join(await request.scratch(), 'documents');
  const file = createWriteStream(path);
  const written = finished(file);
  written.catch(() => undefined);
  const outcomes: Outcome[] = [];
  const reports = new SummedReport();
  let found: Outcomes['found'] = null;
  {
    await using rendering = await openRendering(plan, request, dependencies);
    const render: Batch['render'] = async (record, index) => await rendering.render(record, first + index);
    const { signal } = request;
    const concurrency = recordsAtOnce(plan, dependencies);
    for await (const [index, outcome] of inOrder({ records, concurrency, render, signal }, () => false)) {
      if (isPlatenError(outcome)) {
        outcomes.push({ failure: failureOf(first + index, outcome) });
        continue;
      }
      const { bytes, name: recordName, report } = outcome;
      if (report !== null) reports.add(report, first + index);
      const sealed = await store.files.seal(tenant, id, placeOf(name, index), bytes);
      if (!file.write(sealed)) await Promise.race([once(file, 'drain'), written]);
      outcomes.push({ size: sealed.byteLength, ...(recordName === null ? {} : { name: recordName }) });
    }
    found = rendering.found.all;
  }
  file.end();
  await written;
  await store.files.putStream(tenant, id, name, createReadStream(path));
  return {
    file: name,
    records: outcomes,
    report: reports.isEmpty ? null : reports.report(),
    found,
    warnings: request.warnings,
  };
}

/** Makes one file of all documents, in the order of the records. @throws JobFailure `batch_failed` */
async function assemble(
  request: BatchRequest,
  { job, store }: BatchWork,
  plan: Plan,
  dependencies: RenderDependencies,
): Promise<void> {
  const { tenant, id } = job;
  const total = job.total ?? 0;
  const parts = await partsOf(job, store);
  const skip = onError(request) === 'skip';
  const outcomes = await inGroups(
    parts,
    async (part) =>
      (await outcomesOf(job, store, part.part)) ??
      // An all-or-nothing batch leaves parts out once enough records have failed; those failures are reported instead.
      abandoned(skip ? part : { ...part, count: 0 }, lost()),
  );
  const all = outcomes.flatMap(({ records }) => records);
  const failures = all.flatMap((outcome) => ('failure' in outcome ? [outcome.failure] : []));
  const done = all.length - failures.length;
  const progress = { done, failed: failures.length, failures };
  // A PDF has at least one page.
  const isEmpty = plan.whole !== null && done === 0;
  if (isEmpty || (!skip && (failures.length > 0 || done < total))) {
    throw new JobFailure(
      failures.length > 0 ? batchFailed(failures.slice(0, REPORTED_FAILURES), total) : lost(),
      progress,
    );
  }

  const { template, whole } = plan;
  const file = `result-${randomUUID()}`;
  const { headers } = document({ body: Readable.from([]), ...fileType(template.name, whole) });
  const recorder = new Recorder();
  const storing = {
    job,
    store,
    plan,
    total,
    left: skip ? failures : null,
    file,
    headers,
    recorder,
    dependencies,
  };
  const size = await storeDocuments(outcomes, request, storing);
  await storeReport(outcomes, storing);
  warnOfParts(outcomes, request.warnings);
  const warned = request.warnings.length === 0 ? {} : { warning: warningHeader(request.warnings) };
  const result = { file, size, headers: { ...headers, ...warned, 'content-length': String(size) } };
  await store.noteResult(tenant, id, { result, ...progress });
}

/** Returns failures for all records of a part that was given up, as the failing one is unknown. */
function abandoned({ first, count }: Part, why: PlatenError): Outcomes {
  const records = Array.from({ length: count }, (_, i) => ({ failure: failureOf(first + i, why) }));
  return { file: null, records, report: null, found: null, warnings: [] };
}

/** @param name of the error with which each attempt ended */
function crashed(name: string): PlatenError {
  return RUNTIME_ERROR.test(name)
    ? new PlatenError(
        'print_failed',
        'The record, or one next to it, crashed the engine several times and was skipped.',
      )
    : new PlatenError('internal_error', 'Something went wrong in the service, several times.');
}

/** Lambda's error names for a function that crashed or was ended while it worked. */
const RUNTIME_ERROR = /^(Runtime\..*|Lambda\.Unknown)$/;

/** Returns the error of a part without any recorded result. */
function lost(): PlatenError {
  return new PlatenError(
    'print_failed',
    'The record was not rendered, because the work on its part of the batch was stopped.',
  );
}

async function partsOf({ tenant, id }: BatchWork['job'], store: BatchWork['store']): Promise<Part[]> {
  const kept = await store.files.read(tenant, id, PARTS_FILE);
  if (kept === null) throw new Error('the list of parts is gone');
  return kept
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Part);
}

/** Returns the results of a part's records; null if it has not been rendered completely. */
async function outcomesOf(
  { tenant, id }: BatchWork['job'],
  store: BatchWork['store'],
  part: number,
): Promise<Outcomes | null> {
  const kept = await store.files.readSealed(tenant, id, outcomesFile(part));
  return kept === null ? null : (JSON.parse(kept.toString('utf8')) as Outcomes);
}

/** Runs `work` for each item, some at a time, and returns the results in order. */
async function inGroups<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < items.length; start += FILES_AT_ONCE) {
    results.push(...(await Promise.all(items.slice(start, start + FILES_AT_ONCE).map(work))));
  }
  return results;
}
