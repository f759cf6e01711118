import { foreignIn } from '../foreign.ts';
import { onlyValue, TypedValue } from '../marks.ts';
import type { OfficePackage } from '../package.ts';
import { all, type Element, remove, replace, Text } from '../xml/tree.ts';
import { isoDate } from './dates.ts';
import { OdsFormats } from './ods-formats.ts';
import { numberIn, type NumberFormat, type TextNumber } from './typed-text.ts';

/** The cells of a filled OpenDocument spreadsheet. */

/** Gives every cell the type of its value. Has to run before remaining values are removed. */
export function finishOdsCells(root: Element, file: OfficePackage): void {
  const formats = new OdsFormats(root, file);
  for (const cell of all(root, 'table:table-cell')) {
    const isFilled = foreignIn(cell).length > 0 || all(cell, 'text:p').some((one) => hadTags(one));
    if (isFilled) finishCell(cell, formats);
  }
}

function hadTags(paragraph: Element): boolean {
  const { source } = paragraph;
  return source !== null && (foreignIn(source).length > 0 || source.parent === null);
}

function finishCell(cell: Element, formats: OdsFormats): void {
  const value = onlyValue(...cell.elements('text:p'));
  for (const node of foreignIn(cell))
    if (node instanceof TypedValue)
      replace(node, new Text(value === undefined ? node.text : shownText(node)));
  const text = cell
    .elements('text:p')
    .map((one) => one.textContent())
    .join('\n');
  const format = formats.of(cell);
  const number = value === undefined ? numberIn(text, format) : null;
  for (const name of ['value', 'date-value', 'time-value', 'boolean-value', 'string-value', 'currency'])
    cell.unset(`office:${name}`);
  cell.unset('calcext:value-type');
  cell.unset('office:value-type');
  if (value?.type === 'number') setType(cell, 'float', 'value', value.value);
  else if (value?.type === 'boolean')
    setType(cell, 'boolean', 'boolean-value', value.value === '1' ? 'true' : 'false');
  else if (number !== null) setNumber(cell, number, format, text);
  else if (text !== '' || foreignIn(cell).length > 0) cell.set('office:value-type', 'string');
  else for (const paragraph of cell.elements('text:p')) remove(paragraph);
}

function shownText({ type, value }: TypedValue): string {
  return type === 'boolean' ? (value === '1' ? 'TRUE' : 'FALSE') : value;
}

function setNumber(cell: Element, { value, isDay }: TextNumber, { kind }: NumberFormat, text: string): void {
  if (isDay) setType(cell, 'date', 'date-value', isoDate(text)?.iso ?? '');
  else if (kind === 'time') setType(cell, 'time', 'time-value', duration(value));
  else setType(cell, kind === 'percent' ? 'percentage' : 'float', 'value', String(value));
}

/** Returns a part of days as a duration of ISO 8601, in which OpenDocument stores times. */
function duration(days: number): string {
  const seconds = Math.round(days * 86_400_000) / 1000;
  const digits = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  const rest = Math.round((seconds % 60) * 1000) / 1000;
  return `PT${digits(seconds / 3600)}H${digits((seconds / 60) % 60)}M${String(rest).padStart(2, '0')}S`;
}

function setType(cell: Element, type: string, attribute: string, value: string): void {
  cell.set('office:value-type', type);
  cell.set(`office:${attribute}`, value);
}
