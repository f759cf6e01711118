import type { Engine, PdfInput } from '../engine.ts';
import type { ObjectFile } from '../object-file.ts';
import type { Ref } from '../values.ts';

/** The XMP packet in a stream of a document; undefined where there is none, or none that can be decoded. */
export async function readPacket(
  engine: Engine,
  input: PdfInput,
  objects: ObjectFile,
  metadata: Ref,
): Promise<string | undefined> {
  if (objects.get(metadata)?.stream !== true) return undefined;
  for await (const [, data] of engine.readStreams(input, [metadata], 'generalized'))
    return decodePacket(data);
  return undefined;
}

/** A packet is UTF-8 or, told by its byte order mark, UTF-16 (ISO 16684-1, 7.3.2). */
export function decodePacket(data: Buffer): string {
  if (data[0] === 0xfe && data[1] === 0xff) return new TextDecoder('utf-16be').decode(data);
  if (data[0] === 0xff && data[1] === 0xfe) return new TextDecoder('utf-16le').decode(data);
  return data.toString('utf8');
}
