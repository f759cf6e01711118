import { PlatenError } from '../../shared/errors.ts';
import { arrayElements, isJsonObject } from '../../shared/json-text.ts';
import { csvRecords } from './csv.ts';
import { type DataSource, invalidData, jsonFault, MAX_RECORD_LENGTH } from './record.ts';
import { decodeText } from './text.ts';

const ZIP_MAGIC = [0x50, 0x4b, 0x03, 0x04];
/** Compound File Binary, the container of XLS. */
const CFB_MAGIC = [0xd0, 0xcf, 0x11, 0xe0];

/**
 * The records of a batch (decision 16): a JSON array as text, or a file that is JSON, JSON Lines, CSV, XLS or XLSX,
 * looked at rather than believed. Of too many records one more is read than there may be: the memory they take is not
 * the sender's to choose.
 *
 * @returns the text of one JSON object for each record, in order
 * @throws PlatenError `render_data_invalid`, `batch_empty`, `batch_too_large`
 */
export async function readRecords(source: DataSource | null, maxRecords: number): Promise<string[]> {
  if (source === null) throw emptyBatch();
  const records = await parseRecords(source, maxRecords);
  if (records.length === 0) throw emptyBatch();
  if (records.length > maxRecords) {
    throw new PlatenError(
      'batch_too_large',
      `The batch holds more than ${maxRecords} records, which is the most it may hold.`,
      { faults: [{ field: 'render_data', message: `more than ${maxRecords} records`, allowed: maxRecords }] },
    );
  }
  return records;
}

function emptyBatch(): PlatenError {
  const message = 'render_data holds no records: send a list of objects, or a file with at least one row';
  return new PlatenError('batch_empty', `${message}.`, { faults: [{ field: 'render_data', message }] });
}

async function parseRecords(source: DataSource, maxRecords: number): Promise<string[]> {
  if ('text' in source) return jsonRecords(source.text, maxRecords);
  const { bytes } = source;
  if (startsWith(bytes, ZIP_MAGIC) || startsWith(bytes, CFB_MAGIC)) {
    // Loaded for spreadsheets only: it is most of the function's code.
    const { sheetRecords } = await import('./sheet.ts');
    return await sheetRecords(bytes, maxRecords);
  }
  const text = decodeText(bytes);
  const ending = source.filename?.toLowerCase().split('.').pop();
  const looksLikeJson =
    /^\s*[[{]/.test(text) || ending === 'json' || ending === 'jsonl' || ending === 'ndjson';
  return looksLikeJson && ending !== 'csv' ? jsonRecords(text, maxRecords) : csvRecords(text, maxRecords);
}

function startsWith(bytes: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, i) => bytes[i] === byte);
}

/** @param what such as "record 3" */
function refuseHuge(record: string, what: string): void {
  if (record.length <= MAX_RECORD_LENGTH) return;
  throw invalidData(
    `${what} of render_data has more than ${MAX_RECORD_LENGTH / 1024 / 1024} million characters`,
  );
}

/** A JSON array of objects, or JSON Lines: one object a line. */
function jsonRecords(text: string, maxRecords: number): string[] {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed === 'null') return [];
  const elements = arrayElements(trimmed, maxRecords, (record, index) =>
    refuseHuge(record, `record ${index}`),
  );
  if (elements !== null) {
    elements.forEach((element, index) => {
      if (!element.startsWith('{')) {
        throw invalidData(`record ${index} of render_data is not a JSON object${jsonFault(element)}`);
      }
    });
    return elements;
  }
  if (trimmed.length <= MAX_RECORD_LENGTH && isJsonObject(trimmed)) return [trimmed];
  const isLine = !trimmed.includes('\n');
  if (isLine) refuseHuge(trimmed, 'the record');
  if (!trimmed.startsWith('{') || isLine) {
    throw invalidData(`render_data is not a JSON array of objects${jsonFault(trimmed)}`);
  }
  return jsonLines(text, maxRecords);
}

function jsonLines(text: string, maxRecords: number): string[] {
  const records: string[] = [];
  let start = 0;
  for (let line = 1; start < text.length && records.length <= maxRecords; line += 1) {
    const end = text.indexOf('\n', start);
    const record = text.slice(start, end < 0 ? text.length : end).trim();
    start = end < 0 ? text.length : end + 1;
    if (record === '') continue;
    refuseHuge(record, `line ${line}`);
    if (!isJsonObject(record)) {
      throw invalidData(`line ${line} of render_data is not a JSON object${jsonFault(record)}`);
    }
    records.push(record);
  }
  return records;
}
