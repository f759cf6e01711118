import { open } from 'node:fs/promises';
import { crossReferenceStream, type Deflater, type Place, Places } from './object-streams.ts';
import type { PdfDict } from './values.ts';
import { HeldBytes, HeldPieces, type StreamBytes } from './bytes.ts';
import { writeMoved } from './plain.ts';
import { Sink } from './sink.ts';
import type { Stored } from './stored.ts';

/** Smaller data is copied, because a separate piece costs more. */
const SMALL = 1 << 12;

/** The parts of the output: in memory, or the data of a stream. */
export type Parts = readonly (Buffer | StreamBytes)[];

/** Concatenates the parts. */
export function inMemory(parts: Parts): Buffer {
  const buffers = parts.flatMap((part) =>
    Buffer.isBuffer(part) ? part : part instanceof HeldPieces ? part.pieces() : part.raw,
  );
  return buffers.length === 1 && buffers[0] !== undefined ? buffers[0] : Buffer.concat(buffers);
}

/** Bytes of parts in memory that are written together. */
const GATHERED = 1 << 18;

/** Writes parts to a file; data on disk is copied piece by piece. */
export async function inFile(path: string, parts: Parts, signal?: AbortSignal): Promise<void> {
  const file = await open(path, 'w');
  try {
    let waiting: Buffer[] = [];
    let size = 0;
    const write = async (): Promise<void> => {
      signal?.throwIfAborted();
      if (size > 0) await file.writeFile(waiting.length > 1 ? Buffer.concat(waiting) : (waiting[0] ?? ''));
      [waiting, size] = [[], 0];
    };
    for (const part of parts) {
      const held = part instanceof HeldBytes ? part.raw : part;
      if (Buffer.isBuffer(held)) {
        waiting.push(held);
        size += held.length;
        if (size > GATHERED) await write();
        continue;
      }
      await write();
      for (const piece of held.pieces()) await file.writeFile(piece);
    }
    await write();
  } finally {
    await file.close();
  }
}

/** A file that is being written, or an update that is appended to one. */
export class Output {
  /** Offsets of objects by number. */
  readonly places = new Places();
  readonly #parts: (Buffer | StreamBytes)[] = [];
  #sink = new Sink();
  /** Offset of the first byte of the sink. */
  #start: number;

  /** @param start number of bytes before the written part */
  constructor(start = 0) {
    this.#start = start;
  }

  /** Offset of the next written byte. */
  get position(): number {
    return this.#start + this.#sink.length;
  }

  text(text: string): void {
    this.#sink.text(text);
  }

  /** Writes an object from its numbers, its value and its data. */
  object(stored: Stored): void {
    const { id, generation, body, moved } = stored;
    this.places.set(id, { type: 'offset', offset: this.position, generation });
    this.#sink.text(`${id} ${generation} obj\n`);
    if (moved !== undefined) {
      writeMoved(this.#sink, moved);
      this.#sink.text('\nendobj\n');
      return;
    }
    const { value, stream } = stored.object;
    if (body !== undefined) this.#sink.part(body.bytes, body.start, body.end);
    else this.#sink.value(stream === undefined ? value : { ...(value as PdfDict), '/Length': stream.length });
    if (stream !== undefined) {
      this.#sink.text('\nstream\n');
      this.#data(stream);
      this.#sink.text('\nendstream');
    }
    this.#sink.text('\nendobj\n');
  }

  /** Writes an object that is already serialized. */
  written(id: number, bytes: Buffer): void {
    this.places.set(id, { type: 'offset', offset: this.position });
    this.#raw(bytes);
  }

  /** Ends with a cross-reference table (ISO 32000-2, 7.5.4). */
  finishWithTable(trailer: PdfDict): Parts {
    const start = this.position;
    this.#sink.text('xref\n');
    const { numbers } = this.places.inOrder();
    for (let at = 0; at < numbers.length;) {
      const first = numbers[at] ?? 0;
      let end = at + 1;
      while (numbers[end] === first + end - at) end++;
      this.#sink.text(`${first} ${end - at}\n`);
      for (; at < end; at++) this.#row(this.places.get(numbers[at] ?? 0));
    }
    this.#sink.text('trailer\n');
    this.#sink.value(trailer);
    return this.#end('\n', start);
  }

  /** Ends with a cross-reference stream (7.5.8). @param id its own number */
  async finishWithStream(id: number, trailer: PdfDict, deflater: Deflater): Promise<Parts> {
    const start = this.position;
    this.written(id, Buffer.alloc(0));
    this.#raw(await crossReferenceStream(id, this.places, trailer, deflater));
    return this.#end('', start);
  }

  #end(separator: string, start: number): Parts {
    this.#sink.text(`${separator}startxref\n${start}\n%%EOF\n`);
    this.#flush();
    return this.#parts;
  }

  #row(place: Place | undefined): void {
    const [offset, generation] = place?.type === 'offset' ? [place.offset, place.generation ?? 0] : [0, 0];
    const free = place?.type === 'free' ? place : undefined;
    const first = String(free?.next ?? offset).padStart(10, '0');
    const second = String(free?.generation ?? generation).padStart(5, '0');
    this.#sink.text(`${first} ${second} ${free === undefined ? 'n' : 'f'} \n`);
  }

  #raw(bytes: Buffer): void {
    if (bytes.length <= SMALL) this.#sink.raw(bytes);
    else this.#part(bytes);
  }

  #data(stream: StreamBytes): void {
    if (stream.length <= SMALL) this.#sink.raw(stream.raw);
    else this.#part(stream);
  }

  #part(part: Buffer | StreamBytes): void {
    this.#flush();
    this.#parts.push(part);
    this.#start += part.length;
  }

  #flush(): void {
    if (this.#sink.length === 0) return;
    this.#parts.push(this.#sink.bytes());
    this.#start += this.#sink.length;
    this.#sink = new Sink(1 << 10);
  }
}
