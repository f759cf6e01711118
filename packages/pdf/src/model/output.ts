import { crossReferenceStream, type Place } from '../streams.ts';
import type { PdfDict } from '../values.ts';
import { writeMoved } from './plain.ts';
import { Sink } from './sink.ts';
import type { Stored } from './stored.ts';

/** Data that is smaller is copied: a piece of its own costs more. */
const SMALL = 1 << 12;

/** A file that is being written, or what is written after one. */
export class Output {
  /** Where objects are, by their numbers. */
  readonly places = new Map<number, Place>();
  readonly #parts: Buffer[] = [];
  #sink = new Sink();
  /** Where what is in the sink begins. */
  #start: number;

  /** @param start bytes that stand before what is written */
  constructor(start = 0) {
    this.#start = start;
  }

  /** Where what is written next begins. */
  get position(): number {
    return this.#start + this.#sink.length;
  }

  text(text: string): void {
    this.#sink.text(text);
  }

  /** An object with its numbers, its value and its data. */
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
    if (body !== undefined) this.#raw(body);
    else
      this.#sink.value(
        stream === undefined ? value : { ...(value as PdfDict), '/Length': stream.raw.length },
      );
    if (stream !== undefined) {
      this.#sink.text('\nstream\n');
      this.#raw(stream.raw);
      this.#sink.text('\nendstream');
    }
    this.#sink.text('\nendobj\n');
  }

  /** An object that is written already. */
  written(id: number, bytes: Buffer): void {
    this.places.set(id, { type: 'offset', offset: this.position });
    this.#raw(bytes);
  }

  /** Ends with a cross-reference table (ISO 32000-2, 7.5.4). */
  finishWithTable(trailer: PdfDict): Buffer[] {
    const start = this.position;
    this.#sink.text('xref\n');
    const rows = [...this.places].sort(([a], [b]) => a - b);
    for (let at = 0; at < rows.length;) {
      const first = rows[at]?.[0] ?? 0;
      let end = at + 1;
      while (rows[end]?.[0] === first + end - at) end++;
      this.#sink.text(`${first} ${end - at}\n`);
      for (; at < end; at++) this.#row(rows[at]?.[1]);
    }
    this.#sink.text('trailer\n');
    this.#sink.value(trailer);
    return this.#end('\n', start);
  }

  /** Ends with a cross-reference stream (7.5.8). @param id its own number */
  async finishWithStream(id: number, trailer: PdfDict): Promise<Buffer[]> {
    const start = this.position;
    this.written(id, Buffer.alloc(0));
    this.#raw(await crossReferenceStream(id, this.places, trailer));
    return this.#end('', start);
  }

  #end(separator: string, start: number): Buffer[] {
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
    if (bytes.length <= SMALL) {
      this.#sink.raw(bytes);
      return;
    }
    this.#flush();
    this.#parts.push(bytes);
    this.#start += bytes.length;
  }

  #flush(): void {
    if (this.#sink.length === 0) return;
    this.#parts.push(this.#sink.bytes());
    this.#start += this.#sink.length;
    this.#sink = new Sink(1 << 10);
  }
}
