import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createDeflateRaw } from 'node:zlib';
import { DEFLATED, directoryHeader, endRecords, localHeader, type ZipFacts } from '@platen/core/zip-records';
import type { BatchWork } from '../../shared/jobs/worker.ts';
import { MIN_JOINED_BYTES } from '../../shared/store/jobs/files.ts';
import type { StoredDocuments } from './documents.ts';
import { failuresOf } from './gathered.ts';
import { entriesOf, modifiedOf, type WrittenEntry, writtenRange } from './ranges.ts';

/** The ZIP of a job: the entries of its documents, `errors.json` and the central directory. */

type Work = Pick<BatchWork, 'job' | 'store'>;

/** What is in it. */
export interface ArchiveContents {
  /** Number of ranges that have been written. */
  ranges: number;
  /** Documents after those of the ranges. */
  open: readonly StoredDocuments[];
  /** Number of lists of failures; null if the ZIP has no `errors.json`. */
  lists: number | null;
}

/** The file to be written. */
interface Target {
  file: string;
  /** Headers for its download. */
  headers: Readonly<Record<string, string>>;
  /** Whether documents are compressed. */
  compress: boolean;
  /** Returns a folder for temporary files. */
  scratch: () => Promise<string>;
}

/**
 * Stores the ZIP. The ranges are copied within the storage; the rest is written.
 *
 * @returns its size in bytes
 */
export async function storeArchive(
  { ranges, open, lists }: ArchiveContents,
  { file, headers, compress, scratch }: Target,
  work: Work,
): Promise<number> {
  const { files } = work.store;
  const { tenant, id } = work.job;
  const directory = new Directory(modifiedOf(work.job));
  const copied: string[] = [];
  let copiedBytes = 0;
  let small: string | null = null;
  let offset = 0;
  for (let range = 0; range < ranges; range += 1) {
    const written = await writtenRange(range, work);
    directory.addAll(written.entries, offset);
    offset += written.size;
    if (written.size >= MIN_JOINED_BYTES) {
      copied.push(written.file);
      copiedBytes += written.size;
    } else if (range === ranges - 1) small = written.file;
    else throw new Error(`range ${range} has only ${written.size} bytes`);
  }

  /** Yields what follows the copied ranges. */
  async function* rest(): AsyncGenerator<Buffer> {
    if (small !== null) {
      const bytes = await files.read(tenant, id, small);
      if (bytes === null) throw new Error(`the range ${small} is gone`);
      yield bytes;
    }
    const entries: WrittenEntry[] = [];
    const begin = offset;
    for await (const bytes of entriesOf(open, entries, compress, work)) {
      offset += bytes.length;
      yield bytes;
    }
    directory.addAll(entries, begin);
    if (lists !== null) {
      const path = join(await scratch(), 'errors');
      const facts = await packFailures(failuresOf(lists, work), path);
      const header = localHeader(facts, modifiedOf(work.job));
      directory.addAll([{ ...facts, offset: 0 }], offset);
      offset += header.length + facts.packed;
      yield header;
      yield* createReadStream(path) as AsyncIterable<Buffer>;
    }
    yield* directory.end(offset);
  }

  const bytes = Readable.from(rest(), { objectMode: false });
  if (copied.length === 0) return await files.putStream(tenant, id, file, bytes, headers);
  const end = `ranges/end-${randomUUID()}`;
  const size = await files.putStream(tenant, id, end, bytes);
  await files.join(tenant, id, [...copied, end], file, headers);
  return copiedBytes + size;
}

/** The central directory. A million entries take some 100 MB. */
class Directory {
  readonly #headers: Buffer[] = [];
  readonly #modified: Date;
  #size = 0;
  #entries = 0;

  constructor(modified: Date) {
    this.#modified = modified;
  }

  /** @param begin of the range of the entries, bytes */
  addAll(entries: readonly WrittenEntry[], begin: number): void {
    const headers = Buffer.concat(
      entries.map((entry) => directoryHeader(entry, begin + entry.offset, this.#modified)),
    );
    this.#headers.push(headers);
    this.#size += headers.length;
    this.#entries += entries.length;
  }

  /** Returns it with the end of the file. @param offset of its beginning, bytes */
  end(offset: number): Buffer[] {
    return [...this.#headers, endRecords(this.#entries, this.#size, offset)];
  }
}

/** Writes `errors.json`, compressed, to a file. */
async function packFailures(failures: AsyncIterable<object>, path: string): Promise<ZipFacts> {
  const facts = { name: 'errors.json', method: DEFLATED, checksum: 0, packed: 0, unpacked: 0 };
  async function* text(): AsyncGenerator<Buffer> {
    let separator = '[\n';
    for await (const failure of failures) {
      yield Buffer.from(separator + JSON.stringify(failure, null, 2).replace(/^/gm, '  '));
      separator = ',\n';
    }
    yield Buffer.from(separator === '[\n' ? '[]' : '\n]');
  }
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const piece of text()) {
      facts.checksum = crc32(piece, facts.checksum);
      facts.unpacked += piece.length;
      yield piece;
    }
  }
  const target = createWriteStream(path);
  await pipeline(counted, createDeflateRaw(), target);
  return { ...facts, packed: target.bytesWritten };
}
