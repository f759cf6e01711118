import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { isPlatenError } from '@platen/core/errors';
import { type Engine, MAX_READ } from '../engine.ts';
import type { PdfFile } from '../model/index.ts';
import type { ObjectFile } from '../object-file.ts';
import { Update } from '../update.ts';
import { isDict, type PdfDict, type PdfValue, type Ref } from '../values.ts';

/** An object as it is stored; for a stream, its dictionary, whose /Length is the length of the stored data. */
export interface StoredObject {
  value: PdfValue;
  stream: boolean;
}

/** A document that is compressed: in the object model or, if that cannot read it, by qpdf. */
export interface Compressed {
  /** In the order of object numbers. */
  refs(): readonly Ref[];
  pages(): readonly Ref[];
  /** An object as it was read. */
  get(ref: Ref): StoredObject | undefined;
  /** The value that the object will have. */
  current(ref: Ref): PdfValue | undefined;
  resolve(value: PdfValue | undefined): PdfValue;
  dict(value: PdfValue | undefined): PdfDict;
  array(value: PdfValue | undefined): PdfValue[];
  /** Changes an object; a stream keeps its data. */
  set(ref: Ref, value: PdfValue): void;
  /** @param data encoded as the dictionary declares */
  setStream(ref: Ref, dict: PdfDict, data: Buffer): Promise<void>;
  /**
   * The streams among `refs` that can be read: as stored, or with all filters decoded except those of images.
   *
   * @throws PlatenError `pdf_too_complex` for a stream of more than a hundred megabytes
   */
  readStreams(refs: readonly Ref[], decode: 'none' | 'generalized'): AsyncIterable<[Ref, Buffer]>;
  /** A hash of the stored data of a large stream; undefined for other objects. */
  digest(ref: Ref): Promise<string | undefined>;
}

/** A document in memory. */
export class ModelDocument implements Compressed {
  readonly #file: PdfFile;
  /** The reachable objects of the document. Other objects have not been read and are not written. */
  readonly #refs: readonly Ref[];

  constructor(file: PdfFile) {
    this.#file = file;
    this.#refs = file.reachable().objects.map(({ id, generation }) => `${id} ${generation} R`);
  }

  refs(): readonly Ref[] {
    return this.#refs;
  }

  pages(): readonly Ref[] {
    return this.#file.pages();
  }

  get(ref: Ref): StoredObject | undefined {
    const object = this.#file.get(ref);
    if (object === undefined) return undefined;
    const { value, stream } = object;
    if (stream === undefined || !isDict(value)) return { value, stream: false };
    return { value: { ...value, '/Length': stream.length }, stream: true };
  }

  current(ref: Ref): PdfValue | undefined {
    return this.get(ref)?.value;
  }

  resolve(value: PdfValue | undefined): PdfValue {
    return this.#file.resolve(value);
  }

  dict(value: PdfValue | undefined): PdfDict {
    return this.#file.dict(value);
  }

  array(value: PdfValue | undefined): PdfValue[] {
    return this.#file.array(value);
  }

  set(ref: Ref, value: PdfValue): void {
    this.#file.set(ref, value);
  }

  setStream(ref: Ref, dict: PdfDict, data: Buffer): Promise<void> {
    this.#file.set(ref, dict, data);
    return Promise.resolve();
  }

  async *readStreams(refs: readonly Ref[], decode: 'none' | 'generalized'): AsyncGenerator<[Ref, Buffer]> {
    for (const ref of refs) {
      const data =
        decode === 'none' ? this.#file.get(ref)?.stream?.raw : decodedStream(this.#file, ref, MAX_READ)?.data;
      if (data !== undefined) yield [ref, data];
    }
  }

  digest(ref: Ref): Promise<string | undefined> {
    const raw = this.#file.get(ref)?.stream?.raw;
    return Promise.resolve(raw && createHash('sha256').update(raw).digest('base64'));
  }
}

/**
 * Returns the data of a stream with all filters decoded except those of images.
 *
 * @returns undefined for an object that is not a stream or cannot be decoded, and stays unchanged
 * @throws PlatenError `pdf_too_complex` for more than `most` bytes
 */
export function decodedStream(
  file: PdfFile,
  ref: Ref,
  most: number,
): { data: Buffer; filters: readonly string[] } | undefined {
  try {
    const stream = file.streamData(ref, most);
    if (stream === undefined) return undefined;
    const { data, filters } = stream;
    return { data: Buffer.from(data.buffer, data.byteOffset, data.byteLength), filters };
  } catch (error) {
    if (isPlatenError(error) && error.code === 'pdf_damaged') return undefined;
    throw error;
  }
}

/** A document on the disk that qpdf reads and writes. */
export class QpdfDocument implements Compressed {
  readonly update: Update;
  readonly #engine: Engine;
  readonly #path: string;
  readonly #objects: ObjectFile;

  /** @param objects of the file at `path`, which stays open */
  constructor(engine: Engine, path: string, objects: ObjectFile) {
    this.#engine = engine;
    this.#path = path;
    this.#objects = objects;
    this.update = new Update(objects);
  }

  refs(): readonly Ref[] {
    return [...this.#objects.refs()];
  }

  pages(): readonly Ref[] {
    return this.#objects.pages();
  }

  get(ref: Ref): StoredObject | undefined {
    return this.#objects.get(ref);
  }

  current(ref: Ref): PdfValue | undefined {
    return this.update.get(ref)?.value;
  }

  resolve(value: PdfValue | undefined): PdfValue {
    return this.#objects.resolve(value);
  }

  dict(value: PdfValue | undefined): PdfDict {
    return this.#objects.dict(value);
  }

  array(value: PdfValue | undefined): PdfValue[] {
    return this.#objects.array(value);
  }

  set(ref: Ref, value: PdfValue): void {
    this.update.set(ref, value, this.#objects.get(ref)?.stream === true);
  }

  async setStream(ref: Ref, dict: PdfDict, data: Buffer): Promise<void> {
    const path = this.#engine.temporary('stream');
    await writeFile(path, data);
    this.update.setStream(ref, dict, path);
  }

  readStreams(refs: readonly Ref[], decode: 'none' | 'generalized'): AsyncIterable<[Ref, Buffer]> {
    return this.#engine.readStreams({ path: this.#path }, refs, decode);
  }

  async digest(ref: Ref): Promise<string | undefined> {
    const path = (await this.#engine.exportStreams({ path: this.#path }, [ref])).get(ref);
    if (path === undefined) return undefined;
    const digest = createHash('sha256');
    for await (const chunk of createReadStream(path)) digest.update(chunk as Buffer);
    await rm(path);
    return digest.digest('base64');
  }
}
