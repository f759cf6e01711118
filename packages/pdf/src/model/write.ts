import { Deflater, isStreamFull, ObjectStreams, SMALL_STREAM, type StreamContent } from './object-streams.ts';
import { isDict, type PdfDict } from './values.ts';
import type { PdfFile } from './file.ts';
import { Output, type Parts } from './output.ts';
import { writeMoved } from './plain.ts';
import { Renumbering } from './renumber.ts';
import { Sink } from './sink.ts';
import type { Stored } from './stored.ts';

export interface SaveOptions {
  /** Whether objects that are not streams go into object streams. Default true. */
  pack?: boolean | undefined;
  /** Whether objects get new numbers without gaps, which takes fewer bytes. Default false. */
  renumber?: boolean | undefined;
  /** Compression level of object streams, 0 to 9. Default: that of zlib. */
  level?: number | undefined;
  /** The version in the header. Default: the existing version, and at least the one that packing needs. */
  version?: string | undefined;
  /** Both halves of /ID, as values. Default: unchanged. */
  id?: readonly [string, string] | undefined;
  signal?: AbortSignal | undefined;
}

/** The first version with object streams. */
const PACKED_VERSION = '1.5';

/** @returns the file in pieces, most of them ranges of the document's source */
export async function writeAll(file: PdfFile, options: SaveOptions): Promise<Parts> {
  const { pack = true, signal, level } = options;
  const objects = arranged(file, options);
  const { trailer, next } = objects;
  const version = options.version ?? (pack && file.version < PACKED_VERSION ? PACKED_VERSION : file.version);
  const output = new Output();
  output.text(`%PDF-${version}\n%\u00e2\u00e3\u00cf\u00d3\n`);
  output.places.set(0, { type: 'free', next: 0, generation: 65535 });
  const members: number[] = [];
  for (let index = 0; index < objects.count; index++) {
    const object = objects.at(index);
    if (pack && mayBePacked(object)) members.push(index);
    else output.object(object);
  }
  if (options.id !== undefined) trailer['/ID'] = [...options.id];
  if (!pack) return output.finishWithTable({ ...trailer, '/Size': objects.last + 1 });
  const deflater = new Deflater(level);
  const end = await writePacked(output, { members, at: objects.at }, next, { signal, deflater });
  return await output.finishWithStream(end, { ...trailer, '/Size': end + 1 }, deflater);
}

/** The objects to be written, sorted by number. */
interface Arranged {
  count: number;
  at: (index: number) => Stored;
  /** The highest number. */
  last: number;
  /** The lowest number above all that are referred to. */
  next: number;
  trailer: PdfDict;
}

/** With `renumber`, numbers are new, and streams come first. */
function arranged(file: PdfFile, { renumber = false, signal }: SaveOptions): Arranged {
  const { ids, next } = file.found(signal);
  const count = ids.length;
  const trailer = { ...file.trailer };
  const stored = (index: number): Stored => file.stored(ids[index] ?? 0);
  if (!renumber) return { count, at: stored, last: ids[count - 1] ?? 0, next, trailer };
  const objects = Array.from(ids, (_, index) => stored(index));
  const isPacked = objects.map(mayBePacked);
  const inOrder = [...objects.filter((_, at) => !isPacked[at]), ...objects.filter((_, at) => isPacked[at])];
  const numbers = new Renumbering(inOrder);
  const renumbered = inOrder.map((object) => numbers.of(object));
  const at = (index: number): Stored => renumbered[index] ?? none();
  return { count, at, last: count, next: count + 1, trailer: numbers.dict(trailer) };
}

function none(): never {
  throw new Error('there is no such object to be written');
}

/**
 * @param first number of the first stream
 * @returns the first free number after it
 */
async function writePacked(
  output: Output,
  { members, at }: { members: readonly number[] } & Pick<Arranged, 'at'>,
  first: number,
  { signal, deflater }: Pick<SaveOptions, 'signal'> & { deflater: Deflater },
): Promise<number> {
  let stream = first;
  await using streams = new ObjectStreams(deflater, (id, bytes) => output.written(id, bytes));
  for (let start = 0; start < members.length; stream++) {
    signal?.throwIfAborted();
    const { content, end } = gathered(output, { members, at }, start, stream);
    await streams.add(stream, content);
    start = end;
  }
  await streams.finish();
  return stream;
}

/** The objects of one stream, and the start of the next one's. */
function gathered(
  output: Output,
  { members, at }: { members: readonly number[] } & Pick<Arranged, 'at'>,
  start: number,
  stream: number,
): { content: StreamContent; end: number } {
  const [head, sink] = [new Sink(1 << 12), new Sink(SMALL_STREAM + (1 << 12))];
  let end = start;
  for (; end < members.length; end++) {
    const count = end - start;
    if (isStreamFull(count, sink.length)) break;
    const member = at(members[end] ?? 0);
    output.places.put(member.id, 2, stream, count);
    if (count > 0) head.text(' ');
    head.integer(member.id);
    head.text(' ');
    head.integer(sink.length);
    if (member.moved !== undefined) writeMoved(sink, member.moved);
    else if (member.body === undefined) sink.value(member.object.value);
    else sink.part(member.body.bytes, member.body.start, member.body.end);
    sink.text('\n');
  }
  head.text('\n');
  return { content: { count: end - start, head: head.bytes(), bodies: [sink.bytes()] }, end };
}

/**
 * A signature contains its position in the file (12.8.1), and objects of other generations are not permitted in a
 * stream.
 */
function mayBePacked(stored: Stored): boolean {
  // Copied objects are not streams, and contain no positions in the file.
  if (stored.moved !== undefined) return true;
  const { generation, object } = stored;
  const { value, stream } = object;
  if (stream !== undefined || generation !== 0) return false;
  return !isDict(value) || value['/ByteRange'] === undefined;
}
