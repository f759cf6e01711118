import { PlatenError } from '@platen/core/errors';
import { arrayElements, parseJsonShape } from '@platen/core/json-text';
import { ordinalOf } from '@platen/core/ordinal';
import { csvRecords } from './csv.ts';
import {
  ACCEPTED,
  contentsOf,
  type DataSource,
  endingOf,
  invalidData,
  kindOf,
  malformedData,
  MAX_RECORD_LENGTH,
  refuseHuge,
} from './source.ts';

const LINES = ['jsonl', 'ndjson'];

/**
 * Returns the records of a batch (I-16): a JSON array as text, or a file that is JSON, JSON Lines, CSV, XLS
 * or XLSX, detected by its content. If there are too many records, only one more than allowed is read, so
 * that the sender does not determine the memory.
 *
 * @returns the text of one JSON object for each record, in order
 * @throws PlatenError `malformed_json`, `render_data_invalid`, `batch_empty`, `batch_too_large`
 */
export async function readRecords(source: DataSource | null, maxRecords: number): Promise<string[]> {
  if (source === null) throw emptyBatch();
  const records = await parseRecords(source, maxRecords);
  if (records.length === 0) throw emptyBatch();
  if (records.length > maxRecords) {
    throw new PlatenError(
      'batch_too_large',
      `The batch contains more than ${maxRecords} records, which is the limit.`,
      { faults: [{ field: 'render_data', message: `more than ${maxRecords} records`, allowed: maxRecords }] },
    );
  }
  return records;
}

function emptyBatch(): PlatenError {
  const message = 'render_data contains no records: send a list of objects, or a file with at least one row';
  return new PlatenError('batch_empty', `${message}.`, { faults: [{ field: 'render_data', message }] });
}

async function parseRecords(source: DataSource, maxRecords: number): Promise<string[]> {
  const contents = contentsOf(source);
  if (contents.kind === 'other') throw invalidData(`render_data is ${contents.what}, but ${ACCEPTED}`);
  if (contents.kind === 'workbook') {
    // Loaded for spreadsheets only: it is most of the function's code.
    const { sheetRecords } = await import('./sheet.ts');
    return await sheetRecords('bytes' in source ? source.bytes : Buffer.alloc(0), maxRecords);
  }
  const { text } = contents;
  const ending = endingOf(source);
  const looksLikeJson =
    'text' in source || /^\s*[[{]/.test(text) || ending === 'json' || LINES.includes(ending);
  if (!looksLikeJson || ending === 'csv' || ending === 'tsv') return csvRecords(text, maxRecords);
  return jsonRecords(text, maxRecords, LINES.includes(ending));
}

/**
 * Reads a JSON array of objects, or JSON Lines with one object per line. @param isLines whether the file name
 * says JSON Lines
 */
function jsonRecords(text: string, maxRecords: number, isLines: boolean): string[] {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed === 'null') return [];
  if (trimmed.startsWith('[')) return arrayRecords(trimmed, maxRecords);
  if (isLines) return jsonLines(text, maxRecords);
  const value = valueOf(trimmed);
  if ('value' in value) {
    throw invalidData(
      `render_data is ${kindOf(value.value)}, but a batch takes a list of objects: [{…}, {…}]`,
    );
  }
  if (trimmed.startsWith('{') && trimmed.includes('\n')) return jsonLines(text, maxRecords);
  refuseHuge(trimmed, 'the record');
  const advice = trimmed.startsWith('{') ? '' : `; ${ACCEPTED}`;
  throw malformedData('render_data', value.error, advice);
}

/** Returns the value of a JSON text, or its error; a text that is too long for a record is not parsed. */
function valueOf(text: string): { value: unknown } | { error: unknown } {
  if (text.length > MAX_RECORD_LENGTH) return { error: 'it is too long' };
  try {
    return { value: parseJsonShape(text) };
  } catch (error) {
    return { error };
  }
}

function arrayRecords(text: string, maxRecords: number): string[] {
  const elements = arrayElements(text, maxRecords, (record, index) =>
    refuseHuge(record, `the ${ordinalOf(index)} record of render_data`),
  );
  if (elements === null) {
    const read = valueOf(text);
    throw malformedData('render_data', 'error' in read ? read.error : 'it does not end as it should');
  }
  elements.forEach((element, index) => {
    if (element.startsWith('{')) return;
    const what = kindOf(parseJsonShape(element));
    throw invalidData(`the ${ordinalOf(index)} record of render_data is not a JSON object, but ${what}`);
  });
  return elements;
}

function jsonLines(text: string, maxRecords: number): string[] {
  const records: string[] = [];
  let start = 0;
  for (let line = 1; start < text.length && records.length <= maxRecords; line += 1) {
    const end = text.indexOf('\n', start);
    const record = text.slice(start, end < 0 ? text.length : end).trim();
    start = end < 0 ? text.length : end + 1;
    if (record === '') continue;
    const where = `line ${line} of render_data`;
    refuseHuge(record, where);
    const read = valueOf(record);
    if ('error' in read) throw malformedData(where, read.error);
    if (!record.startsWith('{')) {
      throw invalidData(`${where} is not a JSON object, but ${kindOf(read.value)}`);
    }
    records.push(record);
  }
  return records;
}
