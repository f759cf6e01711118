import { isDict, type PdfDict, type PdfValue } from './values.ts';
import type { Entry } from './entries.ts';
import type { Source } from './source.ts';
import { damaged, Parser, tooComplex } from './syntax.ts';

/** The positions of objects that a file declares (ISO 32000-2, 7.5.4 and 7.5.8). */
export interface CrossReferences {
  /** Trailer of the newest section. */
  trailer: PdfDict;
  /** Offset of that section. */
  start: number;
  kind: 'table' | 'stream';
}

/**
 * Maximum number of objects of a document, including free ones: a row of a compressed table takes almost no bytes.
 */
const MAX_OBJECTS = 1 << 21;
/** Highest number an object may have (Annex C). */
export const MAX_ID = 8_388_607;
/** Number of bytes at the end in which the last lines are searched. */
const TAIL = 1054;

/**
 * Reads all cross-reference tables and streams of a file, newest first, and records for each object its newest
 * position in `source`.
 *
 * @throws PlatenError `pdf_damaged`, `pdf_too_complex`; the signal's reason when it is aborted
 */
export function readCrossReferences(source: Source, signal: AbortSignal | undefined): CrossReferences {
  const end = source.bytes.window(Math.max(0, source.bytes.length - TAIL), TAIL).bytes;
  const tail = end.toString('latin1', Math.max(0, end.length - TAIL));
  const place = tail.lastIndexOf('startxref');
  if (place === -1) throw damaged('its end is missing');
  const start = new Parser(Buffer.from(tail, 'latin1'), place + 'startxref'.length).integer();
  const reader = new Reader(source);
  let newest: CrossReferences | undefined;
  const seen = new Set<number>();
  for (let at: PdfValue = start; typeof at === 'number';) {
    signal?.throwIfAborted();
    if (seen.has(at)) throw damaged('its cross-references lead to one another');
    seen.add(at);
    const section = reader.section(at);
    newest ??= section;
    at = section.trailer['/Prev'] ?? null;
  }
  if (newest === undefined) throw damaged('its cross-references are missing');
  return newest;
}

/** A row of a table. */
interface Row {
  id: number;
  generation: number;
  kind: 'free' | 'plain';
  place: number;
}

/**
 * Reads a table after its keyword.
 *
 * @param rows receives the rows of the table
 * @returns the trailer after it
 */
function tableAt(parser: Parser, rows: Row[]): PdfDict {
  rows.length = 0;
  while (!parser.takes('trailer')) {
    const [first, count] = [parser.integer(), parser.integer()];
    if (first < 0 || count < 0) throw damaged('its cross-references cannot be read');
    for (let id = first; id < first + count; id++) {
      const [place, generation] = [parser.integer(), parser.integer()];
      if (place < 0 || generation < 0) throw damaged('its cross-references cannot be read');
      if (rows.length > 2 * MAX_OBJECTS) throw tooManyRows();
      if (parser.takes('n')) rows.push({ id, generation, kind: 'plain', place });
      else if (parser.takes('f')) rows.push({ id, generation, kind: 'free', place });
      else throw damaged('its cross-references cannot be read');
    }
  }
  const trailer = parser.value();
  if (!isDict(trailer)) throw damaged('its trailer is missing');
  return trailer;
}

function tooManyRows(): Error {
  return tooComplex('The PDF has too many cross-references.');
}

class Reader {
  readonly #source: Source;
  #rows = 0;

  constructor(source: Source) {
    this.#source = source;
  }

  section(start: number): CrossReferences {
    const rows: Row[] = [];
    const { trailer } = this.#source.reading(start, (parser) => ({
      trailer: parser.takes('xref') ? tableAt(parser, rows) : undefined,
    }));
    if (trailer === undefined) return this.#stream(start);
    const free = rows.filter(({ kind }) => kind === 'free');
    for (const row of rows) {
      if (row.kind === 'plain')
        this.#put(row.id, row.generation, row.place === 0 ? 'free' : 'plain', row.place, 0);
    }
    // In a hybrid file, objects that are free in the table may be in the stream (7.5.8.4).
    const hybrid = trailer['/XRefStm'];
    if (typeof hybrid === 'number') this.#stream(hybrid);
    for (const { id, generation } of free) this.#put(id, generation, 'free', 0, 0);
    return { trailer, start, kind: 'table' };
  }

  #stream(start: number): CrossReferences {
    const { object } = this.#source.parseAt(start);
    const trailer = isDict(object.value) ? object.value : {};
    const widths = trailer['/W'];
    if (trailer['/Type'] !== '/XRef' || object.stream === undefined || !Array.isArray(widths)) {
      throw damaged('its cross-references are not where they should be');
    }
    const [kindWidth = -1, placeWidth = -1, lastWidth = -1] = widths.map((width) =>
      typeof width === 'number' && Number.isInteger(width) && width >= 0 && width <= 6 ? width : -1,
    );
    const length = kindWidth + placeWidth + lastWidth;
    if (Math.min(kindWidth, placeWidth, lastWidth) < 0 || length === 0) {
      throw damaged('its cross-references cannot be read');
    }
    const data = this.#source.unpack(object);
    const index = trailer['/Index'] ?? [0, trailer['/Size'] ?? 0];
    const ranges = Array.isArray(index) ? index : [];
    let at = 0;
    const field = (width: number): number => {
      let value = 0;
      for (const end = at + width; at < end; at++) value = value * 256 + (data[at] ?? 0);
      return value;
    };
    for (let range = 0; range + 1 < ranges.length; range += 2) {
      const [first, count] = [Number(ranges[range]), Number(ranges[range + 1])];
      if (!(first >= 0 && count >= 0)) throw damaged('its cross-references cannot be read');
      for (let id = first; id < first + count; id++) {
        if (at + length > data.length) throw damaged('its cross-references are cut off');
        const kind = kindWidth === 0 ? 1 : field(kindWidth);
        const [place, last] = [field(placeWidth), field(lastWidth)];
        if (kind === 1) this.#put(id, last, place === 0 ? 'free' : 'plain', place, 0);
        else if (kind === 2) this.#put(id, 0, 'packed', place, last);
        // Rows of unknown types are ignored (table 18).
        else this.#put(id, last, 'free', 0, 0);
      }
    }
    return { trailer, start, kind: 'stream' };
  }

  #put(id: number, generation: number, kind: Entry['kind'], place: number, index: number): void {
    if (++this.#rows > 2 * MAX_OBJECTS) throw tooManyRows();
    const { entries } = this.#source;
    // Object number 0 is not an object.
    if (id === 0 || entries.has(id)) return;
    if (id > MAX_ID || !Number.isInteger(id)) throw damaged('an object has a number that is too high');
    if (entries.size >= MAX_OBJECTS) throw tooComplex(`The PDF has more than ${MAX_OBJECTS} objects.`);
    const [object, body, plain, busy] = [undefined, undefined, undefined, false];
    const [firstLink, endOfLinks] = [0, 0];
    entries.set(id, { id, generation, kind, place, index, object, body, plain, firstLink, endOfLinks, busy });
  }
}

/**
 * The highest number of an object, used or free: objects below /Size may be referred to even if they do not exist.
 */
export function highestNumber({ entries }: Source, { '/Size': size }: Readonly<PdfDict>): number {
  let highest = typeof size === 'number' && size <= MAX_ID ? Math.max(0, size - 1) : 0;
  for (const { id } of entries.values()) highest = Math.max(highest, id);
  return highest;
}
