import { datePart, dateText, weekRules } from './date-data.ts';
import { fail } from './fault.ts';
import { instantOf, type Moment, wallTime } from './moment.ts';

/** Patterns of dates such as `yyyy-MM-dd` (UTS 35, part 4), applied as Babel applies them. */

export type Token = { text: string } | { field: string; length: number };

/** Maximum characters of a pattern. */
const MAX_PATTERN = 500;

/** The fields, each with the lengths that Babel supports; null for any length. */
const FIELDS: Readonly<Record<string, string | null>> = {
  G: '12345',
  y: null,
  Y: null,
  u: null,
  Q: '12345',
  q: '12345',
  M: '12345',
  L: '12345',
  w: '12',
  W: '1',
  d: '12',
  D: '123',
  F: '1',
  g: null,
  E: '123456',
  e: '123456',
  c: '13456',
  a: '12345',
  b: '12345',
  B: '12345',
  h: '12',
  H: '12',
  K: '12',
  k: '12',
  m: '12',
  s: '12',
  S: null,
  A: null,
  z: '1234',
  Z: '12345',
  O: '14',
  v: '14',
  V: '1234',
  x: '12345',
  X: '12345',
};

/** Parses a pattern. @throws LocaleError for a field with an unsupported length */
export function parseDatePattern(pattern: string): Token[] {
  if (pattern.length > MAX_PATTERN) fail('the pattern of a date is too long');
  const tokens: Token[] = [];
  let text = '';
  const flush = (): void => {
    if (text !== '') tokens.push({ text });
    text = '';
  };
  for (let at = 0; at < pattern.length;) {
    const c = pattern.charAt(at);
    if (c === "'") {
      const [inside, next] = quotedAt(pattern, at);
      text += inside;
      at = next;
    } else if (Object.hasOwn(FIELDS, c)) {
      flush();
      let length = 1;
      while (pattern.charAt(at + length) === c) length += 1;
      const lengths = FIELDS[c] ?? null;
      if (lengths !== null && !lengths.includes(String(length))) {
        fail(`a pattern of a date has no field ${c.repeat(Math.min(length, 20))}`);
      }
      tokens.push({ field: c, length });
      at += length;
    } else {
      text += c;
      at += 1;
    }
  }
  flush();
  return tokens;
}

/** Returns the quoted text at an index; two quotes mean one. */
function quotedAt(pattern: string, start: number): [text: string, next: number] {
  if (pattern.charAt(start + 1) === "'") return ["'", start + 2];
  let text = '';
  for (let at = start + 1; at < pattern.length; at += 1) {
    if (pattern.charAt(at) !== "'") text += pattern.charAt(at);
    else if (pattern.charAt(at + 1) === "'") {
      text += "'";
      at += 1;
    } else return [text, at + 1];
  }
  return [text, pattern.length];
}

const WIDTHS = { 3: 'short', 4: 'long', 5: 'narrow' } as const;
type Width = (typeof WIDTHS)[keyof typeof WIDTHS];

function widthOf(length: number): Width {
  return length >= 5 ? 'narrow' : length === 4 ? 'long' : 'short';
}

/** Formats a field with Latin digits. @throws LocaleError if the locale's data do not contain the field */
export function dateField(tag: string, moment: Moment, field: string, length: number): string {
  if (moment.kind === 'date' && 'abBhHKkmsSAzZOvVxX'.includes(field)) {
    return fail(`a date has no time of day for ${field.repeat(length)}`);
  }
  if (moment.kind === 'time' && 'GyYuQqMLwWdDFgEec'.includes(field)) {
    return fail(`a time of day has no date for ${field.repeat(length)}`);
  }
  const number = (value: number, digits = length): string => String(value).padStart(digits, '0');
  switch (field) {
    case 'G':
      return datePart(tag, moment, 'era', { era: widthOf(length), year: 'numeric' }) ?? '';
    case 'y':
    case 'u':
    case 'Y': {
      const year = number(field === 'Y' ? weekYear(tag, moment) : moment.year);
      return length === 2 ? year.slice(-2) : year;
    }
    case 'Q':
    case 'q':
      if (length <= 2) return number(Math.ceil(moment.month / 3));
      return fail('the names of quarters are not known: Q and QQ give their number');
    case 'M':
    case 'L':
      return length <= 2 ? number(moment.month) : monthName(tag, moment, widthOf(length), field === 'L');
    case 'w':
      return number(weekOfYear(tag, moment));
    case 'W':
      return String(weekNumber(tag, moment.day, weekday(moment)));
    case 'd':
      return number(moment.day);
    case 'D':
      return number(dayOfYear(moment));
    case 'F':
      return String(Math.ceil(moment.day / 7));
    case 'E':
    case 'e':
    case 'c':
      return weekdayField(tag, moment, field, length);
    default:
      return timeField(tag, moment, field, length);
  }
}

function timeField(tag: string, moment: Moment, field: string, length: number): string {
  const { hour, minute, second, microsecond } = moment;
  const number = (value: number): string => String(value).padStart(length, '0');
  switch (field) {
    case 'a':
      return datePart(tag, moment, 'dayPeriod', { hour: 'numeric', hourCycle: 'h12' }) ?? '';
    case 'b':
    case 'B':
      return (
        datePart(tag, moment, 'dayPeriod', {
          hour: 'numeric',
          hourCycle: 'h12',
          dayPeriod: widthOf(length),
        }) ?? ''
      );
    case 'h':
      return number(hour % 12 === 0 ? 12 : hour % 12);
    case 'H':
      return number(hour);
    case 'K':
      return number(hour % 12);
    case 'k':
      return number(hour === 0 ? 24 : hour);
    case 'm':
      return number(minute);
    case 's':
      return number(second);
    case 'S':
      return microsecond.toString().padStart(6, '0').padEnd(Math.min(length, 20), '0').slice(0, length);
    case 'A':
      return number(((hour * 60 + minute) * 60 + second) * 1000 + Math.floor(microsecond / 1000));
    default:
      return zoneField(tag, moment, field, length);
  }
}

/**
 * Returns the standalone name of a month if `alone` is true or the locale's dates have numeric months;
 * otherwise returns its name in a date.
 */
function monthName(tag: string, moment: Moment, width: Width, alone: boolean): string {
  const inDate = alone ? undefined : datePart(tag, moment, 'month', { month: width, day: 'numeric' });
  if (inDate !== undefined && !/^\d+$/.test(inDate)) return inDate;
  // All parts are needed, because a name such as `10月` consists of a number and a literal.
  return dateText(tag, moment, { month: width, numberingSystem: 'latn' });
}

function weekdayField(tag: string, moment: Moment, field: string, length: number): string {
  if (length < 3 && field !== 'E') {
    const day = (7 - weekRules(tag).firstDay + weekday(moment)) % 7;
    return String(day + 1).padStart(length, '0');
  }
  if (length === 6)
    return fail(`the shortest names of days are not known: ${field.repeat(3)} has the short ones`);
  const width = widthOf(length);
  const setting = field === 'c' ? { weekday: width } : ({ weekday: width, day: 'numeric' } as const);
  return datePart(tag, moment, 'weekday', setting) ?? '';
}

/** Returns the day of the week; 0 is Monday. */
function weekday(moment: Moment): number {
  return (new Date(wallTime(moment)).getUTCDay() + 6) % 7;
}

const DAY = 86_400_000;

function dayOfYear(moment: Moment): number {
  const first = { ...moment, month: 1, day: 1, hour: 0, minute: 0, second: 0, microsecond: 0 };
  return Math.floor((wallTime(moment) - wallTime(first)) / DAY) + 1;
}

/** Returns the week of a day in its year or month; 0 if it belongs to the last week of the previous one. */
function weekNumber(tag: string, dayOfPeriod: number, dayOfWeek: number): number {
  const { firstDay, leastDays } = weekRules(tag);
  const offset = (((dayOfWeek - firstDay - dayOfPeriod + 1) % 7) + 7) % 7;
  const week = Math.floor((dayOfPeriod + offset - 1) / 7);
  return 7 - offset >= leastDays ? week + 1 : week;
}

function weekOfYear(tag: string, moment: Moment): number {
  const week = weekNumber(tag, dayOfYear(moment), weekday(moment));
  if (week === 0) {
    const last = { ...moment, year: moment.year - 1, month: 12, day: 31 };
    return weekNumber(tag, dayOfYear(last), weekday(last));
  }
  if (week <= 52) return week;
  const newYear = weekday({ ...moment, year: moment.year + 1, month: 1, day: 1 });
  const { firstDay } = weekRules(tag);
  const isNext = weekNumber(tag, 1, newYear) === 1 && 32 - ((newYear - firstDay + 7) % 7) <= moment.day;
  return isNext ? 1 : week;
}

function weekYear(tag: string, moment: Moment): number {
  if (moment.month === 1 && moment.day < 7 && weekOfYear(tag, moment) >= 52) return moment.year - 1;
  if (moment.month === 12 && moment.day > 25 && weekOfYear(tag, moment) <= 2) return moment.year + 1;
  return moment.year;
}

function zoneField(tag: string, moment: Moment, field: string, length: number): string {
  const named = (style: NonNullable<Intl.DateTimeFormatOptions['timeZoneName']>): string =>
    datePart(tag, moment, 'timeZoneName', { hour: 'numeric', timeZoneName: style }) ?? '';
  switch (field) {
    case 'z':
      return named(length === 4 ? 'long' : 'short');
    case 'v':
      return named(length === 4 ? 'longGeneric' : 'shortGeneric');
    case 'V':
      if (length === 1) return named('shortGeneric');
      if (length === 2) return moment.zone;
      return fail(
        'the locations of time zones are not known: use VV for the id of the zone, or vvvv for its name',
      );
    case 'Z':
    case 'O':
      if (length === 4) return gmt(tag, moment);
      return isoOffset(moment.offset, length === 5 ? 'colon' : 'plain', length === 5);
    default:
      return isoOffset(
        moment.offset,
        length === 1 ? 'hours' : length === 2 || length === 4 ? 'plain' : 'colon',
        field === 'X',
      );
  }
}

/** Returns an offset such as `GMT+02:00` in the notation of the locale. */
function gmt(tag: string, moment: Moment): string {
  const probe = { ...moment, zone: '+01:00' };
  const text = datePart(tag, probe, 'timeZoneName', { hour: 'numeric', timeZoneName: 'longOffset' }) ?? '';
  return text.replace(/[\u200e\u200f]?[+\u2212-]01[:.]00/, isoOffset(moment.offset, 'colon', false));
}

function isoOffset(offset: number, form: 'hours' | 'plain' | 'colon', zuluOfZero: boolean): string {
  if (zuluOfZero && offset === 0) return 'Z';
  const minutes = Math.floor(Math.abs(offset) / 60);
  const two = (value: number): string => String(value).padStart(2, '0');
  const hours = `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}`;
  if (form === 'hours' && minutes % 60 === 0) return hours;
  return `${hours}${form === 'colon' ? ':' : ''}${two(minutes % 60)}`;
}

/** Formats a moment by a pattern, with Latin digits. @throws LocaleError */
export function applyDatePattern(tag: string, moment: Moment, tokens: readonly Token[]): string {
  // An invalid moment must cause a LocaleError and not ICU's error.
  if (Number.isNaN(instantOf(moment))) fail('the date is out of range');
  return tokens
    .map((token) => ('text' in token ? token.text : dateField(tag, moment, token.field, token.length)))
    .join('');
}
