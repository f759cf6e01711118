import { parseJsonShape } from '@platen/core/json-text';
import {
  contentsOf,
  type DataSource,
  endingOf,
  invalidData,
  kindOf,
  malformedData,
  refuseHuge,
} from './source.ts';

/** The hint for callers who send records of a batch to a route for one document. */
const BATCH =
  'one document takes a JSON object; for a document of each record send it to the batch route ' +
  '(/v1/render/{format}/batch/…)';

/**
 * Returns the record of a single rendering (I-16).
 *
 * @returns the text of one JSON object; an empty object if no data was given
 * @throws PlatenError `malformed_json`, `render_data_invalid`
 */
export function readRecord(source: DataSource | null): string {
  if (source === null) return '{}';
  const contents = contentsOf(source);
  if (contents.kind === 'workbook')
    throw invalidData(`render_data is a workbook or an archive, but ${BATCH}`);
  if (contents.kind === 'other') {
    throw invalidData(`render_data is ${contents.what}, but one document takes a JSON object`);
  }
  const text = contents.text.trim();
  if (text === '' || text === 'null') return '{}';
  refuseHuge(text, 'render_data');
  let value: unknown;
  try {
    value = parseJsonShape(text);
  } catch (error) {
    if (!('text' in source) && isTable(text, endingOf(source))) {
      throw invalidData(`render_data is a table such as CSV, but ${BATCH}`, error);
    }
    throw malformedData('render_data', error, isTable(text, '') ? `; ${BATCH}` : '');
  }
  if (Array.isArray(value)) throw invalidData(`render_data is a list, but ${BATCH}`);
  if (typeof value === 'object' && value !== null) return text;
  throw invalidData(`render_data is not a JSON object, but ${kindOf(value)}`);
}

/** Returns whether a text is not JSON, but looks like rows of values or has such a file name. */
function isTable(text: string, ending: string): boolean {
  if (['csv', 'tsv'].includes(ending)) return true;
  const end = text.search(/[\r\n]/);
  return end > 0 && !/^[[{"]/.test(text) && ending !== 'json' && /[,;\t]/.test(text.slice(0, end));
}
