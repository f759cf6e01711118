import { fail } from './fault.ts';

/** A date, a time of day or both in a time zone, with the offset from UTC. */
export interface Moment {
  kind: 'date' | 'time' | 'datetime';
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  microsecond: number;
  /** Offset in seconds, positive east of UTC. */
  offset: number;
  /** Name of the zone (`Europe/Berlin`) or an offset (`+02:00`), in ICU's notation. */
  zone: string;
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})/;
const TIME = /^(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:\s?(Z|[+-]\d{2}:?\d{2}))?$/i;
const COMPACT = /^(\d{4})(\d{2})(\d{2})$/;

/** Parses a date, a time or both in ISO 8601; returns null for any other text. The default zone is UTC. */
export function parseMoment(text: string): Moment | null {
  const trimmed = text.trim().slice(0, 64).replace(COMPACT, '$1-$2-$3');
  const date = DATE.exec(trimmed);
  const rest = date === null ? trimmed : trimmed.slice(date[0].length).replace(/^[T\s]/i, '');
  if (date !== null && rest === '') return checked(momentOf('date', numbers(date), [0, 0, 0], 0, 0));
  const time = TIME.exec(rest);
  if (time === null) return null;
  const [, hour = '', minute = '', second = '0', fraction = '', zone = 'Z'] = time;
  const microsecond = Number(fraction.padEnd(6, '0').slice(0, 6));
  const clock = [Number(hour), Number(minute), Number(second)];
  const kind = date === null ? 'time' : 'datetime';
  return checked(
    momentOf(kind, date === null ? FIRST_DAY : numbers(date), clock, microsecond, offsetOf(zone)),
  );
}

/** The date assigned to a time of day. */
const FIRST_DAY = [1970, 1, 1];

function numbers(match: RegExpExecArray): number[] {
  return match.slice(1, 4).map(Number);
}

function offsetOf(zone: string): number {
  if (/^z$/i.test(zone)) return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2));
  return (zone.startsWith('-') ? -60 : 60) * minutes;
}

/** Returns the name of a zone with that offset in ICU's notation, such as `+02:00`. */
export function zoneOfOffset(offset: number): string {
  if (offset === 0) return 'UTC';
  const minutes = Math.trunc(Math.abs(offset) / 60);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

export function momentOf(
  kind: Moment['kind'],
  [year = 1970, month = 1, day = 1]: readonly number[],
  [hour = 0, minute = 0, second = 0]: readonly number[],
  microsecond: number,
  offset: number,
): Moment {
  return { kind, year, month, day, hour, minute, second, microsecond, offset, zone: zoneOfOffset(offset) };
}

function checked(moment: Moment): Moment | null {
  const { month, day, hour, minute, second, year, offset } = moment;
  const last = new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
  const isDay = year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= last;
  const isTime = hour < 24 && minute < 60 && second < 60 && Math.abs(offset) < 86_400;
  return isDay && isTime ? moment : null;
}

/** Returns the milliseconds since 1970 for the local date and time, as if they were in UTC. */
export function wallTime({ year, month, day, hour, minute, second, microsecond }: Moment): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second, Math.floor(microsecond / 1000));
  return date.getTime();
}

/** Returns the instant in milliseconds since 1970. */
export function instantOf(moment: Moment): number {
  return wallTime(moment) - moment.offset * 1000;
}

/** Returns the moment in UTC for seconds since 1970. @throws LocaleError if it is out of range */
export function momentOfSeconds(seconds: number): Moment {
  const date = new Date(seconds * 1000);
  const year = date.getUTCFullYear();
  if (Number.isNaN(date.getTime()) || year < 1 || year > 9999) return fail(`${seconds} seconds are no date`);
  const microsecond = Math.round((seconds - Math.floor(seconds)) * 1e6) % 1e6;
  return momentOf(
    'datetime',
    [year, date.getUTCMonth() + 1, date.getUTCDate()],
    [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()],
    microsecond,
    0,
  );
}

/**
 * Converts a moment to another time zone.
 *
 * @param zone a name such as `Europe/Berlin`, or an offset such as `+02:00`
 * @throws LocaleError for an unknown zone
 */
export function inZone(moment: Moment, zone: string): Moment {
  const instant = instantOf(moment);
  const parts = new Map(
    zoneFormat(zone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  const shown: Moment = {
    kind: moment.kind,
    year: part('year'),
    month: part('month'),
    day: part('day'),
    hour: part('hour'),
    minute: part('minute'),
    second: part('second'),
    microsecond: moment.microsecond,
    offset: 0,
    zone,
  };
  return { ...shown, offset: Math.round((wallTime(shown) - instant) / 1000) };
}

function zoneFormat(zone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch (error) {
    if (error instanceof RangeError)
      return fail(`'${zone.slice(0, 40)}' is no time zone, such as Europe/Berlin`);
    throw error;
  }
}
