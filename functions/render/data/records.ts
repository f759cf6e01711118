import { PlatenError } from '../../shared/errors.ts';
import { arrayElements, isJsonObject } from '../../shared/json-text.ts';
import { csvRecords } from './csv.ts';
import { type DataSource, invalidData, jsonFault } from './record.ts';
import { decodeText } from './text.ts';

const ZIP_MAGIC = [0x50, 0x4b, 0x03, 0x04];
/** Compound File Binary, the container of XLS. */
const CFB_MAGIC = [0xd0, 0xcf, 0x11, 0xe0];

/**
 * The records of a batch (decision 16): a JSON array as text, or a file that is JSON, JSON Lines, CSV, XLS or XLSX,
 * looked at rather than believed.
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
      `The batch holds ${records.length} records; at most ${maxRecords} are rendered in one request.`,
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
  if ('text' in source) return jsonRecords(source.text);
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
  return looksLikeJson && ending !== 'csv' ? jsonRecords(text) : csvRecords(text);
}

function startsWith(bytes: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, i) => bytes[i] === byte);
}

/** A JSON array of objects, or JSON Lines: one object a line. */
function jsonRecords(text: string): string[] {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed === 'null') return [];
  const elements = arrayElements(trimmed);
  if (elements !== null) {
    elements.forEach((element, index) => {
      if (!element.startsWith('{')) {
        throw invalidData(`record ${index} of render_data is not a JSON object${jsonFault(element)}`);
      }
    });
    return elements;
  }
  if (isJsonObject(trimmed)) return [trimmed];
  if (!trimmed.startsWith('{') || !trimmed.includes('\n')) {
    throw invalidData(`render_data is not a JSON array of objects${jsonFault(trimmed)}`);
  }
  return jsonLines(text);
}

function jsonLines(text: string): string[] {
  const records: string[] = [];
  text.split(/\r?\n/).forEach((line, index) => {
    const record = line.trim();
    if (record === '') return;
    if (!isJsonObject(record)) {
      throw invalidData(`line ${index + 1} of render_data is not a JSON object${jsonFault(record)}`);
    }
    records.push(record);
  });
  return records;
}
