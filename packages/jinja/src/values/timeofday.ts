import type { DateParts } from '../format/strftime.ts';
import { strftime } from '../format/strftime.ts';
import { Tuple } from './containers.ts';
import { replaced, textArgument, TIME_FIELDS, timeText } from './dateparts.ts';
import { BoundMethod, methods } from './native.ts';
import { US_PER_SECOND } from './timedelta.ts';
import type { Value } from './types.ts';
import { Obj } from './types.ts';

/** The day that CPython assumes for the `strftime` of a time of day. */
const FIRST_DAY = { year: 1900, month: 1, day: 1 };

/** `datetime.time`: the result of a datetime's `.time()`. */
export class TimeOfDay extends Obj {
  readonly parts: DateParts;

  constructor(parts: DateParts) {
    super();
    this.parts = { ...parts, ...FIRST_DAY, offset: null };
  }

  override get typeName(): string {
    return 'datetime.time';
  }

  override str(): string {
    return timeText(this.parts);
  }

  override repr(): string {
    const { hour, minute, second, microsecond } = this.parts;
    const fields = [hour, minute, second, microsecond];
    while (fields.length > 2 && fields.at(-1) === 0) fields.pop();
    return `datetime.time(${fields.join(', ')})`;
  }

  override format(spec: string): string {
    return spec === '' ? this.str() : strftime(this.parts, spec);
  }

  override attribute(name: string): Value | undefined {
    if (name === 'hour' || name === 'minute' || name === 'second' || name === 'microsecond') {
      return this.parts[name];
    }
    if (name === 'tzinfo') return null;
    const method = TIME_OF_DAY_METHODS.get(name);
    return method === undefined ? undefined : new BoundMethod(this, this.typeName, method);
  }

  get #microseconds(): number {
    const { hour, minute, second, microsecond } = this.parts;
    return ((hour * 60 + minute) * 60 + second) * US_PER_SECOND + microsecond;
  }

  override equals(other: Value): boolean {
    return this.compare(other) === 0;
  }

  override compare(other: Value): number | undefined {
    return other instanceof TimeOfDay ? this.#microseconds - other.#microseconds : undefined;
  }

  override hashKey(): unknown {
    return new Tuple(['time', this.#microseconds]).hashKey();
  }
}

const TIME_OF_DAY_METHODS = methods<TimeOfDay>('datetime.time', {
  'strftime(format)': (self, format) => strftime(self.parts, textArgument(format)),
  "isoformat(timespec='auto')": (self, spec) => timeText(self.parts, textArgument(spec)),
  'replace(**kwargs)': (self, fields) => new TimeOfDay(replaced(self.parts, fields, TIME_FIELDS)),
});
