import { promisify } from 'node:util';
import { constants, deflate } from 'node:zlib';
import { type PdfDict, serialize } from './values.ts';

/** Objects that stand compressed in streams, and the cross-reference streams that lead to them (PDF 1.5). */

/** Objects of one object stream: more save little, and a reader unpacks all of them to get at one. */
export const STREAM_OBJECTS = 200;

/** A row of a cross-reference stream (ISO 32000-2, table 18). */
export type Place =
  | { type: 'free'; next: number; generation: number }
  | { type: 'offset'; offset: number; generation?: number }
  | { type: 'packed'; stream: number; index: number };

/** Runs in a thread of Node's own, so that other requests go on. */
const deflated = promisify(deflate);

/**
 * An object stream (ISO 32000-2, 7.5.7).
 *
 * @param id its own number
 * @param members numbers and values of its objects; none may be a stream
 * @returns the whole object, from its number to `endobj`
 */
export async function objectStream(
  id: number,
  members: readonly { id: number; body: Buffer }[],
): Promise<Buffer> {
  const places: { id: number; offset: number }[] = [];
  const bodies: Buffer[] = [];
  let offset = 0;
  for (const { id: member, body } of members) {
    places.push({ id: member, offset });
    bodies.push(body, LINE_END);
    offset += body.length + 1;
  }
  return await objectStreamOf(id, places, Buffer.concat(bodies));
}

/**
 * An object stream of values that stand one after the other already.
 *
 * @param id its own number
 * @param places numbers of its objects, and where in `bodies` each begins
 * @param level how hard they are deflated, 0 to 9
 */
export async function objectStreamOf(
  id: number,
  places: readonly { id: number; offset: number }[],
  bodies: Buffer,
  level = constants.Z_DEFAULT_COMPRESSION,
): Promise<Buffer> {
  const head = Buffer.from(`${places.map((place) => `${place.id} ${place.offset}`).join(' ')}\n`);
  const data = await deflated(Buffer.concat([head, bodies]), { level });
  return streamObject(id, { '/Type': '/ObjStm', '/N': places.length, '/First': head.length }, data);
}

/**
 * A cross-reference stream (7.5.8).
 *
 * @param id its own number; its place has to be among `places`
 * @param places by the numbers of the objects
 * @param trailer what the document's trailer says; what a cross-reference stream says of itself is said anew
 * @returns the whole object
 */
export async function crossReferenceStream(
  id: number,
  places: ReadonlyMap<number, Place>,
  trailer: PdfDict,
): Promise<Buffer> {
  const index: number[] = [];
  const widths = [1, 1, 1];
  const numbers = Float64Array.from(places.keys()).sort();
  /** Type and two fields of each (table 18). */
  const rows = new Float64Array(3 * numbers.length);
  const highest = [0, 0, 0];
  for (const [at, number] of numbers.entries()) {
    if (at === 0 || number !== (index.at(-2) ?? 0) + (index.at(-1) ?? 0)) index.push(number, 0);
    index[index.length - 1] = (index.at(-1) ?? 0) + 1;
    putFields(rows, 3 * at, places.get(number));
    for (let field = 1; field < 3; field++) {
      highest[field] = Math.max(highest[field] ?? 0, rows[3 * at + field] ?? 0);
    }
  }
  for (const [field, value] of highest.entries()) {
    while (value >= 256 ** (widths[field] ?? 1)) widths[field] = (widths[field] ?? 1) + 1;
  }
  const data = await deflated(predicted(rows, widths));
  const dict: PdfDict = {
    ...trailer,
    '/Type': '/XRef',
    '/W': widths,
    '/Index': index,
    '/DecodeParms': { '/Predictor': 12, '/Columns': widths.reduce((sum, width) => sum + width, 0) },
  };
  return streamObject(id, dict, data);
}

const LINE_END = Buffer.from('\n');

function streamObject(id: number, dict: PdfDict, data: Buffer): Buffer {
  const head = serialize({ ...dict, '/Filter': '/FlateDecode', '/Length': data.length });
  return Buffer.concat([
    Buffer.from(`${id} 0 obj\n${head}\nstream\n`, 'latin1'),
    data,
    Buffer.from('\nendstream\nendobj\n'),
  ]);
}

function putFields(rows: Float64Array, at: number, place: Place | undefined): void {
  if (place === undefined || place.type === 'free') {
    rows[at + 1] = place?.next ?? 0;
    rows[at + 2] = place?.generation ?? 0;
  } else if (place.type === 'offset') {
    rows[at] = 1;
    rows[at + 1] = place.offset;
    rows[at + 2] = place.generation ?? 0;
  } else {
    rows[at] = 2;
    rows[at + 1] = place.stream;
    rows[at + 2] = place.index;
  }
}

/** The rows as differences from the row above (PNG's filter Up), which compress far better. */
function predicted(rows: Float64Array, widths: readonly number[]): Buffer {
  const UP = 2;
  const length = widths.reduce((sum, width) => sum + width, 0);
  const bytes = Buffer.allocUnsafe((rows.length / 3) * (length + 1));
  const above = new Uint8Array(length);
  let at = 0;
  for (let row = 0; row < rows.length; row += 3) {
    bytes[at++] = UP;
    let end = 0;
    for (let field = 0; field < 3; field++) {
      let value = rows[row + field] ?? 0;
      const start = end;
      end += widths[field] ?? 1;
      for (let place = end - 1; place >= start; place--) {
        const byte = value % 256;
        value = (value - byte) / 256;
        bytes[at + place] = byte - (above[place] ?? 0);
        above[place] = byte;
      }
    }
    at += length;
  }
  return bytes;
}
