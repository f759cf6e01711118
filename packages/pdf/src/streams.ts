import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
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
 */
export async function objectStreamOf(
  id: number,
  places: readonly { id: number; offset: number }[],
  bodies: Buffer,
): Promise<Buffer> {
  const head = Buffer.from(`${places.map((place) => `${place.id} ${place.offset}`).join(' ')}\n`);
  const data = await deflated(Buffer.concat([head, bodies]));
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
  const rows: Row[] = [];
  const widths = [1, 1, 1];
  for (const [number, place] of [...places].sort((a, b) => a[0] - b[0])) {
    if (rows.length === 0 || number !== (index.at(-2) ?? 0) + (index.at(-1) ?? 0)) index.push(number, 0);
    index[index.length - 1] = (index.at(-1) ?? 0) + 1;
    const row = fieldsOf(place);
    rows.push(row);
    for (let field = 1; field < row.length; field++) {
      while ((row[field] ?? 0) >= 256 ** (widths[field] ?? 1)) widths[field] = (widths[field] ?? 1) + 1;
    }
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

/** Type and two fields (table 18). */
type Row = readonly [number, number, number];

function fieldsOf(place: Place): Row {
  if (place.type === 'free') return [0, place.next, place.generation];
  return place.type === 'offset' ? [1, place.offset, place.generation ?? 0] : [2, place.stream, place.index];
}

/** The rows as differences from the row above (PNG's filter Up), which compress far better. */
function predicted(rows: readonly Row[], widths: readonly number[]): Buffer {
  const UP = 2;
  const length = widths.reduce((sum, width) => sum + width, 0);
  const bytes = Buffer.allocUnsafe(rows.length * (length + 1));
  const above = new Uint8Array(length);
  let at = 0;
  for (const fields of rows) {
    bytes[at++] = UP;
    for (let field = 0, place = 0; field < fields.length; field++) {
      const value = fields[field] ?? 0;
      for (let rest = (widths[field] ?? 1) - 1; rest >= 0; rest--, place++) {
        const byte = Math.floor(value / 256 ** rest) % 256;
        bytes[at++] = byte - (above[place] ?? 0);
        above[place] = byte;
      }
    }
  }
  return bytes;
}
