import type { Argument } from './format-call.ts';

/** Dates and times in the patterns of Acrobat, such as `dd.mm.yyyy` and `h:MM tt`. */

/** The patterns that `AFDate_Format` numbers. */
const DATE_FORMATS = [
  'm/d',
  'm/d/yy',
  'mm/dd/yy',
  'mm/yy',
  'd-mmm',
  'd-mmm-yy',
  'dd-mmm-yy',
  'yy-mm-dd',
  'mmm-yy',
  'mmmm-yy',
  'mmm d, yyyy',
  'mmmm d, yyyy',
  'm/d/yy h:MM tt',
  'm/d/yy HH:MM',
];

/** The patterns that `AFTime_Format` numbers. */
const TIME_FORMATS = ['HH:MM', 'h:MM tt', 'HH:MM:ss', 'h:MM:ss tt'];

/** The pattern of a call's first argument; undefined if there is none. */
export function datePattern(name: string, argument: Argument | undefined): string | undefined {
  if (name.endsWith('Ex')) return typeof argument === 'string' ? argument : undefined;
  const patterns = name === 'AFTime_Format' ? TIME_FORMATS : DATE_FORMATS;
  return typeof argument === 'number' ? patterns[argument] : undefined;
}

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);
const DAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

const TOKENS = /mmmm|mmm|mm|m|dddd|ddd|dd|d|yyyy|yy|HH|H|hh|h|MM|M|ss|s|tt|t|\\[^]|[^]/g;

/** What a value says; parts that it does not say are undefined. */
interface Moment {
  year?: number;
  month?: number;
  day?: number;
  hour?: number;
  minute?: number;
  second?: number;
}

/** Maximum characters of a pattern and of a date. */
const MAX_LENGTH = 100;

/**
 * Writes a date or time in a pattern. It may be in the same pattern, in ISO 8601, or a time such as `9:30 pm`.
 *
 * @returns undefined for any other value, or one that lacks a part of the pattern
 */
export function formattedDate(pattern: string | undefined, value: string): string | undefined {
  const text = value.trim();
  if (pattern === undefined || pattern.length > MAX_LENGTH || text.length > MAX_LENGTH) return undefined;
  const tokens = pattern.match(TOKENS) ?? [];
  for (const moment of [inPattern(tokens, text), isoMoment(text), timeOf(text)]) {
    const written = moment === undefined || !isReal(moment) ? undefined : write(tokens, moment);
    if (written !== undefined) return written;
  }
  return undefined;
}

function isReal({ year = 2000, month = 1, day = 1, hour = 0, minute = 0, second = 0 }: Moment): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return (
    date.getUTCMonth() === month - 1 && date.getUTCDate() === day && hour < 24 && minute < 60 && second < 60
  );
}

/** Reads a value as its field shows it. */
function inPattern(tokens: readonly string[], text: string): Moment | undefined {
  const moment: Moment = {};
  let at = 0;
  let isAfternoon: boolean | undefined;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match !== null) at = pattern.lastIndex;
    return match?.[0];
  };
  for (const token of tokens) {
    const part = PARTS[token];
    if (part === undefined) {
      const literal = token.startsWith('\\') ? token.slice(1) : token;
      if (!text.startsWith(literal, at)) return undefined;
      at += literal.length;
      continue;
    }
    const found = take(
      part.is === 'name'
        ? /[A-Za-z]{3,9}/y
        : part.is === 'year'
          ? /\d{4}|\d\d/y
          : part.is === 'half'
            ? /[ap]m?/iy
            : /\d{1,2}/y,
    );
    if (found === undefined) return undefined;
    if (part.is === 'half') isAfternoon = /^p/i.test(found);
    else if (part.of === undefined) continue;
    else if (part.is === 'name') {
      const month = MONTHS.findIndex((name) => name.toLowerCase().startsWith(found.toLowerCase()));
      if (month < 0) return undefined;
      moment.month = month + 1;
    } else {
      const number = Number(found);
      moment[part.of] =
        part.is === 'year' && found.length === 2 ? number + (number < 50 ? 2000 : 1900) : number;
    }
  }
  if (at < text.length) return undefined;
  if (isAfternoon === undefined || moment.hour === undefined) return moment;
  const hour = hourOf(moment.hour, isAfternoon);
  return hour === undefined ? undefined : { ...moment, hour };
}

/** The hour of the day that a clock of twelve hours shows; undefined if it cannot show that. */
function hourOf(hour: number, isAfternoon: boolean): number | undefined {
  return hour < 1 || hour > 12 ? undefined : (hour % 12) + (isAfternoon ? 12 : 0);
}

interface Part {
  of: keyof Moment | undefined;
  is: 'number' | 'year' | 'name' | 'half';
}

const PARTS: Readonly<Record<string, Part>> = {
  m: { of: 'month', is: 'number' },
  mm: { of: 'month', is: 'number' },
  mmm: { of: 'month', is: 'name' },
  mmmm: { of: 'month', is: 'name' },
  d: { of: 'day', is: 'number' },
  dd: { of: 'day', is: 'number' },
  ddd: { of: undefined, is: 'name' },
  dddd: { of: undefined, is: 'name' },
  yy: { of: 'year', is: 'year' },
  yyyy: { of: 'year', is: 'year' },
  h: { of: 'hour', is: 'number' },
  hh: { of: 'hour', is: 'number' },
  H: { of: 'hour', is: 'number' },
  HH: { of: 'hour', is: 'number' },
  M: { of: 'minute', is: 'number' },
  MM: { of: 'minute', is: 'number' },
  s: { of: 'second', is: 'number' },
  ss: { of: 'second', is: 'number' },
  t: { of: undefined, is: 'half' },
  tt: { of: undefined, is: 'half' },
};

const ISO = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?(?:Z|[-+]\d\d:?\d\d)?)?$/;

/** A time is that of its own zone, as it is written. */
function isoMoment(text: string): Moment | undefined {
  const parts = ISO.exec(text)?.slice(1);
  if (parts === undefined) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.map((part) =>
    Number(part ?? 0),
  );
  return { year, month, day, hour, minute, second };
}

function timeOf(text: string): Moment | undefined {
  const match = /^(\d{1,2}):(\d\d)(?::(\d\d))?(?:\s?([ap])m?)?$/i.exec(text);
  if (match === null) return undefined;
  const [, written = '', minute = '', second = '0', half] = match;
  const hour = half === undefined ? Number(written) : hourOf(Number(written), half.toLowerCase() === 'p');
  return hour === undefined ? undefined : { hour, minute: Number(minute), second: Number(second) };
}

/** @returns undefined if a part of the pattern is missing */
function write(tokens: readonly string[], moment: Moment): string | undefined {
  const { year, month, day, hour } = moment;
  let text = '';
  for (const token of tokens) {
    const part = PARTS[token];
    if (part === undefined) {
      text += token.startsWith('\\') ? token.slice(1) : token;
    } else if (part.is === 'half') {
      if (hour === undefined) return undefined;
      text += `${hour < 12 ? 'a' : 'p'}${token === 'tt' ? 'm' : ''}`;
    } else if (part.of === undefined) {
      if (year === undefined || month === undefined || day === undefined) return undefined;
      const name = DAYS[new Date(Date.UTC(year, month - 1, day)).getUTCDay()] ?? '';
      text += token === 'ddd' ? name.slice(0, 3) : name;
    } else {
      const number = moment[part.of];
      if (number === undefined) return undefined;
      text += written(token, part, number);
    }
  }
  return text;
}

function written(token: string, { is }: Part, number: number): string {
  if (is === 'name') {
    const name = MONTHS[number - 1] ?? '';
    return token === 'mmm' ? name.slice(0, 3) : name;
  }
  if (is === 'year') return String(number).padStart(4, '0').slice(-token.length);
  const counted = token.startsWith('h') ? ((number + 11) % 12) + 1 : number;
  return String(counted).padStart(token.length, '0');
}
