import { PlatenError } from '@platen/core/errors';
import type { BatchWork } from '../../shared/jobs/worker.ts';
import { MAX_JOINED } from '../../shared/store/jobs/files.ts';
import { MAX_FAILURES, type RecordFailure } from '../../shared/store/jobs/record.ts';
import { FoundInRecords } from '../found.ts';
import type { EntryNames } from '../naming.ts';
import { SummedReport } from '../report/summed.ts';
import type { StoredDocuments } from './documents.ts';
import type { Outcomes } from './parts.ts';
import { rangeFile } from './ranges.ts';

/**
 * What the outcomes of all records come to. Outcomes are added one part after the other; documents and failures are
 * written to lists in the storage, so that memory hardly depends on their number.
 */

/** When a range of a ZIP ends, after the part that reaches one of them. */
export interface RangeLimits {
  /** Bytes of its documents, before they are compressed. */
  bytes: number;
  /** Documents, if they have at least `fewestBytes`: a smaller range cannot be a piece of a file. */
  documents: number;
  fewestBytes: number;
}

export const RANGE_LIMITS: Readonly<RangeLimits> = {
  bytes: 128 * 1024 * 1024,
  documents: 50_000,
  fewestBytes: 8 * 1024 * 1024,
};
/** Most ranges: the end of the file is one more piece. */
const MAX_RANGES = MAX_JOINED - 1;
/** Most bytes of the documents of a ZIP. */
export const MAX_ARCHIVE_BYTES = MAX_RANGES * RANGE_LIMITS.bytes;
/** Failures in one list. */
const LIST_LENGTH = 5_000;

const failuresFile = (list: number): string => `left/${list}`;

export class Gathered {
  done = 0;
  failed = 0;
  /** The first failures. */
  readonly failures: RecordFailure[] = [];
  readonly reports = new SummedReport();
  /** Ranges that were stored. */
  ranges = 0;
  /** Lists of failures that were stored. */
  lists = 0;
  /** The documents of the last range, which is not stored. */
  open: StoredDocuments[] = [];
  readonly #found = new FoundInRecords();
  readonly #warnings = new Set<string>();
  readonly #work: Pick<BatchWork, 'job' | 'store'>;
  readonly #names: EntryNames | null;
  readonly #isListed: boolean;
  readonly #limits: RangeLimits;
  #openBytes = 0;
  #openDocuments = 0;
  #unlisted: RecordFailure[] = [];
  #record = 0;

  /**
   * @param names of the entries of a ZIP, which is made in ranges; null if the documents become one file in one go
   * @param isListed whether all failures are listed in the result
   */
  constructor(
    work: Pick<BatchWork, 'job' | 'store'>,
    { names, isListed, limits }: { names: EntryNames | null; isListed: boolean; limits: RangeLimits },
  ) {
    this.#work = work;
    this.#names = names;
    this.#isListed = isListed;
    this.#limits = limits;
  }

  /** Adds the outcomes of the next records. @throws PlatenError `answer_too_large`, `storage_unavailable` */
  async add({ file, records, report, found, warnings }: Outcomes): Promise<void> {
    if (report !== null) this.reports.add(report);
    if (found !== null) this.#found.add(found);
    for (const text of warnings) this.#warnings.add(text);
    const documents: StoredDocuments = { file: file ?? '', documents: [] };
    for (const [at, outcome] of records.entries()) {
      const record = this.#record;
      this.#record += 1;
      if ('failure' in outcome) await this.#addFailure(outcome.failure);
      else {
        if (file === null) throw new Error(`the document of record ${record} is gone`);
        const own = outcome.name ?? null;
        const name = this.#names === null ? own : this.#names.of(record, own);
        documents.documents.push({ at, record, size: outcome.size, name });
        this.done += 1;
        this.#openBytes += outcome.size;
      }
    }
    if (documents.documents.length === 0) return;
    this.open.push(documents);
    this.#openDocuments += documents.documents.length;
    const { bytes, documents: most, fewestBytes } = this.#limits;
    const isLong = this.#openDocuments >= most && this.#openBytes >= fewestBytes;
    if (this.#names !== null && (isLong || this.#openBytes >= bytes)) await this.closeRange();
  }

  /** Stores the list of the documents of the last range. */
  async closeRange(): Promise<void> {
    if (this.ranges >= MAX_RANGES) throw tooLarge();
    const { job, store } = this.#work;
    const list = Buffer.from(JSON.stringify(this.open));
    await store.files.putSealed(job.tenant, job.id, rangeFile(this.ranges), list);
    this.ranges += 1;
    this.open = [];
    this.#openBytes = 0;
    this.#openDocuments = 0;
  }

  /** Stores the failures that are not in a list yet. */
  async closeList(): Promise<void> {
    if (this.#unlisted.length === 0) return;
    const { job, store } = this.#work;
    const list = Buffer.from(JSON.stringify(this.#unlisted));
    await store.files.putSealed(job.tenant, job.id, failuresFile(this.lists), list);
    this.lists += 1;
    this.#unlisted = [];
  }

  /** Adds the warnings about all records, each once. */
  warn(warnings: string[]): void {
    for (const text of warnings) this.#warnings.delete(text);
    for (const text of this.#warnings) warnings.push(text);
    this.#found.warn(warnings);
  }

  async #addFailure(failure: RecordFailure): Promise<void> {
    this.failed += 1;
    if (this.failures.length < MAX_FAILURES) this.failures.push(failure);
    if (!this.#isListed) return;
    this.#unlisted.push(failure);
    if (this.#unlisted.length >= LIST_LENGTH) await this.closeList();
  }
}

/** Yields the failures of all lists. */
export async function* failuresOf(
  lists: number,
  { job: { tenant, id }, store }: Pick<BatchWork, 'job' | 'store'>,
): AsyncGenerator<RecordFailure> {
  for (let list = 0; list < lists; list += 1) {
    const kept = await store.files.readSealed(tenant, id, failuresFile(list));
    if (kept === null) throw new Error('a list of failures is gone');
    yield* JSON.parse(kept.toString('utf8')) as RecordFailure[];
  }
}

/** Returns the error of documents that no file can hold. */
export function tooLarge(): PlatenError {
  const most = `${Math.floor(MAX_ARCHIVE_BYTES / 1e9)} GB`;
  return new PlatenError(
    'answer_too_large',
    `The documents have more than ${most} together, which is the limit of one ZIP. Send the records in several jobs.`,
  );
}
