import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import type { StepAnswer } from '../../shared/jobs/events.ts';
import { document, type PlatenRequest, warningHeader } from '../../shared/http/index.ts';
import { type BatchWork, JobFailure } from '../../shared/jobs/worker.ts';
import { RANGES_FILE, type RecordFailure, REPORT_FILE } from '../../shared/store/jobs/record.ts';
import { batchFailed, REPORTED_FAILURES } from '../batch.ts';
import { collectionOf, fileType } from '../collection.ts';
import { EntryNames } from '../naming.ts';
import { onError } from '../operations.ts';
import { isCompressible } from '../output.ts';
import type { RenderDependencies } from '../dependencies.ts';
import type { Plan } from '../plan.ts';
import { finishingOf, recorded } from '../finishing.ts';
import { Recorder } from '../report/recorder.ts';
import { storeArchive } from './archive.ts';
import { contentsOf, type StoredDocuments } from './documents.ts';
import { Gathered, type RangeLimits } from './gathered.ts';
import { abandoned, listOf, lost, outcomesOf, type Part, partsOf, putPartsLeft } from './parts.ts';
import { storeRange } from './ranges.ts';

/** Makes the result of a batch once its parts are rendered: one ZIP, or one PDF. */

/** Parts whose outcomes are read at a time. */
const READ_AT_ONCE = 32;

/** What is left to do for a ZIP once its ranges are written. */
interface Waiting {
  ranges: number;
  lists: number | null;
  done: number;
  failed: number;
  failures: RecordFailure[];
  warnings: string[];
}

const WAITING_FILE = 'ranges/waiting';

/**
 * Makes the result, or stores what is to be done before that: the parts that were stopped before their end, or the ranges
 * of a ZIP with so many documents that one step could not write it.
 *
 * @throws JobFailure `batch_failed`; PlatenError `answer_too_large`
 */
export async function assemble(
  request: PlatenRequest,
  work: BatchWork,
  plan: Plan,
  dependencies: RenderDependencies,
  limits: RangeLimits,
): Promise<StepAnswer['next']> {
  const { job, store } = work;
  const { tenant, id } = job;
  const total = job.total ?? 0;
  const skip = onError(request) === 'skip';
  const isZip = plan.whole === null;
  const gathered = new Gathered(work, {
    names: isZip ? new EntryNames(plan.template.name, total, plan.output) : null,
    isListed: skip && isZip,
    limits,
  });
  const left = await gather(gathered, work, skip);
  const { done, failed, failures } = gathered;
  if (left.length > 0 && (skip || failed < REPORTED_FAILURES)) {
    await putPartsLeft(job, store, left);
    return 'parts';
  }
  // A PDF has at least one page.
  const isEmpty = !isZip && done === 0;
  if (isEmpty || (!skip && (failed > 0 || done < total))) {
    throw new JobFailure(failed > 0 ? batchFailed(failures.slice(0, REPORTED_FAILURES), total) : lost(), {
      done,
      failed,
      failures,
    });
  }
  await gathered.closeList();
  const progress = { done, failed, failures };
  const lists = gathered.lists;
  if (!isZip) {
    const recorder = new Recorder();
    const { file, size } = await storePdf(gathered.open, request, { work, plan, recorder, dependencies });
    await storeReport(gathered, recorder, work);
    gathered.warn(request.warnings);
    await noteResult({ file, size }, progress, request.warnings, work, plan);
    return 'settle';
  }
  await storeReport(gathered, new Recorder(), work);
  gathered.warn(request.warnings);
  const contents = { ranges: 0, lists: skip ? lists : null };
  if (gathered.ranges === 0) {
    const stored = await storeZip({ ...contents, open: gathered.open }, request, work, plan);
    await noteResult(stored, progress, request.warnings, work, plan);
    return 'settle';
  }
  if (gathered.open.length > 0) await gathered.closeRange();
  const ranges = gathered.ranges;
  const waiting: Waiting = { ...contents, ranges, ...progress, warnings: request.warnings };
  await store.files.putSealed(tenant, id, WAITING_FILE, Buffer.from(JSON.stringify(waiting)));
  await store.files.put(
    tenant,
    id,
    RANGES_FILE,
    listOf(Array.from({ length: ranges }, (_, range) => ({ range }))),
  );
  return 'ranges';
}

/** Writes one range of a ZIP. */
export async function writeRange({ event, ...work }: BatchWork, plan: Plan): Promise<void> {
  if (event.range === undefined) throw new Error('a range without a number');
  await storeRange(event.range.range, isCompressible(plan.output), work);
}

/** Makes the ZIP of its ranges. */
export async function joinRanges(request: PlatenRequest, work: BatchWork, plan: Plan): Promise<void> {
  const { job, store } = work;
  const kept = await store.files.readSealed(job.tenant, job.id, WAITING_FILE);
  if (kept === null) throw new Error('the list of ranges is gone');
  const { ranges, lists, warnings, ...progress } = JSON.parse(kept.toString('utf8')) as Waiting;
  const stored = await storeZip({ ranges, lists, open: [] }, request, work, plan);
  await noteResult(stored, progress, warnings, work, plan);
}

/** Adds the outcomes of all parts, in their order. @returns the parts that were stopped before their end */
async function gather(gathered: Gathered, { job, store }: BatchWork, skip: boolean): Promise<Part[]> {
  const parts = await partsOf(job, store);
  const left: Part[] = [];
  for (let start = 0; start < parts.length; start += READ_AT_ONCE) {
    const group = parts.slice(start, start + READ_AT_ONCE);
    const known = await Promise.all(group.map((part) => outcomesOf(job, store, part)));
    for (const [index, part] of group.entries()) {
      const { outcomes = [], count = 0 } = known[index] ?? {};
      for (const some of outcomes) await gathered.add(some);
      if (count === part.count) continue;
      if (outcomes.length > 0) left.push(part);
      // An all-or-nothing batch leaves parts out once enough records have failed; those failures are reported instead.
      else if (skip) await gathered.add(abandoned(part, lost()));
    }
  }
  return left;
}

/** Stores the combined report of the documents of all records. */
async function storeReport(
  { reports }: Gathered,
  { violations: ofWhole }: Recorder,
  { job, store }: BatchWork,
): Promise<void> {
  if (reports.isEmpty) return;
  const report = reports.report();
  const violations = [...(report.violations ?? []), ...ofWhole];
  const bytes = Buffer.from(JSON.stringify({ ...report, violations }, null, 2));
  await store.files.put(job.tenant, job.id, REPORT_FILE, bytes);
}

interface Stored {
  file: string;
  /** Bytes. */
  size: number;
}

const newFile = (): string => `result-${randomUUID()}`;

function headersOf({ template, whole }: Plan): Record<string, string> {
  return document({ body: Readable.from([]), ...fileType(template.name, whole) }).headers;
}

async function storeZip(
  contents: Parameters<typeof storeArchive>[0],
  { scratch }: PlatenRequest,
  work: BatchWork,
  plan: Plan,
): Promise<Stored> {
  const file = newFile();
  const compress = isCompressible(plan.output);
  const target = { file, headers: headersOf(plan), compress, scratch };
  return { file, size: await storeArchive(contents, target, work) };
}

/** Writes one PDF and stores it. */
async function storePdf(
  files: readonly StoredDocuments[],
  request: PlatenRequest,
  {
    work,
    plan,
    recorder,
    dependencies,
  }: { work: BatchWork; plan: Plan; recorder: Recorder; dependencies: RenderDependencies },
): Promise<Stored> {
  const { job, store } = work;
  const finishing = recorded(finishingOf(request, dependencies), recorder);
  const collector = await collectionOf(plan, job.total ?? 0, finishing);
  try {
    for await (const { record, name, content } of contentsOf(files, work)) {
      await collector.add(record, name, content);
    }
    await collector.finish(null);
  } catch (error) {
    collector.abort();
    throw error;
  }
  const file = newFile();
  const body = createReadStream(collector.path);
  return { file, size: await store.files.putStream(job.tenant, job.id, file, body, headersOf(plan)) };
}

async function noteResult(
  { file, size }: Stored,
  progress: { done: number; failed: number; failures: readonly RecordFailure[] },
  warnings: readonly string[],
  { job, store }: BatchWork,
  plan: Plan,
): Promise<void> {
  const warned = warnings.length === 0 ? {} : { warning: warningHeader(warnings) };
  const headers = { ...headersOf(plan), ...warned, 'content-length': String(size) };
  await store.noteResult(job.tenant, job.id, { result: { file, size, headers }, ...progress });
}
