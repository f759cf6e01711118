import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { localHeader, zipEntry, type ZipFacts } from '@platen/core/zip-records';
import type { BatchWork } from '../../shared/jobs/worker.ts';
import { MIN_JOINED_BYTES } from '../../shared/store/jobs/files.ts';
import { contentsOf, type StoredDocuments } from './documents.ts';

/** The ranges of a ZIP: the entries of consecutive records, which are written by separate steps. */

type Work = Pick<BatchWork, 'job' | 'store'>;

/** An entry that has been written. */
export interface WrittenEntry extends ZipFacts {
  /** Of its header, from the beginning of its range, bytes. */
  offset: number;
}

/** A range that has been written. */
export interface WrittenRange {
  /** The file with its entries. */
  file: string;
  /** Bytes. */
  size: number;
  entries: WrittenEntry[];
}

/** The list of the documents of a range. */
export const rangeFile = (range: number): string => `ranges/${range}`;
const writtenFile = (range: number): string => `ranges/${range}.json`;

/** The date of all entries of a job. */
export function modifiedOf({ createdAt }: BatchWork['job']): Date {
  return new Date(createdAt);
}

/**
 * Yields the entries of documents as they are in a ZIP.
 *
 * @param entries receives them
 */
export async function* entriesOf(
  files: readonly StoredDocuments[],
  entries: WrittenEntry[],
  compress: boolean,
  work: Work,
): AsyncGenerator<Buffer> {
  let offset = 0;
  for await (const { name, content } of contentsOf(files, work)) {
    if (name === null) throw new Error('an entry without a name');
    const { facts, content: packed } = zipEntry(name, content, compress);
    const bytes = Buffer.concat([localHeader(facts, modifiedOf(work.job)), packed]);
    entries.push({ ...facts, offset });
    offset += bytes.length;
    yield bytes;
  }
}

/**
 * Writes the entries of a range to a file, and then a list of them. Each attempt has its own file, and the list names
 * the one that counts.
 */
export async function storeRange(range: number, compress: boolean, work: Work): Promise<void> {
  const { job, store } = work;
  const kept = await store.files.readSealed(job.tenant, job.id, rangeFile(range));
  if (kept === null) throw new Error(`the list of range ${range} is gone`);
  const files = JSON.parse(kept.toString('utf8')) as StoredDocuments[];
  const write = async (compressed: boolean): Promise<WrittenRange> => {
    const entries: WrittenEntry[] = [];
    const file = `ranges/${range}-${randomUUID()}`;
    const bytes = Readable.from(entriesOf(files, entries, compressed, work), { objectMode: false });
    return { file, size: await store.files.putStream(job.tenant, job.id, file, bytes), entries };
  };
  let written = await write(compress);
  // Uncompressed, every range but the last is larger than the smallest piece of a file.
  if (compress && written.size < MIN_JOINED_BYTES) written = await write(false);
  const list = Buffer.from(JSON.stringify(written));
  await store.files.putSealed(job.tenant, job.id, writtenFile(range), list);
}

export async function writtenRange(range: number, { job, store }: Work): Promise<WrittenRange> {
  const kept = await store.files.readSealed(job.tenant, job.id, writtenFile(range));
  if (kept === null) throw new Error(`range ${range} was not written`);
  return JSON.parse(kept.toString('utf8')) as WrittenRange;
}
