import { claimString, spend } from '../budget.ts';

/** The input of `strftime`: a date and a time of day. */
export interface DateParts {
  year: number;
  /** 1 to 12 */
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  microsecond: number;
  /** Seconds east of UTC; null for a time without a zone. */
  offset: number | null;
}

export const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;
export const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

const MS_PER_DAY = 86_400_000;

/** Days since 1970-01-01, of the proleptic Gregorian calendar. */
export function dayNumber(year: number, month: number, day: number): number {
  // Date.UTC maps years below 100 to the twentieth century.
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getTime() / MS_PER_DAY;
}

/** 0 for Monday to 6 for Sunday. */
export function weekday({ year, month, day }: DateParts): number {
  return (((dayNumber(year, month, day) + 3) % 7) + 7) % 7;
}

/** 1 to 366. */
export function dayOfYear({ year, month, day }: DateParts): number {
  return dayNumber(year, month, day) - dayNumber(year, 1, 1) + 1;
}

/** Year, week and day (1 to 7) of ISO 8601. */
export function isoCalendar(date: DateParts): [year: number, week: number, day: number] {
  const day = weekday(date) + 1;
  const week = Math.floor((dayOfYear(date) - day + 10) / 7);
  if (week < 1) return [date.year - 1, weeksIn(date.year - 1), day];
  if (week > weeksIn(date.year)) return [date.year + 1, 1, day];
  return [date.year, week, day];
}

function weeksIn(year: number): number {
  const start = (((dayNumber(year, 1, 1) + 3) % 7) + 7) % 7;
  const isLeap = dayNumber(year + 1, 1, 1) - dayNumber(year, 1, 1) === 366;
  return start === 3 || (start === 2 && isLeap) ? 53 : 52;
}

function pad(value: number, width = 2, fill = '0'): string {
  return String(value).padStart(width, fill);
}

/** `+HHMM`, with seconds if there are any. */
export function offsetText(offset: number | null, separator = ''): string {
  if (offset === null) return '';
  const size = Math.abs(offset);
  const seconds = size % 60 === 0 ? '' : `${separator}${pad(size % 60)}`;
  const hours = pad(Math.floor(size / 3600));
  return `${offset < 0 ? '-' : '+'}${hours}${separator}${pad(Math.floor(size / 60) % 60)}${seconds}`;
}

const twelve = (hour: number): number => hour % 12 || 12;

const DIRECTIVES: Readonly<Record<string, (date: DateParts) => string>> = {
  a: (d) => (DAYS[weekday(d)] ?? '').slice(0, 3),
  A: (d) => DAYS[weekday(d)] ?? '',
  b: (d) => (MONTHS[d.month - 1] ?? '').slice(0, 3),
  B: (d) => MONTHS[d.month - 1] ?? '',
  c: (d) => strftime(d, '%a %b %e %H:%M:%S %Y'),
  C: (d) => pad(Math.floor(d.year / 100)),
  d: (d) => pad(d.day),
  D: (d) => strftime(d, '%m/%d/%y'),
  e: (d) => pad(d.day, 2, ' '),
  f: (d) => pad(d.microsecond, 6),
  F: (d) => strftime(d, '%Y-%m-%d'),
  g: (d) => pad(isoCalendar(d)[0] % 100),
  G: (d) => String(isoCalendar(d)[0]),
  h: (d) => (MONTHS[d.month - 1] ?? '').slice(0, 3),
  H: (d) => pad(d.hour),
  I: (d) => pad(twelve(d.hour)),
  j: (d) => pad(dayOfYear(d), 3),
  k: (d) => pad(d.hour, 2, ' '),
  l: (d) => pad(twelve(d.hour), 2, ' '),
  m: (d) => pad(d.month),
  M: (d) => pad(d.minute),
  n: () => '\n',
  p: (d) => (d.hour < 12 ? 'AM' : 'PM'),
  P: (d) => (d.hour < 12 ? 'am' : 'pm'),
  r: (d) => strftime(d, '%I:%M:%S %p'),
  R: (d) => strftime(d, '%H:%M'),
  s: (d) => String(epochSeconds(d)),
  S: (d) => pad(d.second),
  t: () => '\t',
  T: (d) => strftime(d, '%H:%M:%S'),
  u: (d) => String(weekday(d) + 1),
  U: (d) => pad(Math.floor((dayOfYear(d) + 6 - ((weekday(d) + 1) % 7)) / 7)),
  V: (d) => pad(isoCalendar(d)[1]),
  w: (d) => String((weekday(d) + 1) % 7),
  W: (d) => pad(Math.floor((dayOfYear(d) + 6 - weekday(d)) / 7)),
  x: (d) => strftime(d, '%m/%d/%y'),
  X: (d) => strftime(d, '%H:%M:%S'),
  y: (d) => pad(d.year % 100),
  Y: (d) => String(d.year),
  z: (d) => offsetText(d.offset),
  Z: (d) => (d.offset === null ? '' : d.offset === 0 ? 'UTC' : `UTC${offsetText(d.offset, ':')}`),
  '%': () => '%',
};

/** Seconds since 1970-01-01 UTC, microseconds dropped. */
export function epochSeconds(date: DateParts): number {
  const days = dayNumber(date.year, date.month, date.day);
  return days * 86_400 + date.hour * 3600 + date.minute * 60 + date.second - (date.offset ?? 0);
}

/**
 * `strftime` in the C locale, with glibc's flags: `%-d` without padding, `%_d` with spaces, `%0e` with zeros,
 * `%^a` and `%#a` for capitals, and a width as in `%10Y`. Unknown directives stay as they are.
 */
export function strftime(date: DateParts, format: string): string {
  spend(format.length * 4);
  const text = format.replace(
    /%([-_0^#]*)((?:[1-9]\d*)?)(?:[EO](?=[a-zA-Z]))?([a-zA-Z%])/gu,
    (whole: string, flags: string, width: string, directive: string) => {
      const make = Object.hasOwn(DIRECTIVES, directive) ? DIRECTIVES[directive] : undefined;
      return make === undefined ? whole : applyFlags(make(date), flags, width, directive);
    },
  );
  claimString(text.length);
  return text;
}

function applyFlags(text: string, flags: string, width: string, directive: string): string {
  const isNumber = /^(?:[ 0]* )?\d+$/u.test(text);
  let result = text;
  let filling = isNumber && !'ekl'.includes(directive) ? '0' : ' ';
  for (const flag of flags) {
    if (flag === '^') result = result.toUpperCase();
    else if (flag === '#')
      result = directive === 'p' || directive === 'Z' ? result.toLowerCase() : result.toUpperCase();
    else if (flag === '-' && isNumber) result = result.replace(/^[ 0]+(?=\d)/u, '');
    else if (flag === '_' && isNumber) {
      filling = ' ';
      result = result.replace(/^0+(?=\d)/u, (zeros) => ' '.repeat(zeros.length));
    } else if (flag === '0') {
      filling = '0';
      if (isNumber) result = result.replace(/^ +/u, (spaces) => '0'.repeat(spaces.length));
    }
  }
  if (width === '') return result;
  return result.padStart(claimString(Number(width)), filling);
}
