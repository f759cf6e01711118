import { fail } from './fault.ts';

/** An exact decimal number: the part of Python's `decimal.Decimal` that formatting needs. */
export interface Decimal {
  negative: boolean;
  /** The digits without a sign; the value is `digits × 10^exponent`. */
  digits: bigint;
  exponent: number;
  infinite: boolean;
}

/** Maximum digits of a number: more than any real amount has, and fast to process. */
const MAX_DIGITS = 400;

const NUMBER = /^([+-]?)(?:(\d[\d_]*)(?:\.([\d_]*))?|\.(\d[\d_]*))(?:e([+-]?\d{1,6}))?$/i;

/**
 * Parses a number in the notation of Python's `Decimal`.
 *
 * @throws LocaleError if the text is not a number, or if the number is too large to be written out
 */
export function parseDecimal(text: string): Decimal {
  const trimmed = text.trim();
  const infinity = /^([+-]?)inf(?:inity)?$/i.exec(trimmed);
  if (infinity) return { negative: infinity[1] === '-', digits: 0n, exponent: 0, infinite: true };
  const match = trimmed.length <= 2 * MAX_DIGITS ? NUMBER.exec(trimmed) : null;
  if (match === null) return fail(`'${trimmed.slice(0, 40)}' is no number`);
  const [, sign, whole = '', fraction, fractionAlone, exponent = '0'] = match;
  const decimals = (fraction ?? fractionAlone ?? '').replaceAll('_', '');
  const digits = BigInt(whole.replaceAll('_', '') + decimals);
  const value = {
    negative: sign === '-',
    digits,
    exponent: Number(exponent) - decimals.length,
    infinite: false,
  };
  if (Math.abs(value.exponent) > MAX_DIGITS || adjusted(value) > MAX_DIGITS) {
    return fail(`${trimmed.slice(0, 40)} has too many digits to be written out`);
  }
  return value;
}

/** Returns the exponent of the leading digit. */
export function adjusted({ digits, exponent }: Decimal): number {
  return digits.toString().length - 1 + exponent;
}

/** Removes trailing zeros. */
export function normalized(value: Decimal): Decimal {
  if (value.digits === 0n) return { ...value, exponent: 0 };
  const text = value.digits.toString();
  // bounded: a text of digits, at most MAX_DIGITS
  const zeros = text.length - text.replace(/0+$/, '').length;
  return { ...value, digits: BigInt(text.slice(0, text.length - zeros)), exponent: value.exponent + zeros };
}

/** Returns the number of decimals without trailing zeros. */
export function precision(value: Decimal): number {
  return Math.max(0, -normalized(value).exponent);
}

/**
 * Rounds half to even to the given number of decimals, and returns the digits before and after the decimal
 * point.
 */
export function rounded({ digits, exponent }: Decimal, places: number): [whole: string, fraction: string] {
  const shift = exponent + places;
  const scaled = shift >= 0 ? digits * 10n ** BigInt(shift) : divideHalfEven(digits, 10n ** BigInt(-shift));
  const text = scaled.toString().padStart(places + 1, '0');
  return [text.slice(0, text.length - places), text.slice(text.length - places)];
}

function divideHalfEven(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  const twice = (value % by) * 2n;
  const up = twice > by || (twice === by && quotient % 2n === 1n);
  return up ? quotient + 1n : quotient;
}
