import type { ReportJson } from '@platen/contract/resources';
import { PlatenError } from '@platen/core/errors';
import type { BatchWork } from '../../shared/jobs/worker.ts';
import { PARTS_FILE, type RecordFailure } from '../../shared/store/jobs/record.ts';
import { failureOf } from '../batch.ts';
import type { FoundOfRecords } from '../found.ts';

/** The parts of a batch, and the outcomes of their records. */

/** Consecutive records that are rendered together. */
export interface Part {
  part: number;
  /** Index of its first record. */
  first: number;
  count: number;
}

/** The result of one record: size of its encrypted document and its name, or its failure. */
export type Outcome = { size: number; name?: string } | { failure: RecordFailure };

/** The outcomes of some consecutive records of a part: of all, unless it was stopped before its end. */
export interface Outcomes {
  /**
   * The file with its documents, one after the other. Each attempt has its own file, so that two concurrent
   * ones never mix. null: there are none.
   */
  file: string | null;
  records: Outcome[];
  /** The combined report of its documents; null if no report is wanted. */
  report: ReportJson | null;
  /** What filling its templates noticed; null if nothing was rendered. */
  found: FoundOfRecords | null;
  /** Warnings about its documents. */
  warnings: readonly string[];
}

/** What is known about a part: the outcomes so far, and the number of their records. */
export interface PartSoFar {
  outcomes: Outcomes[];
  count: number;
}

type Job = BatchWork['job'];
type Store = BatchWork['store'];

/** All parts, in the same form as the list of those to be rendered, which is shorter when only some are left. */
const ALL_PARTS_FILE = 'parts/all';

export const recordsFile = (part: number): string => `records/${part}`;
/** @param from the first of its records in the part */
const outcomesFile = (part: number, from: number): string => `parts/${part}-${from}.json`;

/** Returns the place of a document in the file of a part, to which its encryption is bound. */
export function placeOf(file: string, index: number): string {
  return `${file}#${index}`;
}

/** Returns a list for a map of the state machine: one JSON object a line. */
export function listOf(items: readonly object[]): Buffer {
  return Buffer.from(items.map((item) => `${JSON.stringify(item)}\n`).join(''));
}

/** Stores the parts of a job, all of which are to be rendered. */
export async function putParts({ tenant, id }: Job, store: Store, parts: readonly Part[]): Promise<void> {
  await store.files.put(tenant, id, ALL_PARTS_FILE, listOf(parts));
  await putPartsLeft({ tenant, id }, store, parts);
}

/** Stores the list of the parts that are to be rendered. */
export async function putPartsLeft(
  { tenant, id }: Pick<Job, 'tenant' | 'id'>,
  store: Store,
  parts: readonly Part[],
): Promise<void> {
  await store.files.put(tenant, id, PARTS_FILE, listOf(parts));
}

/** Returns all parts of a job. */
export async function partsOf({ tenant, id }: Job, store: Store): Promise<Part[]> {
  const kept = await store.files.read(tenant, id, ALL_PARTS_FILE);
  if (kept === null) throw new Error('the list of parts is gone');
  return kept
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Part);
}

/** Returns the outcomes of a part so far; each list of them continues where the one before ends. */
export async function outcomesOf(
  { tenant, id }: Job,
  store: Store,
  { part, count }: Part,
): Promise<PartSoFar> {
  const known: PartSoFar = { outcomes: [], count: 0 };
  while (known.count < count) {
    const kept = await store.files.readSealed(tenant, id, outcomesFile(part, known.count));
    if (kept === null) break;
    const outcomes = JSON.parse(kept.toString('utf8')) as Outcomes;
    known.outcomes.push(outcomes);
    known.count += outcomes.records.length;
  }
  return known;
}

/**
 * Stores the outcomes of the next records of a part. Another attempt may replace them with those of more or fewer of the
 * same records: what then follows them is found or missing, and each record still has one outcome.
 *
 * @returns the outcomes of the part so far
 */
export async function putOutcomes(
  { tenant, id }: Job,
  store: Store,
  part: Part,
  known: PartSoFar,
  outcomes: Outcomes,
): Promise<PartSoFar> {
  const file = outcomesFile(part.part, known.count);
  await store.files.putSealed(tenant, id, file, Buffer.from(JSON.stringify(outcomes)));
  return { outcomes: [...known.outcomes, outcomes], count: known.count + outcomes.records.length };
}

/** Returns failures for consecutive records that were given up, as the failing one is unknown. */
export function abandoned({ first, count }: Pick<Part, 'first' | 'count'>, why: PlatenError): Outcomes {
  const records = Array.from({ length: count }, (_, i) => ({ failure: failureOf(first + i, why) }));
  return { file: null, records, report: null, found: null, warnings: [] };
}

/** Returns the error of a part without any recorded result. */
export function lost(): PlatenError {
  return new PlatenError(
    'print_failed',
    'The record was not rendered, because the work on its part of the batch was stopped.',
  );
}
