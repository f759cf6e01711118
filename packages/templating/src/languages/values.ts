import { LocaleError, momentOf, momentOfSeconds, parseMoment, requiredTag } from '@platen/locale';
import type { Moment } from '@platen/locale';
import {
  DateTime,
  Float,
  isString,
  str,
  TemplateError,
  textOf,
  TimeDelta,
  TimeOfDay,
  truthy,
  typeName,
} from '@platen/jinja';
import type { Value } from '@platen/jinja';

/** Converts values of templates to the input of language filters. */

/** Returns a number as exact text; numeric texts are accepted too, as in Babel. */
export function numberText(value: Value, filter: string): string {
  if (typeof value === 'number' || typeof value === 'bigint' || value instanceof Float) return str(value);
  if (isString(value)) return textOf(value);
  return wrongType(filter, 'a number', value);
}

/** Returns a date or time from a value of Python's types, ISO 8601 text, or seconds since 1970. */
export function momentValue(value: Value, filter: string): Moment {
  if (value instanceof DateTime) {
    const { year, month, day, hour, minute, second, microsecond, offset } = value.parts;
    const kind = value.isDate ? 'date' : 'datetime';
    return momentOf(kind, [year, month, day], [hour, minute, second], microsecond, offset ?? 0);
  }
  if (value instanceof TimeOfDay) {
    const { hour, minute, second, microsecond } = value.parts;
    return momentOf('time', [], [hour, minute, second], microsecond, 0);
  }
  if (typeof value === 'number') return momentOfSeconds(value);
  if (value instanceof Float) return momentOfSeconds(value.value);
  if (!isString(value)) return wrongType(filter, 'a date or time', value);
  const text = textOf(value);
  const moment = parseMoment(text);
  if (moment !== null) return moment;
  throw new TemplateError(
    'ValueError',
    `The filter ${filter} needs a date or time of ISO 8601, such as 2026-03-05T14:30:00Z, not '${text.slice(0, 40)}'`,
  );
}

/** Returns the seconds of a time span. */
export function secondsValue(value: Value, filter: string): number {
  if (value instanceof TimeDelta) return Math.floor(value.microseconds / 1e6);
  if (typeof value === 'number') return value;
  if (value instanceof Float) return value.value;
  return wrongType(filter, 'a timedelta or seconds', value);
}

export function numberValue(value: Value, filter: string): number {
  if (typeof value === 'number') return value;
  return value instanceof Float ? value.value : wrongType(filter, 'a number', value);
}

/** Returns a text; null for None. */
export function optionalText(value: Value | undefined, filter: string): string | null {
  if (value === null || value === undefined) return null;
  return isString(value) ? textOf(value) : wrongType(filter, 'a text', value);
}

export function textValue(value: Value, filter: string): string {
  return optionalText(value, filter) ?? wrongType(filter, 'a text', value);
}

export function flag(value: Value): boolean {
  return truthy(value);
}

/** Returns the locale that a call names, otherwise the rendering's locale. */
export function localeValue(value: Value | undefined, filter: string, current: string): string {
  const requested = optionalText(value, filter);
  return requested === null ? current : requiredTag(requested);
}

function wrongType(filter: string, wanted: string, value: Value): never {
  throw new TemplateError('TypeError', `The filter ${filter} needs ${wanted}, not ${typeName(value)}`);
}

/** Runs a filter's work and turns its errors into errors of the template. */
export function asTemplateFault<T>(filter: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof LocaleError)) throw error;
    throw new TemplateError('ValueError', `The filter ${filter}: ${error.message}`);
  }
}
