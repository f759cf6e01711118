/**
 * An exact decimal number: amounts of invoices are compared to the cent, and 0.1 + 0.2 must be 0.3. The value
 * is `units` × 10^-`scale`.
 */
export class Decimal {
  static readonly ZERO = new Decimal(0n, 0);
  readonly units: bigint;
  readonly scale: number;

  private constructor(units: bigint, scale: number) {
    this.units = units;
    this.scale = scale;
  }

  /**
   * Parses an xs:decimal; returns null for any other text, and for numbers with more digits than any real
   * amount.
   */
  static parse(text: string): Decimal | null {
    const trimmed = text.trim();
    if (trimmed.length > MAX_DIGITS) return null;
    const parts = /^([+-]?)(\d*)(?:\.(\d*))?$/.exec(trimmed);
    if (parts === null) return null;
    const [, sign, whole = '', fraction = ''] = parts;
    if (whole === '' && fraction === '') return null;
    const units = BigInt(whole + fraction);
    return new Decimal(sign === '-' ? -units : units, fraction.length);
  }

  static sum(values: Iterable<Decimal>): Decimal {
    let total = Decimal.ZERO;
    for (const value of values) total = total.plus(value);
    return total;
  }

  plus(other: Decimal): Decimal {
    const scale = Math.max(this.scale, other.scale);
    return new Decimal(this.at(scale) + other.at(scale), scale);
  }

  minus(other: Decimal): Decimal {
    return this.plus(other.negated());
  }

  times(other: Decimal): Decimal {
    return new Decimal(this.units * other.units, this.scale + other.scale);
  }

  /** Returns the number divided by 10^`places`. */
  shifted(places: number): Decimal {
    return new Decimal(this.units, this.scale + places);
  }

  /** Returns the quotient, rounded half away from zero as in invoices. @param divisor not zero */
  dividedBy(divisor: Decimal, decimals: number): Decimal {
    const scale = this.scale + decimals + 1;
    const dividend = this.units * 10n ** BigInt(divisor.scale + decimals + 1);
    return new Decimal(dividend / divisor.units, scale).rounded(decimals);
  }

  /** Rounds half away from zero to the given number of decimals. */
  rounded(decimals: number): Decimal {
    if (this.scale <= decimals) return this;
    const step = 10n ** BigInt(this.scale - decimals);
    const half = this.units < 0n ? -step / 2n : step / 2n;
    return new Decimal((this.units + half) / step, decimals);
  }

  negated(): Decimal {
    return new Decimal(-this.units, this.scale);
  }

  abs(): Decimal {
    return this.units < 0n ? this.negated() : this;
  }

  /**
   * Returns a negative number, zero or a positive number if this is less than, equal to or greater than the
   * other.
   */
  compare(other: Decimal): number {
    const { units } = this.minus(other);
    return units < 0n ? -1 : units > 0n ? 1 : 0;
  }

  equals(other: Decimal): boolean {
    return this.compare(other) === 0;
  }

  isZero(): boolean {
    return this.units === 0n;
  }

  /** Returns a text that is the same for equal values. */
  key(): string {
    return this.toString().replace(/(?:\.0*|(\.\d*[1-9])0+)$/, '$1');
  }

  /** Returns the number in decimal notation. @param decimals minimum number of decimals */
  toString(decimals = 0): string {
    const scale = Math.max(this.scale, decimals);
    const digits = String(this.abs().at(scale)).padStart(scale + 1, '0');
    const sign = this.units < 0n ? '-' : '';
    const whole = digits.slice(0, digits.length - scale);
    return scale === 0 ? sign + whole : `${sign}${whole}.${digits.slice(-scale)}`;
  }

  private at(scale: number): bigint {
    return this.units * 10n ** BigInt(scale - this.scale);
  }
}

const MAX_DIGITS = 64;
