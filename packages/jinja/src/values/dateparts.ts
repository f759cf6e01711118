import { raise } from '../errors.ts';
import type { DateParts } from '../format/strftime.ts';
import { dayNumber } from '../format/strftime.ts';
import type { Value } from './types.ts';
import { isString, Obj, textOf, typeName } from './types.ts';

/** Formatting, replacing and checking of the parts of dates and times of day. */

export function pad(value: number, width = 2): string {
  return String(value).padStart(width, '0');
}

export function dateText({ year, month, day }: DateParts): string {
  return `${pad(year, 4)}-${pad(month)}-${pad(day)}`;
}

const TIME_SPECS: Readonly<Record<string, number>> = {
  hours: 2,
  minutes: 5,
  seconds: 8,
  milliseconds: 12,
  microseconds: 15,
};

export function timeText(parts: DateParts, spec = 'auto'): string {
  const { hour, minute, second, microsecond } = parts;
  const full = `${pad(hour)}:${pad(minute)}:${pad(second)}.${pad(microsecond, 6)}`;
  const length = spec === 'auto' ? (microsecond === 0 ? 8 : 15) : TIME_SPECS[spec];
  if (length === undefined) return raise('ValueError', 'Unknown timespec value');
  return full.slice(0, length);
}

/** The text of an argument. */
export function textArgument(value: Value): string {
  return isString(value) ? textOf(value) : raise('TypeError', `argument must be str, not ${typeName(value)}`);
}

export const DAY_FIELDS = ['year', 'month', 'day'] as const;
export const TIME_FIELDS = ['hour', 'minute', 'second', 'microsecond'] as const;

/** Returns the parts with the named ones replaced. */
export function replaced(
  parts: DateParts,
  fields: Value,
  names: readonly ((typeof DAY_FIELDS)[number] | (typeof TIME_FIELDS)[number])[],
): DateParts {
  const result: DateParts = { ...parts };
  for (const name of names) {
    const value = fields instanceof Obj ? fields.item(name) : undefined;
    if (value === undefined) continue;
    if (typeof value !== 'number') {
      return raise('TypeError', `'${typeName(value)}' object cannot be interpreted as an integer`);
    }
    result[name] = value;
  }
  return checked(result);
}

function checked(parts: DateParts): DateParts {
  const { year, month, day, hour, minute, second, microsecond } = parts;
  if (year < 1 || year > 9999) raise('ValueError', `year ${year} is out of range`);
  if (month < 1 || month > 12) raise('ValueError', 'month must be in 1..12');
  const days = dayNumber(month === 12 ? year + 1 : year, (month % 12) + 1, 1) - dayNumber(year, month, 1);
  if (day < 1 || day > days) raise('ValueError', 'day is out of range for month');
  if (hour < 0 || hour > 23) raise('ValueError', 'hour must be in 0..23');
  if (minute < 0 || minute > 59) raise('ValueError', 'minute must be in 0..59');
  if (second < 0 || second > 59) raise('ValueError', 'second must be in 0..59');
  if (microsecond < 0 || microsecond > 999_999) raise('ValueError', 'microsecond must be in 0..999999');
  return parts;
}
