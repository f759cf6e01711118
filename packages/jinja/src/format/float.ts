import { spend } from '../budget.ts';

/** Decimal text of floats, with the same digits as CPython. */

/** No float has more digits than this, neither after the point nor significant ones; the rest are zeros. */
const MAX_DIGITS = 1100;

/** `repr(float)`: the shortest digits that read back as the same number. */
export function reprFloat(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (Object.is(value, -0)) return '-0.0';
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e16 || size < 1e-4)) return pythonExponent(value.toExponential());
  const text = String(value);
  return text.includes('.') ? text : `${text}.0`;
}

/** JavaScript writes `1e+5`, Python `1e+05`. */
function pythonExponent(text: string): string {
  const [mantissa = '', exponent = ''] = text.split('e');
  return `${mantissa}e${exponent[0]}${exponent.slice(1).padStart(2, '0')}`;
}

/** A finite float as an exact fraction: `numerator / 2 ** shift`, sign dropped. */
export function exactFraction(value: number): { numerator: bigint; shift: number } {
  let shift = 0;
  let scaled = Math.abs(value);
  while (!Number.isInteger(scaled)) {
    scaled *= 2;
    shift++;
  }
  return { numerator: BigInt(scaled), shift };
}

/** `numerator / denominator`, rounded to the nearest whole number, ties to even. */
export function divideRounding(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const twice = (numerator % denominator) * 2n;
  if (twice > denominator || (twice === denominator && quotient % 2n === 1n)) return quotient + 1n;
  return quotient;
}

/** `|value| * 10 ** digits`, rounded to a whole number, ties to even, exactly. */
export function scaledDigits(value: number, digits: number): bigint {
  const { numerator, shift } = exactFraction(value);
  // Numbers of many digits take more than linear time.
  spend((shift + Math.abs(digits)) >>> 3);
  const power = 10n ** BigInt(Math.abs(digits));
  return digits >= 0
    ? divideRounding(numerator * power, 1n << BigInt(shift))
    : divideRounding(numerator, power << BigInt(shift));
}

/**
 * Returns true if the value lies exactly between two decimals of that many digits, where `toFixed` would
 * round up.
 */
function isTie(value: number, digits: number): boolean {
  const doubled = value * 2 ** (digits + 1);
  return Number.isInteger(doubled) && doubled % 2 !== 0;
}

function sign(value: number): string {
  return value < 0 || Object.is(value, -0) ? '-' : '';
}

/** Type `f`: that many digits after the point. The value must be finite. */
export function fixed(value: number, digits: number): string {
  if (digits > MAX_DIGITS) return fixed(value, MAX_DIGITS) + '0'.repeat(digits - MAX_DIGITS);
  if (digits <= 100 && Math.abs(value) < 1e21 && !isTie(value, digits)) {
    return sign(value) + Math.abs(value).toFixed(digits);
  }
  const text = scaledDigits(value, digits)
    .toString()
    .padStart(digits + 1, '0');
  const point = text.length - digits;
  return sign(value) + (digits > 0 ? `${text.slice(0, point)}.${text.slice(point)}` : text);
}

/**
 * Returns the digits and the decimal exponent of type `e`: `d.ddd` with `digits` after the point, times `10
 * ** exponent`.
 */
function scientific(value: number, digits: number): { digits: string; exponent: number } {
  if (digits > MAX_DIGITS) {
    const exact = scientific(value, MAX_DIGITS);
    return { digits: exact.digits + '0'.repeat(digits - MAX_DIGITS), exponent: exact.exponent };
  }
  if (value === 0) return { digits: '0'.repeat(digits + 1), exponent: 0 };
  let exponent = Number(Math.abs(value).toExponential(0).split('e')[1]);
  // The one digit above may have been rounded up to the next power of ten.
  if (10 ** exponent > Math.abs(value)) exponent--;
  let text = scaledDigits(value, digits - exponent).toString();
  while (text.length > digits + 1) {
    exponent++;
    text = scaledDigits(value, digits - exponent).toString();
  }
  while (text.length < digits + 1) {
    exponent--;
    text = scaledDigits(value, digits - exponent).toString();
  }
  return { digits: text, exponent };
}

function exponentText(exponent: number): string {
  return `e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

/** Type `e`: one digit before the point, `digits` after it. The value must be finite. */
export function exponential(value: number, digits: number, alternate = false): string {
  const { digits: text, exponent } = scientific(value, digits);
  const mantissa = digits > 0 ? `${text[0]}.${text.slice(1)}` : text + (alternate ? '.' : '');
  return sign(value) + mantissa + exponentText(exponent);
}

/** Type `g`: `precision` significant digits, whichever of `f` and `e` suits, trailing zeros dropped. */
export function general(value: number, precision: number, alternate = false, forFloat = false): string {
  const significant = precision === 0 ? 1 : precision;
  const { digits: text, exponent } = scientific(value, significant - 1);
  // format() without a type uses the exponent one digit earlier, so that ".0" can be added.
  const limit = forFloat ? significant - 1 : significant;
  if (exponent < -4 || exponent >= limit) {
    const digits = alternate ? text : text.replace(/(?<!0)0+$/u, '') || '0';
    const mantissa = digits.length > 1 ? `${digits[0]}.${digits.slice(1)}` : digits + (alternate ? '.' : '');
    return sign(value) + mantissa + exponentText(exponent);
  }
  const rendered = fixed(value, Math.max(significant - 1 - exponent, 0));
  if (alternate) return rendered.includes('.') ? rendered : `${rendered}.`;
  const trimmed = rendered.includes('.') ? rendered.replace(/(?<!0)0+$/u, '').replace(/\.$/u, '') : rendered;
  return forFloat && !trimmed.includes('.') ? `${trimmed}.0` : trimmed;
}

/** `round(value, digits)` of a float: correctly rounded in decimal, ties to even. */
export function roundFloat(value: number, digits: number): number {
  if (!Number.isFinite(value) || value === 0) return value;
  // Beyond these limits the value does not change, or becomes zero.
  if (digits > 323) return value;
  if (digits < -308) return value * 0;
  if (digits >= 0 && digits <= 100) return Number(fixed(value, digits));
  const size = Number(`${scaledDigits(value, digits)}e${-digits}`);
  return value < 0 ? -size : size;
}
