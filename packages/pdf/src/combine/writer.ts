import { Sink } from '../model/sink.ts';
import { Deflater, headOf, objectStreamOf, STREAM_OBJECTS } from '../model/object-streams.ts';
import { type PdfDict, type PdfValue, type Ref, serialize } from '../model/values.ts';

/** Receives the bytes of a file in order. */
export type Write = (bytes: Buffer) => Promise<void>;

/** Width of a row in bytes: type, offset or object stream, and index in that stream (ISO 32000-2, table 18). */
const WIDTHS = [1, 6, 1] as const;
const ROW = 8;
/** Bytes that are collected before they are written. */
const PIECE = 1 << 20;

/**
 * A PDF that is written sequentially, at any length: of the written part, only eight bytes for each object
 * stay in memory.
 */
export class StreamedPdf {
  readonly #write: Write;
  readonly #deflater = new Deflater();
  #rows = Buffer.alloc(ROW << 12);
  #nextId = 1;
  #position = 0;
  #sink = new Sink();
  /** Concatenated objects of the next object stream, and the offset of each. */
  #members = new Sink();
  #places: { id: number; offset: number }[] = [];

  constructor(write: Write) {
    this.#write = write;
    this.#sink.text('%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n');
  }

  allocate(): Ref {
    return `${this.reserve(1)} 0 R`;
  }

  /**
   * Reserves numbers for objects.
   *
   * @returns the first of them
   */
  reserve(count: number): number {
    const first = this.#nextId;
    this.#nextId += count;
    return first;
  }

  /** Writes an object that is not a stream. */
  async value(id: number, value: PdfValue): Promise<void> {
    this.#places.push({ id, offset: this.#members.length });
    this.#members.value(value);
    this.#members.text('\n');
    if (this.#places.length >= STREAM_OBJECTS) await this.#endMembers();
  }

  /**
   * Writes a stream.
   *
   * @param raw its data, encoded as its dictionary declares
   */
  async stream(id: number, dict: PdfDict, raw: Buffer): Promise<void> {
    this.#row(id, 1, this.#position + this.#sink.length, 0);
    this.#sink.text(`${id} 0 obj\n`);
    this.#sink.value({ ...dict, '/Length': raw.length });
    this.#sink.text('\nstream\n');
    this.#sink.raw(raw);
    this.#sink.text('\nendstream\nendobj\n');
    if (this.#sink.length >= PIECE) await this.#flush();
  }

  /**
   * Ends the file.
   *
   * @param trailer entries that describe the document
   */
  async finish(trailer: PdfDict): Promise<void> {
    await this.#endMembers();
    const id = this.reserve(1);
    const start = this.#position + this.#sink.length;
    this.#row(id, 1, start, 0);
    const data = await this.#deflater.deflate(predicted(this.#rows, this.#nextId));
    const dict = {
      ...trailer,
      '/Type': '/XRef',
      '/Size': this.#nextId,
      '/W': [...WIDTHS],
      '/Filter': '/FlateDecode',
      '/DecodeParms': { '/Predictor': 12, '/Columns': ROW },
      '/Length': data.length,
    };
    this.#sink.text(`${id} 0 obj\n${serialize(dict)}\nstream\n`);
    this.#sink.raw(data);
    this.#sink.text(`\nendstream\nendobj\nstartxref\n${start}\n%%EOF\n`);
    await this.#flush();
  }

  async #endMembers(): Promise<void> {
    if (this.#places.length === 0) return;
    const id = this.reserve(1);
    const [places, bodies] = [this.#places, this.#members.bytes()];
    for (const [index, place] of places.entries()) this.#row(place.id, 2, id, index);
    this.#places = [];
    this.#members = new Sink();
    const written = await objectStreamOf(
      id,
      {
        count: places.length,
        head: headOf(places),
        bodies: [bodies],
      },
      this.#deflater,
    );
    this.#row(id, 1, this.#position + this.#sink.length, 0);
    this.#sink.raw(written);
    if (this.#sink.length >= PIECE) await this.#flush();
  }

  async #flush(): Promise<void> {
    const bytes = this.#sink.bytes();
    this.#position += bytes.length;
    this.#sink = new Sink();
    await this.#write(bytes);
  }

  #row(id: number, type: number, where: number, index: number): void {
    const at = id * ROW;
    if (at + ROW > this.#rows.length) {
      this.#rows = Buffer.concat([this.#rows], Math.max(at + ROW, this.#rows.length * 2));
    }
    this.#rows[at] = type;
    this.#rows.writeUIntBE(where, at + 1, 6);
    this.#rows[at + 7] = index;
  }
}

/**
 * Encodes rows as differences from the row above (PNG's filter Up). Unused numbers are free entries, which are all
 * zero.
 */
function predicted(rows: Buffer, count: number): Buffer {
  const UP = 2;
  const bytes = Buffer.alloc(count * (ROW + 1));
  for (let row = 0; row < count; row++) {
    bytes[row * (ROW + 1)] = UP;
    for (let column = 0; column < ROW; column++) {
      const at = row * ROW + column;
      bytes[row * (ROW + 1) + 1 + column] = (rows[at] ?? 0) - (row === 0 ? 0 : (rows[at - ROW] ?? 0));
    }
  }
  return bytes;
}
