import type { PdfFile } from '../model/index.ts';
import { isRef, type PdfDict } from '../model/values.ts';

/**
 * Returns the content of a page, its streams as one.
 *
 * @throws PlatenError `pdf_damaged`, `pdf_too_complex`
 */
export function contentOf(file: PdfFile, page: PdfDict): Buffer {
  const contents = page['/Contents'];
  const resolved = file.resolve(contents);
  const streams = Array.isArray(resolved) ? resolved : [contents ?? null];
  const parts: Buffer[] = [];
  for (const ref of streams) {
    const data = isRef(ref) ? file.streamData(ref)?.data : undefined;
    // A token does not continue in the next stream (ISO 32000-2, table 31).
    if (data !== undefined) parts.push(Buffer.from(data), Buffer.from('\n'));
  }
  return Buffer.concat(parts);
}
