import { FoundInRecords, type FoundOfRecords } from './found.ts';
import { warnOnce } from '../shared/http/warnings.ts';
import type { Recorder } from './report/recorder.ts';
import { createReadStream } from 'node:fs';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { ReportJson } from '@platen/contract/report';
import type { PlatenRequest } from '../shared/http/index.ts';
import type { BatchWork } from '../shared/jobs/worker.ts';
import { type RecordFailure, REPORT_FILE } from '../shared/store/job-record.ts';
import { ByteReader } from './byte-reader.ts';
import type { Collector } from './collect.ts';
import { collectionOf } from './collection.ts';
import type { Plan, RenderDependencies } from './plan.ts';
import { SummedReport } from './report/summed.ts';

/** Combines the parts of a batch once all of them are rendered. */

/** The result of one record: size of its encrypted document and its name, or its failure. */
export type Outcome = { size: number; name?: string } | { failure: RecordFailure };

/** The results of a part. */
export interface Outcomes {
  /**
   * The file with its documents, one after the other. Each attempt has its own file, so that two concurrent
   * ones never mix. null: there are none.
   */
  file: string | null;
  records: Outcome[];
  /** The combined report of its documents; null if no report is wanted. */
  report: ReportJson | null;
  /** What filling its templates noticed; null if nothing was rendered. Parts of earlier releases lack it. */
  found?: FoundOfRecords | null;
  /** Warnings about its documents. */
  warnings?: readonly string[];
}

/** Returns the place of a document in the file of a part, to which its encryption is bound. */
export function placeOf(file: string, index: number): string {
  return `${file}#${index}`;
}

/** Adds the warnings of all parts, each once. */
export function warnOfParts(outcomes: readonly Outcomes[], warnings: string[]): void {
  const warn = warnOnce(warnings);
  const found = new FoundInRecords();
  for (const part of outcomes) {
    for (const text of part.warnings ?? []) warn(text);
    if (part.found) found.add(part.found);
  }
  found.warn(warnings);
}

/** Stores the combined report of the documents of all parts. */
export async function storeReport(
  outcomes: readonly Outcomes[],
  { job, store, recorder }: Pick<Storing, 'job' | 'store' | 'recorder'>,
): Promise<void> {
  const whole = new SummedReport();
  for (const { report } of outcomes) if (report !== null) whole.add(report);
  if (whole.isEmpty) return;
  const report = whole.report();
  const violations = [...(report.violations ?? []), ...recorder.violations];
  await store.files.put(
    job.tenant,
    job.id,
    REPORT_FILE,
    Buffer.from(JSON.stringify({ ...report, violations }, null, 2)),
  );
}

/** The inputs of the file besides the documents, and its destination. */
interface Storing {
  job: BatchWork['job'];
  store: BatchWork['store'];
  plan: Plan;
  /** Number of records. */
  total: number;
  /** Records that are left out; null if none may be. */
  left: readonly RecordFailure[] | null;
  file: string;
  headers: Record<string, string>;
  /** Receives the findings about the combined file. */
  recorder: Recorder;
  dependencies: RenderDependencies;
}

/** Makes the file of a job from the documents of its parts. @returns its size in bytes */
export async function storeDocuments(
  outcomes: readonly Outcomes[],
  request: PlatenRequest,
  storing: Storing,
): Promise<number> {
  return storing.plan.whole === null
    ? await storeZip(outcomes, storing)
    : await storePdf(outcomes, request, storing);
}

/** Stores a ZIP while it is written. @returns its size in bytes */
async function storeZip(outcomes: readonly Outcomes[], storing: Storing): Promise<number> {
  const { job, store, plan, total, left, file, headers } = storing;
  const { ZipCollector } = await import('./collect.ts');
  const bytes = new PassThrough();
  const collector = new ZipCollector(bytes, { name: plan.template.name, count: total, output: plan.output });
  const stored = store.files.putStream(job.tenant, job.id, file, bytes, headers);
  // Awaited at the end; if writing the ZIP fails, that error counts.
  stored.catch(() => undefined);
  try {
    await collect(outcomes, collector, storing);
    await collector.finish(left);
  } catch (error) {
    collector.abort();
    bytes.destroy(error instanceof Error ? error : new Error(String(error)));
    throw error;
  }
  return await stored;
}

/** Writes one PDF and stores it. @returns its size in bytes */
async function storePdf(
  outcomes: readonly Outcomes[],
  request: PlatenRequest,
  storing: Storing,
): Promise<number> {
  const { job, store, plan, total, left, file, headers, recorder, dependencies } = storing;
  const { collector, path } = await collectionOf(plan, total, request, dependencies, recorder);
  try {
    await collect(outcomes, collector, storing);
    await collector.finish(left);
  } catch (error) {
    collector.abort();
    throw error;
  }
  return await store.files.putStream(job.tenant, job.id, file, createReadStream(path()), headers);
}

/** Passes the documents of all parts to a collector, in the order of the records. */
async function collect(
  outcomes: readonly Outcomes[],
  collector: Collector,
  { job, store }: Pick<Storing, 'job' | 'store'>,
): Promise<void> {
  let record = 0;
  for (const { file: documentsFile, records } of outcomes) {
    const documents =
      documentsFile === null ? null : await store.files.open(job.tenant, job.id, documentsFile);
    const reader = documents && new ByteReader(documents);
    for (const [inPart, outcome] of records.entries()) {
      const index = record;
      record += 1;
      if ('failure' in outcome) continue;
      if (reader === null || documentsFile === null)
        throw new Error(`the documents of a part are gone: ${documentsFile}`);
      const sealed = await buffer(reader.take(outcome.size));
      const place = placeOf(documentsFile, inPart);
      const content = await store.files.unseal(job.tenant, job.id, place, sealed);
      await collector.add(index, outcome.name ?? null, content);
    }
    documents?.destroy();
  }
}
