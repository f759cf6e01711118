import { raise } from '../errors.ts';
import type { DateParts } from '../format/strftime.ts';
import {
  dayNumber,
  DAYS,
  epochSeconds,
  isoCalendar,
  MONTHS,
  offsetText,
  strftime,
  weekday,
} from '../format/strftime.ts';
import { Tuple } from './containers.ts';
import { BoundMethod, methods } from './native.ts';
import { TimeDelta, US_PER_DAY, US_PER_SECOND } from './timedelta.ts';
import type { Value } from './types.ts';
import { Float, isString, Obj, textOf, typeName } from './types.ts';

const MIDNIGHT = { hour: 0, minute: 0, second: 0, microsecond: 0, offset: null };
/** Ordinal (days since the year 1) of 1970-01-01. */
const EPOCH_ORDINAL = 719_163;

function pad(value: number, width = 2): string {
  return String(value).padStart(width, '0');
}

function dateText({ year, month, day }: DateParts): string {
  return `${pad(year, 4)}-${pad(month)}-${pad(day)}`;
}

const TIME_SPECS: Readonly<Record<string, number>> = {
  hours: 2,
  minutes: 5,
  seconds: 8,
  milliseconds: 12,
  microseconds: 15,
};

function timeText(parts: DateParts, spec = 'auto'): string {
  const { hour, minute, second, microsecond } = parts;
  const full = `${pad(hour)}:${pad(minute)}:${pad(second)}.${pad(microsecond, 6)}`;
  const length = spec === 'auto' ? (microsecond === 0 ? 8 : 15) : TIME_SPECS[spec];
  if (length === undefined) return raise('ValueError', 'Unknown timespec value');
  return full.slice(0, length);
}

function text(value: Value): string {
  return isString(value) ? textOf(value) : raise('TypeError', `argument must be str, not ${typeName(value)}`);
}

/** Parts of a moment given in microseconds since 1970-01-01 of its own zone. */
function partsOf(microseconds: number, offset: number | null): DateParts {
  const date = new Date(Math.floor(microseconds / 1000));
  if (Number.isNaN(date.getTime()) || date.getUTCFullYear() < 1 || date.getUTCFullYear() > 9999) {
    raise('OverflowError', 'date value out of range');
  }
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
    microsecond: date.getUTCMilliseconds() * 1000 + (((microseconds % 1000) + 1000) % 1000),
    offset,
  };
}

/** `datetime.date` and `datetime.datetime`: a day, with a time of day or without. */
export class DateTime extends Obj {
  readonly parts: DateParts;
  readonly isDate: boolean;

  constructor(parts: DateParts, isDate = false) {
    super();
    this.parts = isDate ? { ...parts, ...MIDNIGHT } : parts;
    this.isDate = isDate;
  }

  /** The moment of a JavaScript Date, in UTC. */
  static fromDate(date: Date): DateTime {
    return new DateTime(partsOf(date.getTime() * 1000, 0));
  }

  override get typeName(): string {
    return this.isDate ? 'datetime.date' : 'datetime.datetime';
  }

  override str(): string {
    return this.isoFormat(' ', 'auto');
  }

  override repr(): string {
    const { year, month, day, hour, minute, second, microsecond, offset } = this.parts;
    if (this.isDate) return `datetime.date(${year}, ${month}, ${day})`;
    const fields = [year, month, day, hour, minute, second, microsecond];
    while (fields.length > 5 && fields.at(-1) === 0) fields.pop();
    const zone =
      offset === null
        ? ''
        : offset === 0
          ? ', tzinfo=datetime.timezone.utc'
          : `, tzinfo=datetime.timezone(${new TimeDelta(offset * US_PER_SECOND).repr()})`;
    return `datetime.datetime(${fields.join(', ')}${zone})`;
  }

  override format(spec: string): string {
    return spec === '' ? this.str() : strftime(this.parts, spec);
  }

  /** As HTTP writes a moment: in GMT. */
  httpDate(): string {
    return strftime(
      partsOf(this.#microseconds - (this.parts.offset ?? 0) * US_PER_SECOND, 0),
      '%a, %d %b %Y %H:%M:%S GMT',
    );
  }

  /** `isoformat(sep, timespec)` */
  isoFormat(separator: string, spec: string): string {
    if (this.isDate) return dateText(this.parts);
    return dateText(this.parts) + separator + timeText(this.parts, spec) + offsetText(this.parts.offset, ':');
  }

  /** Microseconds since 1970-01-01 of its own zone. */
  get #microseconds(): number {
    const { offset, microsecond } = this.parts;
    return (epochSeconds(this.parts) + (offset ?? 0)) * US_PER_SECOND + microsecond;
  }

  override attribute(name: string): Value | undefined {
    const { parts } = this;
    switch (name) {
      case 'year':
      case 'month':
      case 'day':
        return parts[name];
      case 'hour':
      case 'minute':
      case 'second':
      case 'microsecond':
        return this.isDate ? undefined : parts[name];
      case 'tzinfo':
        if (this.isDate) return undefined;
        return parts.offset === null ? null : strftime(parts, '%Z');
      default:
        return this.#method(name);
    }
  }

  #method(name: string): Value | undefined {
    const method = DATE_METHODS.get(name) ?? (this.isDate ? undefined : TIME_METHODS.get(name));
    return method === undefined ? undefined : new BoundMethod(this, this.typeName, method);
  }

  /** `replace(year=…, …)` */
  replace(fields: Value): DateTime {
    const parts: DateParts = { ...this.parts };
    const names = this.isDate
      ? (['year', 'month', 'day'] as const)
      : (['year', 'month', 'day', 'hour', 'minute', 'second', 'microsecond'] as const);
    for (const name of names) {
      const value = fields instanceof Obj ? fields.item(name) : undefined;
      if (value === undefined) continue;
      if (typeof value !== 'number') {
        return raise('TypeError', `'${typeName(value)}' object cannot be interpreted as an integer`);
      }
      parts[name] = value;
    }
    return new DateTime(checked(parts), this.isDate);
  }

  override equals(other: Value): boolean {
    if (!(other instanceof DateTime) || other.isDate !== this.isDate) return false;
    if ((other.parts.offset === null) !== (this.parts.offset === null)) return false;
    return this.#difference(other) === 0;
  }

  #difference(other: DateTime): number {
    const shift = ((other.parts.offset ?? 0) - (this.parts.offset ?? 0)) * US_PER_SECOND;
    return this.#microseconds - other.#microseconds + shift;
  }

  override compare(other: Value): number | undefined {
    if (!(other instanceof DateTime)) return undefined;
    this.#requireSameKind(other, 'compare');
    return this.#difference(other);
  }

  #requireSameKind(other: DateTime, what: string): void {
    if (other.isDate !== this.isDate) {
      raise('TypeError', `can't compare datetime.datetime to datetime.date`);
    }
    if ((other.parts.offset === null) !== (this.parts.offset === null)) {
      raise('TypeError', `can't ${what} offset-naive and offset-aware datetimes`);
    }
  }

  override hashKey(): unknown {
    return new Tuple([
      'date',
      this.#microseconds - (this.parts.offset ?? 0) * US_PER_SECOND,
      this.isDate,
    ]).hashKey();
  }

  override operate(operator: string, other: Value, reflected: boolean): Value | undefined {
    if (other instanceof TimeDelta && (operator === '+' || (operator === '-' && !reflected))) {
      const delta = this.isDate
        ? Math.floor(other.microseconds / US_PER_DAY) * US_PER_DAY
        : other.microseconds;
      const moment = this.#microseconds + (operator === '+' ? delta : -delta);
      return new DateTime(partsOf(moment, this.parts.offset), this.isDate);
    }
    if (!(other instanceof DateTime) || operator !== '-' || reflected || other.isDate !== this.isDate)
      return undefined;
    this.#requireSameKind(other, 'subtract');
    return new TimeDelta(this.#difference(other));
  }
}

/** The methods of dates, and those of moments besides. */
const DATE_METHODS = methods<DateTime>('datetime.date', {
  'strftime(format)': (self, format) => strftime(self.parts, text(format)),
  "isoformat(sep='T', timespec='auto')": (self, separator, spec) =>
    self.isoFormat(text(separator), text(spec)),
  'weekday(/)': (self) => weekday(self.parts),
  'isoweekday(/)': (self) => weekday(self.parts) + 1,
  'isocalendar(/)': (self) => new Tuple(isoCalendar(self.parts)),
  'toordinal(/)': ({ parts }) => dayNumber(parts.year, parts.month, parts.day) + EPOCH_ORDINAL,
  'ctime(/)': (self) => ctime(self.parts),
  'replace(**kwargs)': (self, fields) => self.replace(fields),
});
const TIME_METHODS = methods<DateTime>('datetime.datetime', {
  'date(/)': (self) => new DateTime(self.parts, true),
  'time(/)': (self) => timeText(self.parts),
  'timestamp(/)': ({ parts }) => new Float(epochSeconds(parts) + parts.microsecond / US_PER_SECOND),
  'utcoffset(/)': ({ parts }) => (parts.offset === null ? null : new TimeDelta(parts.offset * US_PER_SECOND)),
});

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

function ctime(parts: DateParts): string {
  const day = DAYS[weekday(parts)]?.slice(0, 3) ?? '';
  const month = MONTHS[parts.month - 1]?.slice(0, 3) ?? '';
  return `${day} ${month} ${String(parts.day).padStart(2)} ${timeText(parts, 'seconds')} ${pad(parts.year, 4)}`;
}

/** `now()`: the moment, in UTC. */
export function now(): DateTime {
  return DateTime.fromDate(new Date());
}
