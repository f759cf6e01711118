import { isPlatenError } from '@platen/core/errors';
import type { PdfFile } from '../model/index.ts';
import type { Ref } from '../model/values.ts';

/** Maximum bytes of the content or image that is decoded. */
export const MAX_DECODED = 140e6;

/**
 * Returns the data of a stream with all filters decoded except those of images.
 *
 * @returns undefined for an object that is not a stream or cannot be decoded, and stays unchanged
 * @throws PlatenError `pdf_too_complex` for more than `most` bytes
 */
export function decodedStream(
  file: PdfFile,
  ref: Ref,
  most: number,
): { data: Buffer; filters: readonly string[] } | undefined {
  try {
    const stream = file.streamData(ref, most);
    if (stream === undefined) return undefined;
    const { data, filters } = stream;
    return { data: Buffer.from(data.buffer, data.byteOffset, data.byteLength), filters };
  } catch (error) {
    if (isPlatenError(error) && error.code === 'pdf_damaged') return undefined;
    throw error;
  }
}
