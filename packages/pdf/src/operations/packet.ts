import { isPlatenError } from '@platen/core/errors';
import type { Engine, PdfInput } from '../engine.ts';
import type { PdfFile } from '../model/index.ts';
import type { ObjectFile } from '../object-file.ts';
import { isRef, type Ref } from '../values.ts';

/** The XMP packet in a stream of a document; undefined if there is none, or none that can be decoded. */
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

/** A packet is UTF-8 or, according to its byte order mark, UTF-16 (ISO 16684-1, 7.3.2). */
export function decodePacket(data: Buffer): string {
  if (data[0] === 0xfe && data[1] === 0xff) return new TextDecoder('utf-16be').decode(data);
  if (data[0] === 0xff && data[1] === 0xfe) return new TextDecoder('utf-16le').decode(data);
  return data.toString('utf8');
}

/**
 * Replaces the packet of a document. It is stored as plain text, so that programs without PDF support find it (ISO
 * 32000-1, 14.3.2).
 */
export function replacePacket(file: PdfFile, packet: string): void {
  const metadata = file.add({ '/Type': '/Metadata', '/Subtype': '/XML' }, Buffer.from(packet));
  file.set(file.catalogRef, { ...file.catalog, '/Metadata': metadata });
}

/** Maximum bytes of a packet. */
const MAX_PACKET = 64 << 20;

/** The unchanged XMP packet of a document; undefined if there is none, or none that can be decoded. */
export function packetIn(file: PdfFile): string | undefined {
  const ref = file.catalog['/Metadata'];
  try {
    const stream = isRef(ref) ? file.streamData(ref, MAX_PACKET) : undefined;
    if (stream === undefined || stream.filters.length > 0) return undefined;
    return decodePacket(Buffer.from(stream.data));
  } catch (error) {
    if (isPlatenError(error) && error.code.startsWith('pdf_')) return undefined;
    throw error;
  }
}
