import { Tuple } from './containers.ts';
import { BoundMethod, methods } from './native.ts';
import { divide, floorDivide, multiply } from './numbers.ts';
import type { Value } from './types.ts';
import { Float, isInteger, isNumeric, Obj } from './types.ts';

export const US_PER_SECOND = 1_000_000;
export const US_PER_DAY = 86_400 * US_PER_SECOND;

function pad(value: number, width = 2): string {
  return String(value).padStart(width, '0');
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
      default: {
        const method = METHODS.get(name);
        return method === undefined ? undefined : new BoundMethod(this, this.typeName, method);
      }
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

const METHODS = methods<TimeDelta>('datetime.timedelta', {
  'total_seconds(/)': (self) => new Float(self.microseconds / US_PER_SECOND),
});
