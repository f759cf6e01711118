import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ZipFile } from '@platen/core/archive';
import { PdfCombiner } from '@platen/pdf/combine';
import { finishFile, type Finishing, type FinishingPlace } from '@platen/pdf/finish';
import type { RecordFailure } from '../shared/store/jobs/record.ts';
import { EntryNames } from './naming.ts';
import { isCompressible, type OutputFormat } from './output.ts';

/** Writes the documents of a batch to one file while they arrive. */
export interface Collector {
  /** The path of the file; of a PDF, once it is finished. */
  readonly path: string;
  /** Whether the file may have no document at all. */
  readonly mayBeEmpty: boolean;
  /** Adds the document of a record. @param name the name of the record, as `recordName` returns it */
  add(index: number, name: string | null, document: Uint8Array | Readable): Promise<void>;
  /** Completes the file. @param left records that are left out; null if none may be */
  finish(left: readonly RecordFailure[] | null): Promise<void>;
  /** Aborts: nothing further is written. */
  abort(): void;
}

/** The result of a batch: its documents as they are, or combined into one. */
export interface Collection {
  /** The name of documents without a name of their own. */
  name: string;
  /** Number of records. */
  count: number;
  output: OutputFormat;
}

/** A ZIP of the documents, with `errors.json` if records may be left out (I-15 and I-17). */
export class ZipCollector implements Collector {
  readonly path: string;
  readonly mayBeEmpty = true;
  readonly #zip: ZipFile;
  readonly #names: EntryNames;
  readonly #isPacked: boolean;

  constructor(path: string, { name, count, output }: Collection) {
    this.path = path;
    this.#zip = new ZipFile(path);
    this.#names = new EntryNames(name, count, output);
    this.#isPacked = !isCompressible(output);
  }

  async add(index: number, name: string | null, document: Uint8Array | Readable): Promise<void> {
    const entry = this.#names.of(index, name);
    if (document instanceof Uint8Array) await this.#zip.add(entry, document, this.#isPacked);
    else await this.#zip.addStream(entry, document, this.#isPacked);
  }

  async finish(left: readonly RecordFailure[] | null): Promise<void> {
    const errors = JSON.stringify(left, null, 2);
    if (left !== null) await this.#zip.add('errors.json', Buffer.from(errors), false);
    await this.#zip.finish();
  }

  abort(): void {
    this.#zip.abort();
  }
}

/** One PDF of the documents, with an entry in its outline for each of them (I-52). */
export class PdfCollector implements Collector {
  readonly mayBeEmpty = false;
  readonly #names: EntryNames;
  readonly #collection: Collection & { title: string };
  readonly #finishing: Finishing;
  readonly #place: FinishingPlace;
  readonly #open: Promise<{ file: FileHandle; path: string }>;
  readonly #combiner: PdfCombiner;
  path = '';

  /**
   * @param collection its `title` is that of documents without one
   * @param finishing steps applied to the whole file
   */
  constructor(collection: Collection & { title: string }, finishing: Finishing, place: FinishingPlace) {
    this.#collection = collection;
    this.#names = new EntryNames(collection.name, collection.count, 'pdf');
    this.#finishing = finishing;
    this.#place = place;
    this.#open = opened(place);
    // Its rejection is handled when something is written.
    this.#open.catch(() => undefined);
    this.#combiner = new PdfCombiner(async (bytes) => {
      const { file } = await this.#open;
      await file.appendFile(bytes);
    });
  }

  async add(index: number, name: string | null, document: Uint8Array | Readable): Promise<void> {
    this.#place.signal.throwIfAborted();
    const pdf = document instanceof Uint8Array ? document : await buffer(document);
    const entry = this.#names.of(index, name).replace(/\.pdf$/, '');
    const { title } = this.#collection;
    const isOwn = (own: string): boolean => own !== '' && own !== title;
    await this.#combiner.add(pdf, (own) => (name === null && isOwn(own) ? own : entry));
  }

  async finish(): Promise<void> {
    await this.#combiner.finish(this.#finishing.claims?.title ?? this.#collection.name);
    this.#place.noted(this.#combiner.notes);
    const { file, path } = await this.#open;
    await file.close();
    this.path = await finishFile(path, this.#finishing, this.#place);
  }

  abort(): void {
    void this.#open.then(({ file }) => file.close()).catch(() => undefined);
  }
}

async function opened({ scratch }: FinishingPlace): Promise<{ file: FileHandle; path: string }> {
  const path = join(await scratch(), 'combined.pdf');
  return { file: await open(path, 'w'), path };
}
