import { PlatenError } from '@platen/core/errors';
import { looksLikeOle, looksLikeZip } from '@platen/office/format';
import { describeForeign } from '@platen/contract/templates';
import { decodePlain } from '@platen/core/text';

/** `render_data` as it was sent, and its errors. */

/** Most characters of one record; parsed and filled in, it takes many times their memory. */
export const MAX_RECORD_LENGTH = 16 * 1024 * 1024;

/** The hint for callers whose file has another format. */
export const ACCEPTED = 'a batch takes a JSON array, or a file that is JSON, JSON Lines, CSV, XLS or XLSX';

/** Text, or a file. */
export type DataSource = { text: string } | { bytes: Uint8Array; filename: string | null };

/** The detected content of a data file; for text, the text. */
export type Contents =
  { kind: 'text'; text: string } | { kind: 'workbook' } | { kind: 'other'; what: string };

/** Detects the content of data, regardless of the file name. */
export function contentsOf(source: DataSource): Contents {
  if ('text' in source) return { kind: 'text', text: source.text };
  const file = Buffer.from(source.bytes.buffer, source.bytes.byteOffset, source.bytes.byteLength);
  if (looksLikeZip(file) || looksLikeOle(file)) return { kind: 'workbook' };
  if (file.length === 0) return { kind: 'text', text: '' };
  const other = describeForeign(file);
  if (other !== null) return { kind: 'other', what: other };
  const decoded = decodePlain(file);
  return 'text' in decoded ? { kind: 'text', text: decoded.text } : { kind: 'other', what: 'binary data' };
}

/** Returns the extension of a file's name in lower case; empty for text and for files without a name. */
export function endingOf(source: DataSource): string {
  const name = 'text' in source ? null : source.filename;
  return /\.([^.]*)$/.exec(name ?? '')?.[1]?.toLowerCase() ?? '';
}

/** Returns an error about readable `render_data` as a whole. */
export function invalidData(message: string, cause?: unknown): PlatenError {
  return fault('render_data_invalid', message, cause);
}

/** Returns the error for invalid JSON text (I-4). @param where e.g. `line 3 of render_data` */
export function malformedData(where: string, cause: unknown, advice = ''): PlatenError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return fault('malformed_json', `${where} is not valid JSON: ${reason}${advice}`, cause);
}

function fault(code: 'render_data_invalid' | 'malformed_json', message: string, cause: unknown): PlatenError {
  return new PlatenError(code, `${message}.`, {
    faults: [{ field: 'render_data', message }],
    ...(cause === undefined ? {} : { cause }),
  });
}

/** Returns the kind of a value, as the end of a sentence. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'a JSON object' : `a ${typeof value}`;
}

/** @param what such as "record 3 of render_data" @throws PlatenError `render_data_invalid` */
export function refuseHuge(record: string, what: string): void {
  if (record.length <= MAX_RECORD_LENGTH) return;
  throw invalidData(`${what} has more than ${MAX_RECORD_LENGTH / 1024 / 1024} million characters`);
}
