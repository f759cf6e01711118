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
import { dateText, DAY_FIELDS, pad, replaced, textArgument, TIME_FIELDS, timeText } from './dateparts.ts';
import { BoundMethod, methods } from './native.ts';
import { TimeOfDay } from './timeofday.ts';
import { TimeDelta, US_PER_DAY, US_PER_SECOND } from './timedelta.ts';
import type { Value } from './types.ts';
import { Float, Obj } from './types.ts';

const MIDNIGHT = { hour: 0, minute: 0, second: 0, microsecond: 0, offset: null };
/** Ordinal (days since the year 1) of 1970-01-01. */
const EPOCH_ORDINAL = 719_163;

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

/** The result of `.isocalendar()`. */
class IsoCalendarDate extends Tuple {
  constructor(items: Value[]) {
    super(items, ['year', 'week', 'weekday']);
  }

  override get typeName(): string {
    return 'datetime.IsoCalendarDate';
  }

  override get module(): string {
    return 'datetime';
  }

  override repr(): string {
    return `datetime.IsoCalendarDate(${this.names.map((name, i) => `${name}=${String(this.items[i])}`).join(', ')})`;
  }
}

/** `datetime.timezone`: an offset from UTC in seconds. */
class TimeZone extends Obj {
  readonly offset: number;

  constructor(offset: number) {
    super();
    this.offset = offset;
  }

  override get typeName(): string {
    return 'datetime.timezone';
  }

  override str(): string {
    return this.offset === 0 ? 'UTC' : `UTC${offsetText(this.offset, ':')}`;
  }

  override repr(): string {
    if (this.offset === 0) return 'datetime.timezone.utc';
    return `datetime.timezone(${new TimeDelta(this.offset * US_PER_SECOND).repr()})`;
  }

  override equals(other: Value): boolean {
    return other instanceof TimeZone && other.offset === this.offset;
  }

  override hashKey(): unknown {
    return new Tuple(['timezone', this.offset]).hashKey();
  }
}

/** `datetime.date` and `datetime.datetime`: a day, with or without a time of day. */
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
    const zone = offset === null ? '' : `, tzinfo=${new TimeZone(offset).repr()}`;
    return `datetime.datetime(${fields.join(', ')}${zone})`;
  }

  override format(spec: string): string {
    return spec === '' ? this.str() : strftime(this.parts, spec);
  }

  /** Returns the moment in HTTP's format, in GMT. */
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
        return parts.offset === null ? null : new TimeZone(parts.offset);
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
    const names = this.isDate ? DAY_FIELDS : [...DAY_FIELDS, ...TIME_FIELDS];
    return new DateTime(replaced(this.parts, fields, names), this.isDate);
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

/** The methods of dates; datetimes have further ones. */
const DATE_METHODS = methods<DateTime>('datetime.date', {
  'strftime(format)': (self, format) => strftime(self.parts, textArgument(format)),
  "isoformat(sep='T', timespec='auto')": (self, separator, spec) =>
    self.isoFormat(textArgument(separator), textArgument(spec)),
  'weekday(/)': (self) => weekday(self.parts),
  'isoweekday(/)': (self) => weekday(self.parts) + 1,
  'isocalendar(/)': (self) => new IsoCalendarDate(isoCalendar(self.parts)),
  'toordinal(/)': ({ parts }) => dayNumber(parts.year, parts.month, parts.day) + EPOCH_ORDINAL,
  'ctime(/)': (self) => ctime(self.parts),
  'replace(**kwargs)': (self, fields) => self.replace(fields),
});
const TIME_METHODS = methods<DateTime>('datetime.datetime', {
  'date(/)': (self) => new DateTime(self.parts, true),
  'time(/)': (self) => new TimeOfDay(self.parts),
  'timestamp(/)': ({ parts }) => new Float(epochSeconds(parts) + parts.microsecond / US_PER_SECOND),
  'utcoffset(/)': ({ parts }) => (parts.offset === null ? null : new TimeDelta(parts.offset * US_PER_SECOND)),
});

function ctime(parts: DateParts): string {
  const day = DAYS[weekday(parts)]?.slice(0, 3) ?? '';
  const month = MONTHS[parts.month - 1]?.slice(0, 3) ?? '';
  return `${day} ${month} ${String(parts.day).padStart(2)} ${timeText(parts, 'seconds')} ${pad(parts.year, 4)}`;
}

/** `now()`: the moment, in UTC. */
export function now(): DateTime {
  return DateTime.fromDate(new Date());
}
