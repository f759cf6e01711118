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
import { native } from './native.ts';
import type { NativeFunction } from './native.ts';
import { divide, floorDivide, multiply } from './numbers.ts';
import type { Value } from './types.ts';
import { Float, isInteger, isNumeric, isString, Obj, textOf, typeName } from './types.ts';

const MIDNIGHT = { hour: 0, minute: 0, second: 0, microsecond: 0, offset: null };
const US_PER_SECOND = 1_000_000;
const US_PER_DAY = 86_400 * US_PER_SECOND;
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

/** `datetime.timedelta` */
export class TimeDelta extends Obj {
  readonly microseconds: number;

  constructor(microseconds: number) {
    super();
    this.microseconds = microseconds;
  }

  override get typeName(): string {
    return 'datetime.timedelta';
  }

  get #days(): number {
    return Math.floor(this.microseconds / US_PER_DAY);
  }

  get #rest(): number {
    return this.microseconds - this.#days * US_PER_DAY;
  }

  override str(): string {
    const seconds = Math.floor(this.#rest / US_PER_SECOND);
    const fraction = this.#rest % US_PER_SECOND;
    const time = `${Math.floor(seconds / 3600)}:${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}`;
    const days = this.#days === 0 ? '' : `${this.#days} day${Math.abs(this.#days) === 1 ? '' : 's'}, `;
    return days + time + (fraction === 0 ? '' : `.${pad(fraction, 6)}`);
  }

  override repr(): string {
    const parts = [
      ['days', this.#days],
      ['seconds', Math.floor(this.#rest / US_PER_SECOND)],
      ['microseconds', this.#rest % US_PER_SECOND],
    ] as const;
    const shown = parts.filter(([, value]) => value !== 0).map(([name, value]) => `${name}=${value}`);
    return `datetime.timedelta(${shown.length === 0 ? '0' : shown.join(', ')})`;
  }

  override truthy(): boolean {
    return this.microseconds !== 0;
  }

  override attribute(name: string): Value | undefined {
    switch (name) {
      case 'days':
        return this.#days;
      case 'seconds':
        return Math.floor(this.#rest / US_PER_SECOND);
      case 'microseconds':
        return this.#rest % US_PER_SECOND;
      case 'total_seconds':
        return native('timedelta.total_seconds(/)', () => new Float(this.microseconds / US_PER_SECOND));
      default:
        return undefined;
    }
  }

  override equals(other: Value): boolean {
    return other instanceof TimeDelta && other.microseconds === this.microseconds;
  }

  override compare(other: Value): number | undefined {
    return other instanceof TimeDelta ? this.microseconds - other.microseconds : undefined;
  }

  override hashKey(): unknown {
    return new Tuple(['timedelta', this.microseconds]).hashKey();
  }

  override operate(operator: string, other: Value, reflected: boolean): Value | undefined {
    if (operator === 'unary -') return new TimeDelta(-this.microseconds);
    if (operator === 'unary +') return this;
    if (other instanceof TimeDelta && !reflected) return this.#withDelta(operator, other);
    if (!isNumeric(other) || typeof other === 'boolean') return undefined;
    if (operator === '*') return new TimeDelta(wholeMicroseconds(multiply(this.microseconds, other)));
    if (reflected) return undefined;
    if (operator === '/') return new TimeDelta(wholeMicroseconds(divide(this.microseconds, other)));
    if (operator === '//' && isInteger(other)) {
      return new TimeDelta(Number(floorDivide(this.microseconds, other)));
    }
    return undefined;
  }

  #withDelta(operator: string, other: TimeDelta): Value | undefined {
    const [a, b] = [this.microseconds, other.microseconds];
    switch (operator) {
      case '+':
        return new TimeDelta(a + b);
      case '-':
        return new TimeDelta(a - b);
      case '/':
        return divide(a, b);
      case '//':
        return floorDivide(a, b);
      default:
        return undefined;
    }
  }
}

function wholeMicroseconds(value: Value): number {
  const number = value instanceof Float ? value.value : Number(value);
  const floor = Math.floor(number);
  const fraction = number - floor;
  const up = fraction > 0.5 || (fraction === 0.5 && floor % 2 !== 0);
  return up ? floor + 1 : floor;
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
    return this.#isoFormat(' ', 'auto');
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

  /** Flask's JSON has dates as HTTP does. */
  httpDate(): string {
    return strftime(
      partsOf(this.#microseconds - (this.parts.offset ?? 0) * US_PER_SECOND, 0),
      '%a, %d %b %Y %H:%M:%S GMT',
    );
  }

  #isoFormat(separator: string, spec: string): string {
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

  #method(name: string): NativeFunction | undefined {
    const { parts } = this;
    switch (name) {
      case 'strftime':
        return native('strftime(format)', (format) => strftime(parts, text(format)));
      case 'isoformat':
        return this.isDate
          ? native('date.isoformat(/)', () => this.str())
          : native("isoformat(sep='T', timespec='auto')", (separator, spec) =>
              this.#isoFormat(text(separator), text(spec)),
            );
      case 'weekday':
        return native('weekday(/)', () => weekday(parts));
      case 'isoweekday':
        return native('isoweekday(/)', () => weekday(parts) + 1);
      case 'isocalendar':
        return native('isocalendar(/)', () => new Tuple(isoCalendar(parts)));
      case 'toordinal':
        return native('toordinal(/)', () => dayNumber(parts.year, parts.month, parts.day) + EPOCH_ORDINAL);
      case 'ctime':
        return native('ctime(/)', () => ctime(parts));
      case 'replace':
        return native('replace(**kwargs)', (fields) => this.#replace(fields));
      default:
        return this.isDate ? undefined : this.#timeMethod(name);
    }
  }

  #timeMethod(name: string): NativeFunction | undefined {
    const { parts } = this;
    switch (name) {
      case 'date':
        return native('datetime.date(/)', () => new DateTime(parts, true));
      case 'time':
        return native('datetime.time(/)', () => timeText(parts));
      case 'timestamp':
        return native(
          'datetime.timestamp(/)',
          () => new Float(epochSeconds(parts) + parts.microsecond / US_PER_SECOND),
        );
      case 'utcoffset':
        return native('datetime.utcoffset(/)', () =>
          parts.offset === null ? null : new TimeDelta(parts.offset * US_PER_SECOND),
        );
      default:
        return undefined;
    }
  }

  #replace(fields: Value): Value {
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
