import { PlatenError } from '../../shared/errors.ts';
import { isJsonObject } from '../../shared/json-text.ts';
import { decodeText } from './text.ts';

/** Characters of one record: parsed, and filled in, it takes many times their memory. */
export const MAX_RECORD_LENGTH = 16 * 1024 * 1024;

/** `render_data` as it came: text, or a file. */
export type DataSource = { text: string } | { bytes: Uint8Array; filename: string | null };

/**
 * The record of a single rendering (decision 16).
 *
 * @returns the text of one JSON object; an empty one when nothing was given
 * @throws PlatenError `render_data_invalid`
 */
export function readRecord(source: DataSource | null): string {
  if (source === null) return '{}';
  const text = ('text' in source ? source.text : decodeText(source.bytes)).trim();
  if (text === '' || text === 'null') return '{}';
  if (text.length > MAX_RECORD_LENGTH) {
    throw invalidData(`render_data has more than ${MAX_RECORD_LENGTH / 1024 / 1024} million characters`);
  }
  if (!isJsonObject(text)) throw invalidData(`render_data is not a JSON object${jsonFault(text)}`);
  return text;
}

/** An error about `render_data` as a whole. */
export function invalidData(message: string, cause?: unknown): PlatenError {
  return new PlatenError('render_data_invalid', `${message}.`, {
    faults: [{ field: 'render_data', message }],
    ...(cause === undefined ? {} : { cause }),
  });
}

/** What is wrong with a text that should have been JSON, as the end of a sentence. */
export function jsonFault(text: string): string {
  if (text.length > MAX_RECORD_LENGTH) return ', as far as it can be read';
  try {
    const value = JSON.parse(text) as unknown;
    return `, but ${Array.isArray(value) ? 'a list' : value === null ? 'null' : `a ${typeof value}`}`;
  } catch (error) {
    return `: ${error instanceof Error ? error.message : String(error)}`;
  }
}
