import { isPlatenError } from '@platen/core/errors';
import type { PdfFile } from '../model/index.ts';
import { isRef } from '../model/values.ts';

/**
 * The text of a packet: UTF-8, or UTF-16 with a byte order mark or without one, which shows in the zeros of its first
 * character (ISO 16684-1, 7.3.2; XML 1.0, F.1). Bytes that are no UTF-8 are letters in the encoding of Windows.
 */
export function decodePacket(data: Buffer): string {
  const label = utf16Of(data);
  // The declaration states an encoding that the text no longer has.
  if (label !== undefined) return new TextDecoder(label).decode(data).replace(/^\s*<\?xml[^>]*>/, '');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(data);
  } catch {
    return new TextDecoder('windows-1252').decode(data);
  }
}

function utf16Of([first, second]: Buffer): 'utf-16be' | 'utf-16le' | undefined {
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return 'utf-16be';
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le';
  return undefined;
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
