import { Tuple } from './containers.ts';
import type { Next, Value } from './types.ts';
import { Float, isNumeric, Obj } from './types.ts';

/** A Python `range`, without a list of its elements. */
export class Range extends Obj {
  readonly start: number;
  readonly stop: number;
  readonly stride: number;
  readonly count: number;

  constructor(start: number, stop: number, stride: number) {
    super();
    this.start = start;
    this.stop = stop;
    this.stride = stride;
    this.count = Math.max(0, Math.ceil((stop - start) / stride));
  }

  override get typeName(): string {
    return 'range';
  }

  at(index: number): number {
    return this.start + index * this.stride;
  }

  override repr(): string {
    return `range(${this.start}, ${this.stop}${this.stride === 1 ? '' : `, ${this.stride}`})`;
  }

  override length(): number {
    return this.count;
  }

  override iterate(): Next {
    let i = 0;
    return () => (i < this.count ? this.at(i++) : undefined);
  }

  override get reversible(): boolean {
    return true;
  }

  override get subscriptable(): boolean {
    return true;
  }

  override item(key: Value): Value | undefined {
    const index = typeof key === 'boolean' ? Number(key) : key;
    if (typeof index !== 'number') return undefined;
    const at = index < 0 ? index + this.count : index;
    return at >= 0 && at < this.count ? this.at(at) : undefined;
  }

  override contains(value: Value): boolean {
    if (!isNumeric(value)) return false;
    const number = value instanceof Float ? value.value : Number(value);
    const index = (number - this.start) / this.stride;
    return Number.isInteger(index) && index >= 0 && index < this.count;
  }

  override equals(other: Value): boolean {
    if (!(other instanceof Range) || other.count !== this.count) return false;
    return (
      this.count === 0 || (this.start === other.start && (this.count === 1 || this.stride === other.stride))
    );
  }

  override hashKey(): unknown {
    return new Tuple([
      this.count,
      this.count > 0 ? this.start : null,
      this.count > 1 ? this.stride : null,
    ]).hashKey();
  }
}
