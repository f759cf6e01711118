import { createHash } from 'node:crypto';
import { Deflater } from './object-streams.ts';
import { isDict, type PdfDict, type PdfValue, type Ref } from './values.ts';
import type { CrossReferences } from './cross-references.ts';
import type { PdfFile } from './file.ts';
import { inMemory, Output } from './output.ts';
import type { PdfObject } from './entries.ts';
import { idOf, Parser } from './syntax.ts';

export interface IncrementalOptions {
  /** Entries of changed or added dictionaries whose positions in the file are requested. */
  locate?: readonly { ref: Ref; key: string }[] | undefined;
}

export interface Appended {
  bytes: Uint8Array;
  /** Start and end of the value of each entry of `locate`, including brackets. */
  places: { start: number; end: number }[];
}

type Changes = readonly (readonly [
  id: number,
  change: { generation: number; object: PdfObject | undefined },
])[];

/**
 * Appends changes to a file (ISO 32000-2, 7.5.6), with a cross-reference table or stream, as in the file itself.
 */
export async function appendChanges(
  file: PdfFile,
  bytes: Buffer,
  { start, kind }: CrossReferences,
  changes: Changes,
  { locate = [] }: IncrementalOptions,
): Promise<Appended> {
  const output = new Output(bytes.length);
  output.text('\n');
  const hash = createHash('sha256').update(JSON.stringify([start, bytes.length]));
  for (const [id, { generation, object }] of changes) {
    if (object === undefined) output.places.set(id, { type: 'free', next: 0, generation: generation + 1 });
    else output.object({ id, generation, object, body: undefined, moved: undefined });
    hash.update(JSON.stringify([id, object?.value ?? null])).update(object?.stream?.raw ?? '');
  }
  const size = file.nextId;
  const trailer: PdfDict = { ...file.trailer, '/Prev': start };
  const id = file.resolve(file.trailer['/ID']);
  // The second half identifies the update (14.4).
  if (Array.isArray(id)) trailer['/ID'] = [id[0] ?? null, `b:${hash.digest('hex').slice(0, 32)}`];
  const parts =
    kind === 'table'
      ? output.finishWithTable({ ...trailer, '/Size': size })
      : await output.finishWithStream(size, { ...trailer, '/Size': size + 1 }, new Deflater());
  const written = Buffer.concat([bytes, inMemory(parts)]);
  const places = locate.map(({ ref, key }) => {
    const place = output.places.get(idOf(ref));
    if (place?.type !== 'offset') throw new Error(`${ref} has not been changed`);
    return placeOf(written, place.offset, key, file.get(ref)?.value);
  });
  return { bytes: written, places };
}

function placeOf(
  bytes: Buffer,
  offset: number,
  key: string,
  value: PdfValue | undefined,
): { start: number; end: number } {
  if (!isDict(value) || value[key] === undefined || value[key] === null)
    throw new Error(`there is no ${key}`);
  const parser = new Parser(bytes, offset);
  parser.integer();
  parser.integer();
  parser.takes('obj');
  parser.skip();
  parser.at += '<<'.length;
  for (;;) {
    const name = parser.value();
    parser.skip();
    const start = parser.at;
    parser.value();
    if (name === key) return { start, end: parser.at };
  }
}
