import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { isPlatenError, PlatenError } from '@platen/core/errors';
import type { PlatenRequest } from '../../shared/http/index.ts';
import { givenUp } from '../../shared/jobs/given-up.ts';
import type { BatchWork } from '../../shared/jobs/worker.ts';
import { type Batch, failureOf, inOrder, REPORTED_FAILURES } from '../batch.ts';
import { onError, recordsAtOnce } from '../operations.ts';
import type { RenderDependencies } from '../dependencies.ts';
import type { Plan } from '../plan.ts';
import { renderRecord } from '../render-record.ts';
import { openRendering } from '../rendering.ts';
import { SummedReport } from '../report/summed.ts';
import { MAX_ARCHIVE_BYTES, tooLarge } from './gathered.ts';
import {
  abandoned,
  type Outcome,
  type Outcomes,
  outcomesOf,
  type Part,
  placeOf,
  putOutcomes,
  recordsFile,
} from './parts.ts';

/** Renders the records of one part of a batch. */

/**
 * The share of a function's time in which a part begins records. Every record then has at least the rest of the time,
 * several minutes, which is more than its own limits allow it. What was not begun is handed back and rendered later.
 */
const BEGINNING_SHARE = 0.5;
/** The share of the time that is left for storing the documents, at most these milliseconds. */
const STORING_SHARE = 0.1;
const MAX_STORING_MS = 30_000;

/**
 * Renders the records of a part as long as there is time, or records why they are given up. When all records of the part
 * have an outcome, it is counted.
 *
 * @throws PlatenError `answer_too_large` when the documents of the batch are too large for a ZIP
 */
export async function renderPart(
  request: PlatenRequest,
  { job, store, event }: BatchWork,
  plan: Plan,
  dependencies: RenderDependencies,
): Promise<void> {
  const { part } = event;
  if (part === undefined) throw new Error('a part without a number');
  if (plan.whole === null && job.bytes > MAX_ARCHIVE_BYTES) throw tooLarge();
  let known = await outcomesOf(job, store, part);
  if (known.count < part.count) {
    if (onError(request) === 'fail' && job.failed >= REPORTED_FAILURES) return;
    const first = part.first + known.count;
    const rest = { part: part.part, first, count: part.count - known.count };
    const outcomes = event.error
      ? abandoned(rest, givenUp(event.error, crashed))
      : await renderRecords(
          request,
          { job, store, event },
          plan,
          { ...rest, from: known.count },
          dependencies,
        );
    known = await putOutcomes(job, store, part, known, outcomes);
  }
  // The state machine renders the rest with the next list of parts.
  if (known.count < part.count) return;
  const records = known.outcomes.flatMap((outcomes) => outcomes.records);
  const sizes = records.flatMap((outcome) => ('size' in outcome ? [outcome.size] : []));
  await store.countPart(job, part.part, {
    done: sizes.length,
    failed: records.length - sizes.length,
    bytes: sizes.reduce((sum, size) => sum + size, 0),
  });
}

/**
 * Writes the documents of records to a file, one after the other.
 *
 * @param part.from number of the first of the records in the file of the records of the part
 * @returns the outcomes of the first of the records, at least of one
 */
async function renderRecords(
  request: PlatenRequest,
  { job, store }: BatchWork,
  plan: Plan,
  { part, first, from }: Part & { from: number },
  dependencies: RenderDependencies,
): Promise<Outcomes> {
  const { tenant, id } = job;
  const kept = await store.files.readSealed(tenant, id, recordsFile(part));
  if (kept === null) throw new Error(`the records of part ${part} are gone`);
  const records = (JSON.parse(kept.toString('utf8')) as string[]).slice(from);
  const name = `parts/${part}-${randomUUID()}`;
  const path = join(await request.scratch(), 'documents');
  const file = createWriteStream(path);
  const written = finished(file);
  written.catch(() => undefined);
  const outcomes: Outcome[] = [];
  const reports = new SummedReport();
  const time = timeOf(request);
  const signal = AbortSignal.any([request.signal, time.late]);
  const concurrency = recordsAtOnce(plan, dependencies);
  let found: Outcomes['found'];
  {
    await using rendering = await openRendering(plan, { ...request, signal }, dependencies);
    const render: Batch['render'] = async (record, index) =>
      await renderRecord(rendering, record, first + index);
    try {
      const batch = { records, concurrency, render, signal };
      for await (const [index, outcome] of inOrder(batch, { begin: time.mayBegin })) {
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
    } catch (error) {
      if (!time.late.aborted) throw error;
      // The first record had all of the time; others get it when the rest of the part is rendered.
      if (outcomes.length === 0) outcomes.push({ failure: failureOf(first, tookTooLong()) });
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

/** Returns until when records may be begun, and the signal for those that are still in work near the deadline. */
function timeOf({ deadline }: Pick<PlatenRequest, 'deadline'>): {
  mayBegin: () => boolean;
  late: AbortSignal;
} {
  const now = Date.now();
  const left = Math.max(1, deadline - now);
  const last = now + left * BEGINNING_SHARE;
  const storing = Math.min(MAX_STORING_MS, left * STORING_SHARE);
  return { mayBegin: () => Date.now() < last, late: AbortSignal.timeout(Math.ceil(left - storing)) };
}

function tookTooLong(): PlatenError {
  return new PlatenError('deadline_exceeded', 'The record took too long.');
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
