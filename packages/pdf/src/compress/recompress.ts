import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import { isPlatenError } from '@platen/core/errors';
import type { PdfFile, StreamBytes } from '../model/index.ts';
import { isRef, type PdfDict, type Ref } from '../model/values.ts';
import { decodedStream } from './decoded.ts';

/** Number of streams that are deflated concurrently, which is the number of available threads. */
const AT_ONCE = 4;

/** Maximum size of a stream that is deflated again. */
const MAX_DECODED = 64 << 20;

const deflated = promisify(deflate);

/** Keys that describe the encoding of a stream's data. */
const STORAGE = new Set(['/Filter', '/DecodeParms', '/Length', '/DL']);

/** Where new data of streams stays until the document is written. */
export type Keep = (data: Uint8Array) => StreamBytes;

/** Compresses every stream again at the highest level, and keeps the smaller results. */
export async function recompressStreams(file: PdfFile, keep: Keep): Promise<void> {
  const streams: Ref[] = [];
  for (const { id, generation, moved, object } of file.reachable().objects) {
    if (moved === undefined && object.stream !== undefined) streams.push(`${id} ${generation} R`);
  }
  for (let start = 0; start < streams.length; start += AT_ONCE) {
    await Promise.all(streams.slice(start, start + AT_ONCE).map((ref) => recompress(file, ref, keep)));
  }
}

async function recompress(file: PdfFile, ref: Ref, keep: Keep): Promise<void> {
  const dict = file.dict(ref);
  const raw = file.get(ref)?.stream?.raw;
  // Lengths are direct values, so that they need no object.
  if (raw !== undefined && isRef(dict['/Length'])) file.set(ref, { ...dict, '/Length': raw.length });
  // XMP stays unchanged: it is plain text so that programs without PDF support can find it (ISO 32000-1, 14.3.2).
  if (raw === undefined || dict['/Type'] === '/Metadata' || dict['/F'] !== undefined) return;
  const stream = decodedUpTo(file, ref);
  if (stream === undefined) return;
  if (stream.filters.length > 0) {
    keepImageFilters(file, ref, keep(stream.data), stream.filters.length);
    return;
  }
  const data = await deflated(stream.data, { level: 9 });
  if (data.length >= raw.length) return;
  file.set(ref, { ...withoutStorage(dict), '/Filter': '/FlateDecode' }, keep(data));
}

/** Removes the filters around those of an image, such as ASCII 85 around a JPEG. @param count the image's filters */
function keepImageFilters(file: PdfFile, ref: Ref, data: StreamBytes, count: number): void {
  const dict = file.dict(ref);
  const stored = file.get(ref)?.stream?.raw.length ?? 0;
  if (data.length >= stored) return;
  const parameters = file.array(dict['/DecodeParms']).slice(-count);
  file.set(
    ref,
    {
      ...withoutStorage(dict),
      '/Filter': file.array(dict['/Filter']).slice(-count),
      ...(parameters.length === 0 ? {} : { '/DecodeParms': parameters }),
    },
    data,
  );
}

/** Larger streams stay unchanged. */
function decodedUpTo(file: PdfFile, ref: Ref): ReturnType<typeof decodedStream> {
  try {
    return decodedStream(file, ref, MAX_DECODED);
  } catch (error) {
    if (isPlatenError(error) && error.code === 'pdf_too_complex') return undefined;
    throw error;
  }
}

function withoutStorage(dict: PdfDict): PdfDict {
  return Object.fromEntries(Object.entries(dict).filter(([key]) => !STORAGE.has(key)));
}
