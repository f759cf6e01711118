import { objectStreamOf, STREAM_OBJECTS } from '../streams.ts';
import { isDict, type PdfDict } from '../values.ts';
import type { PdfFile, Reachable } from './file.ts';
import { Output, type Parts } from './output.ts';
import { writeMoved } from './plain.ts';
import { Renumbering } from './renumber.ts';
import { Sink } from './sink.ts';
import type { Stored } from './stored.ts';

export interface SaveOptions {
  /** Objects that are no streams go into object streams. Default true. */
  pack?: boolean | undefined;
  /** Objects get numbers without gaps, which takes fewer bytes. Default false: they keep theirs. */
  renumber?: boolean | undefined;
  /** How hard object streams are deflated, 0 to 9. Default: zlib's own. */
  level?: number | undefined;
  /** What the first line says. Default: the version it has, and at least what packing needs. */
  version?: string | undefined;
  /** Both halves of /ID, as values. Default: as it is. */
  id?: readonly [string, string] | undefined;
  signal?: AbortSignal | undefined;
}

/** Object streams came with it. */
const PACKED_VERSION = '1.5';

/** Object streams that are deflated at once: as many as there are threads for it. */
const AT_ONCE = 4;

/** @returns the file in pieces, most of them parts of what the document was read from */
export async function writeAll(file: PdfFile, options: SaveOptions): Promise<Parts> {
  const { pack = true, signal, level } = options;
  const { objects, next, trailer } = arranged(file, options);
  const version = options.version ?? (pack && file.version < PACKED_VERSION ? PACKED_VERSION : file.version);
  const output = new Output();
  output.text(`%PDF-${version}\n%\u00e2\u00e3\u00cf\u00d3\n`);
  output.places.set(0, { type: 'free', next: 0, generation: 65535 });
  const members: Stored[] = [];
  for (const object of objects) {
    if (pack && mayBePacked(object)) members.push(object);
    else output.object(object);
  }
  if (options.id !== undefined) trailer['/ID'] = [...options.id];
  if (!pack) return output.finishWithTable({ ...trailer, '/Size': (objects.at(-1)?.id ?? 0) + 1 });
  const end = await writePacked(output, members, next, { signal, level });
  return await output.finishWithStream(end, { ...trailer, '/Size': end + 1 });
}

/** What is written, in the order of numbers; with `renumber` these are new, streams first. */
function arranged(
  file: PdfFile,
  { renumber = false, signal }: SaveOptions,
): Reachable & { trailer: PdfDict } {
  const { objects, next } = file.reachable(signal);
  const trailer = { ...file.trailer };
  if (!renumber) return { objects, next, trailer };
  const isPacked = objects.map(mayBePacked);
  const inOrder = [...objects.filter((_, at) => !isPacked[at]), ...objects.filter((_, at) => isPacked[at])];
  const numbers = new Renumbering(inOrder);
  const renumbered = inOrder.map((stored) => numbers.of(stored));
  return { objects: renumbered, next: inOrder.length + 1, trailer: numbers.dict(trailer) };
}

/** @param first number of the first stream @returns the first number that is free then */
async function writePacked(
  output: Output,
  members: readonly Stored[],
  first: number,
  { signal, level }: Pick<SaveOptions, 'signal' | 'level'>,
): Promise<number> {
  const parts: { stream: number; objects: readonly Stored[] }[] = [];
  for (let start = 0; start < members.length; start += STREAM_OBJECTS) {
    parts.push({ stream: first + parts.length, objects: members.slice(start, start + STREAM_OBJECTS) });
  }
  for (let start = 0; start < parts.length; start += AT_ONCE) {
    signal?.throwIfAborted();
    const some = parts.slice(start, start + AT_ONCE);
    const written = await Promise.all(some.map(({ stream, objects }) => packed(stream, objects, level)));
    for (const [index, { stream, objects }] of some.entries()) {
      output.written(stream, written[index] ?? Buffer.alloc(0));
      for (const [place, { id }] of objects.entries()) {
        output.places.set(id, { type: 'packed', stream, index: place });
      }
    }
  }
  return first + parts.length;
}

/** A signature says where in the file it lies (12.8.1), and other generations have no place in a stream. */
function mayBePacked(stored: Stored): boolean {
  // What is moved is no stream, and says nothing of places in the file.
  if (stored.moved !== undefined) return true;
  const { generation, object } = stored;
  const { value, stream } = object;
  if (stream !== undefined || generation !== 0) return false;
  return !isDict(value) || value['/ByteRange'] === undefined;
}

async function packed(id: number, members: readonly Stored[], level: number | undefined): Promise<Buffer> {
  const sink = new Sink();
  const places = members.map((member) => {
    const place = { id: member.id, offset: sink.length };
    if (member.moved !== undefined) writeMoved(sink, member.moved);
    else if (member.body === undefined) sink.value(member.object.value);
    else sink.raw(member.body);
    sink.text('\n');
    return place;
  });
  return await objectStreamOf(id, places, sink.bytes(), level);
}
