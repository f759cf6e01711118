import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import type { ObjectFile } from './object-file.ts';
import { crossReferenceStream, Deflater, objectStream, Places, STREAM_OBJECTS } from './streams.ts';
import { isDict, isRef, serialize } from './values.ts';
import type { PdfDict, PdfValue, Ref } from './values.ts';

interface NewStream {
  dict: PdfDict;
  /** File with the data, encoded by the filters of `dict`. */
  data: string;
}

/**
 * Changes to a PDF that qpdf wrote with a cross-reference stream, appended to it as an incremental update (ISO
 * 32000-1, 7.5.6), so that the pages are not written a second time.
 */
export class Revision {
  readonly base: ObjectFile;
  readonly #changed = new Map<Ref, PdfValue>();
  readonly #streams = new Map<Ref, NewStream>();
  readonly #trailer: PdfDict;
  #lastId: number;

  /** @param base the objects of the file that `append` receives */
  constructor(base: ObjectFile) {
    this.base = base;
    this.#trailer = { ...base.trailer };
    // qpdf's JSON omits the cross-reference stream, which has a number too.
    this.#lastId = Math.max(base.maxId, Number(base.trailer['/Size'] ?? 1) - 1) + 1;
  }

  get changed(): boolean {
    return this.#changed.size + this.#streams.size > 0;
  }

  /** Returns a reference for a new object. */
  allocate(): Ref {
    return `${++this.#lastId} 0 R`;
  }

  add(value: PdfValue): Ref {
    const ref = this.allocate();
    this.#changed.set(ref, value);
    return ref;
  }

  set(ref: Ref, value: PdfValue): void {
    this.#changed.set(ref, value);
  }

  setStream(ref: Ref, stream: NewStream): void {
    this.#streams.set(ref, stream);
  }

  /** The current value of an object; it may be changed only through `edit`. */
  get(ref: Ref): PdfValue {
    return this.#changed.get(ref) ?? this.base.get(ref)?.value ?? null;
  }

  resolve(value: PdfValue | undefined): PdfValue {
    return isRef(value) ? this.get(value) : (value ?? null);
  }

  /** True for a stream, whose dictionary `edit` cannot change without its data. */
  isStream(ref: Ref): boolean {
    return this.#streams.has(ref) || (!this.#changed.has(ref) && this.base.get(ref)?.stream === true);
  }

  /** The dictionary of an object, for changes in place. */
  edit(ref: Ref): PdfDict {
    const value = this.get(ref);
    const dict = isDict(value) ? value : {};
    this.#changed.set(ref, dict);
    return dict;
  }

  catalog(): PdfDict {
    const root = this.#trailer['/Root'];
    return isRef(root) ? this.edit(root) : {};
  }

  setTrailer(key: string, value: PdfValue): void {
    this.#trailer[key] = value;
  }

  /** Appends the changes to the file. */
  async append(path: string): Promise<void> {
    const file = await open(path, 'r+');
    try {
      const { size } = await stat(path);
      const previous = await startOfCrossReferences(file, size);
      const output = new Output(file, size);
      await output.write('\n');
      const changed = [...this.#changed];
      const deflater = new Deflater();
      for (let start = 0; start < changed.length; start += STREAM_OBJECTS) {
        await this.#objectStream(output, changed.slice(start, start + STREAM_OBJECTS), deflater);
      }
      for (const [ref, stream] of this.#streams) {
        output.begin(numberOf(ref));
        const { size: length } = await stat(stream.data);
        await output.write(`${header(ref)}${serialize({ ...stream.dict, '/Length': length })}\nstream\n`);
        for await (const chunk of createReadStream(stream.data)) await output.write(chunk as Buffer);
        await output.write('\nendstream\nendobj\n');
      }
      await this.#crossReferences(output, previous, deflater);
      await output.flush();
    } finally {
      await file.close();
    }
  }

  async #objectStream(
    output: Output,
    objects: readonly (readonly [Ref, PdfValue])[],
    deflater: Deflater,
  ): Promise<void> {
    const stream = numberOf(this.allocate());
    const members = objects.map(([ref, value], index) => {
      output.places.set(numberOf(ref), { type: 'packed', stream, index });
      return { id: numberOf(ref), body: Buffer.from(serialize(value), 'latin1') };
    });
    output.begin(stream);
    await output.write(await objectStream(stream, members, deflater));
  }

  async #crossReferences(output: Output, previous: number, deflater: Deflater): Promise<void> {
    const id = numberOf(this.allocate());
    const start = output.position;
    output.begin(id);
    const before = this.#trailer['/ID'];
    const first = Array.isArray(before) ? (before[0] ?? null) : null;
    const trailer: PdfDict = {
      ...this.#trailer,
      '/Size': this.#lastId + 1,
      '/Prev': previous,
      '/ID': first === null ? null : [first, `b:${randomBytes(16).toString('hex')}`],
    };
    await output.write(await crossReferenceStream(id, output.places, trailer, deflater));
    await output.write(`startxref\n${start}\n%%EOF\n`);
  }
}

function numberOf(ref: Ref): number {
  return Number.parseInt(ref, 10);
}

function header(ref: Ref): string {
  return `${ref.replace(/ R$/, ' obj')}\n`;
}

async function startOfCrossReferences(file: FileHandle, size: number): Promise<number> {
  const tail = Buffer.alloc(Math.min(size, 64));
  await file.read(tail, 0, tail.length, size - tail.length);
  const start = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(tail.toString('latin1'))?.[1];
  if (start === undefined) throw new Error('a PDF that qpdf wrote has no startxref');
  return Number(start);
}

/** Appends to a file in large pieces, and records the offset of each object. */
class Output {
  readonly places = new Places();
  position: number;
  readonly #file: FileHandle;
  #pending: Buffer[] = [];
  #length = 0;

  constructor(file: FileHandle, position: number) {
    this.#file = file;
    this.position = position;
  }

  begin(id: number): void {
    this.places.set(id, { type: 'offset', offset: this.position });
  }

  async write(data: string | Buffer): Promise<void> {
    const bytes = typeof data === 'string' ? Buffer.from(data, 'latin1') : data;
    this.#pending.push(bytes);
    this.#length += bytes.length;
    this.position += bytes.length;
    if (this.#length > 1 << 20) await this.flush();
  }

  async flush(): Promise<void> {
    const bytes = Buffer.concat(this.#pending);
    this.#pending = [];
    this.#length = 0;
    const at = this.position - bytes.length;
    for (let done = 0; done < bytes.length;) {
      const { bytesWritten } = await this.#file.write(bytes, done, bytes.length - done, at + done);
      done += bytesWritten;
    }
  }
}
