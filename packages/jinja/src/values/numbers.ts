import { exceed, run, spend } from '../budget.ts';
import { raise } from '../errors.ts';
import { bitLength } from './bits.ts';
import type { Value } from './types.ts';
import { Float, integer } from './types.ts';

/** Python's arithmetic on int, float and bool. Every function takes numeric values only. */

export type Numeric = number | bigint | boolean | Float;

/** A whole number: bool counts as 0 and 1. */
type Whole = number | bigint;

function whole(value: number | bigint | boolean): Whole {
  return typeof value === 'boolean' ? Number(value) : value;
}

/** `float(value)`. */
export function toFloat(value: Numeric): number {
  if (value instanceof Float) return value.value;
  if (typeof value !== 'bigint') return Number(value);
  const converted = Number(value);
  if (!Number.isFinite(converted)) raise('OverflowError', 'int too large to convert to float');
  return converted;
}

/** Refuses an integer with more binary digits than the budget allows, before it is created. */
function claimBits(bits: number): void {
  if (bits > run.limits.integer) exceed('integer');
  // Multiplying large numbers takes more than linear time.
  if (bits > 64) spend(((bits >>> 6) ** 2) >>> 4);
}

export function add(a: Numeric, b: Numeric): Value {
  if (a instanceof Float || b instanceof Float) return new Float(toFloat(a) + toFloat(b));
  const [x, y] = [whole(a), whole(b)];
  if (typeof x === 'number' && typeof y === 'number') {
    const sum = x + y;
    if (Number.isSafeInteger(sum)) return sum;
  }
  const sum = BigInt(x) + BigInt(y);
  claimBits(bitLength(sum));
  return integer(sum);
}

export function subtract(a: Numeric, b: Numeric): Value {
  if (a instanceof Float || b instanceof Float) return new Float(toFloat(a) - toFloat(b));
  const [x, y] = [whole(a), whole(b)];
  if (typeof x === 'number' && typeof y === 'number') {
    const difference = x - y;
    if (Number.isSafeInteger(difference)) return difference;
  }
  const difference = BigInt(x) - BigInt(y);
  claimBits(bitLength(difference));
  return integer(difference);
}

export function multiply(a: Numeric, b: Numeric): Value {
  if (a instanceof Float || b instanceof Float) return new Float(toFloat(a) * toFloat(b));
  const [x, y] = [whole(a), whole(b)];
  if (typeof x === 'number' && typeof y === 'number') {
    const product = x * y;
    // `-1 * 0` is a negative zero in JavaScript, which no int is.
    if (Number.isSafeInteger(product)) return product + 0;
  }
  claimBits(bitLength(BigInt(x)) + bitLength(BigInt(y)));
  return integer(BigInt(x) * BigInt(y));
}

export function divide(a: Numeric, b: Numeric): Value {
  if (a instanceof Float || b instanceof Float) {
    const divisor = toFloat(b);
    if (divisor === 0) raise('ZeroDivisionError', 'float division by zero');
    return new Float(toFloat(a) / divisor);
  }
  const [x, y] = [whole(a), whole(b)];
  if (Number(y) === 0) raise('ZeroDivisionError', 'division by zero');
  if (typeof x === 'number' && typeof y === 'number') return new Float(x / y);
  return new Float(divideLarge(BigInt(x), BigInt(y)));
}

/** Returns the float nearest to the quotient of two large integers. */
function divideLarge(x: bigint, y: bigint): number {
  spend((bitLength(x) + bitLength(y)) >>> 5);
  const negative = x < 0n !== y < 0n;
  const [n, d] = [x < 0n ? -x : x, y < 0n ? -y : y];
  // 66 bits of quotient, of which the last one records whether anything was cut off, round correctly to 53.
  const shift = 66 - (n.toString(2).length - d.toString(2).length);
  const scaled = shift >= 0 ? n << BigInt(shift) : n;
  const divisor = shift >= 0 ? d : d << BigInt(-shift);
  const quotient = (scaled / divisor) | (scaled % divisor === 0n ? 0n : 1n);
  const result = Number(quotient) * 2 ** -shift;
  if (!Number.isFinite(result)) raise('OverflowError', 'integer division result too large for a float');
  return negative ? -result : result;
}

/**
 * Returns quotient and remainder of floats as CPython computes them: the remainder has the sign of the
 * divisor.
 */
function floatDivMod(x: number, y: number, message: string): [number, number] {
  if (y === 0) raise('ZeroDivisionError', message);
  let remainder = x % y;
  let quotient = (x - remainder) / y;
  if (remainder !== 0) {
    if (y < 0 !== remainder < 0) {
      remainder += y;
      quotient -= 1;
    }
  } else {
    remainder = y < 0 ? -0 : 0;
  }
  if (quotient === 0) return [x / y < 0 || Object.is(x / y, -0) ? -0 : 0, remainder];
  const floored = Math.floor(quotient);
  return [quotient - floored > 0.5 ? floored + 1 : floored, remainder];
}

export function floorDivide(a: Numeric, b: Numeric): Value {
  if (a instanceof Float || b instanceof Float) {
    return new Float(floatDivMod(toFloat(a), toFloat(b), 'float floor division by zero')[0]);
  }
  const [x, y] = [whole(a), whole(b)];
  if (Number(y) === 0) raise('ZeroDivisionError', 'integer division or modulo by zero');
  if (typeof x === 'number' && typeof y === 'number') {
    // This is exact: the remainder of safe integers is exact, and subtracting it leaves a multiple of the
    // divisor.
    const remainder = x % y;
    const quotient = (x - remainder) / y;
    return (remainder !== 0 && remainder < 0 !== y < 0 ? quotient - 1 : quotient) + 0;
  }
  return integer(floorDivideLarge(BigInt(x), BigInt(y)));
}

function floorDivideLarge(x: bigint, y: bigint): bigint {
  spend(bitLength(x) >>> 5);
  const quotient = x / y;
  return x % y !== 0n && x < 0n !== y < 0n ? quotient - 1n : quotient;
}

export function modulo(a: Numeric, b: Numeric): Value {
  if (a instanceof Float || b instanceof Float) {
    return new Float(floatDivMod(toFloat(a), toFloat(b), 'float modulo')[1]);
  }
  const [x, y] = [whole(a), whole(b)];
  if (Number(y) === 0) raise('ZeroDivisionError', 'integer modulo by zero');
  if (typeof x === 'number' && typeof y === 'number') {
    const remainder = x % y;
    return (remainder !== 0 && remainder < 0 !== y < 0 ? remainder + y : remainder) + 0;
  }
  return integer(BigInt(x) - BigInt(y) * floorDivideLarge(BigInt(x), BigInt(y)));
}

export function power(a: Numeric, b: Numeric): Value {
  if (a instanceof Float || b instanceof Float) return floatPower(toFloat(a), toFloat(b));
  const [x, y] = [whole(a), whole(b)];
  if (y < 0) return floatPower(toFloat(x), toFloat(y));
  const bits = bitLength(BigInt(x) < 0n ? -BigInt(x) : BigInt(x));
  // 0, 1 and -1 stay small for any exponent.
  if (x === 0 || x === 1) return y === 0 ? 1 : x;
  if (x === -1) return BigInt(y) % 2n === 0n ? 1 : -1;
  claimBits(Math.max(bits - 3, 1) * Number(y));
  return integer(BigInt(x) ** BigInt(y));
}

function floatPower(x: number, y: number): Value {
  if (x === 0 && y < 0) raise('ZeroDivisionError', '0.0 cannot be raised to a negative power');
  if (x === 1 || y === 0) return new Float(1);
  if (x < 0 && Number.isFinite(x) && Number.isFinite(y) && !Number.isInteger(y)) {
    raise(
      'TypeError',
      'a negative number to a fractional power is a complex number, which templates do not have',
    );
  }
  // C returns 1 for (-1) ** inf, JavaScript NaN.
  if (x === -1 && !Number.isFinite(y) && !Number.isNaN(y)) return new Float(1);
  const result = exactPower(x, y) ?? x ** y;
  if (!Number.isFinite(result) && Number.isFinite(x) && Number.isFinite(y)) {
    raise('OverflowError', "(34, 'Numerical result out of range')");
  }
  return new Float(result);
}

/**
 * Returns an integer power of a float, correctly rounded as in the C library; the host's `**` may differ in
 * the last digit, and templates use it for compound interest. Returns undefined when that would take too
 * long.
 */
function exactPower(x: number, y: number): number | undefined {
  if (!Number.isInteger(y) || Math.abs(y) > 1024 || !Number.isFinite(x) || x === 0) return undefined;
  const estimate = Math.abs(x) ** y;
  if (!Number.isFinite(estimate) || estimate < 1e-290) return undefined;
  let shift = 0;
  let mantissa = Math.abs(x);
  while (!Number.isInteger(mantissa)) {
    mantissa *= 2;
    shift++;
  }
  const times = BigInt(Math.abs(y));
  claimBits(0);
  spend(Math.abs(y) >>> 2);
  const numerator = BigInt(mantissa) ** times;
  const denominator = 1n << (BigInt(shift) * times);
  const size = y > 0 ? divideLarge(numerator, denominator) : divideLarge(denominator, numerator);
  return x < 0 && y % 2 !== 0 ? -size : size;
}

export function negate(value: Numeric): Value {
  if (value instanceof Float) return new Float(-value.value);
  const number = whole(value);
  return typeof number === 'bigint' ? integer(-number) : 0 - number;
}

export function absolute(value: Numeric): Value {
  if (value instanceof Float) return new Float(Math.abs(value.value));
  const number = whole(value);
  return number < 0 ? negate(number) : number;
}

/** `int(float)`: towards zero. */
export function truncate(value: number): Value {
  if (Number.isNaN(value)) raise('ValueError', 'cannot convert float NaN to integer');
  if (!Number.isFinite(value)) raise('OverflowError', 'cannot convert float infinity to integer');
  const whole = Math.trunc(value);
  return Number.isSafeInteger(whole) ? whole + 0 : BigInt(whole);
}
