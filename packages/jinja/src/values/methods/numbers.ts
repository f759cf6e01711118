import { spend } from '../../budget.ts';
import { raise } from '../../errors.ts';
import { exactFraction } from '../../format/float.ts';
import { Tuple } from '../containers.ts';
import { methods } from '../native.ts';
import type { Value } from '../types.ts';
import { Float, integer } from '../types.ts';

type Whole = number | bigint | boolean;

function big(value: Whole): bigint {
  return BigInt(value);
}

/** Returns a float as a reduced fraction: numerator and denominator. */
function ratio(value: number): [bigint, bigint] {
  if (Number.isNaN(value)) raise('ValueError', 'cannot convert NaN to integer ratio');
  if (!Number.isFinite(value)) raise('OverflowError', 'cannot convert Infinity to integer ratio');
  const { numerator, shift } = exactFraction(value);
  spend(shift >>> 4);
  return [value < 0 ? -numerator : numerator, 1n << BigInt(shift)];
}

function bits(value: bigint): string {
  const text = value === 0n ? '' : (value < 0n ? -value : value).toString(2);
  spend(text.length >>> 6);
  return text;
}

/** The methods of `int` (and `bool`) that make sense in a template. */
export const INT_METHODS = methods<Whole>('int', {
  'bit_length(/)': (self) => bits(big(self)).length,
  'bit_count(/)': (self) => bits(big(self)).replaceAll('0', '').length,
  'conjugate(/)': (self) => integer(big(self)),
  'as_integer_ratio(/)': (self) => new Tuple([integer(big(self)), 1]),
});

/** The methods of `float` that make sense in a template. */
export const FLOAT_METHODS = methods<Float>('float', {
  'is_integer(/)': (self) => Number.isInteger(self.value),
  'conjugate(/)': (self) => self,
  'as_integer_ratio(/)': (self) => {
    const [numerator, denominator] = ratio(self.value);
    return new Tuple([integer(numerator), integer(denominator)]);
  },
  'hex(/)': (self) => hexadecimal(self.value),
});

/** `float.hex()`. */
function hexadecimal(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf';
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  if (value === 0) return `${sign}0x0.0p+0`;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Math.abs(value));
  const all = view.getBigUint64(0);
  const biased = Number(all >> 52n);
  const mantissa = (all & 0xfffffffffffffn).toString(16).padStart(13, '0');
  const exponent = biased === 0 ? -1022 : biased - 1023;
  return `${sign}0x${biased === 0 ? '0' : '1'}.${mantissa}p${exponent < 0 ? '-' : '+'}${Math.abs(exponent)}`;
}

/** The data attributes of numbers. */
export function numberAttribute(value: Whole | Float, name: string): Value | undefined {
  const isFloat = value instanceof Float;
  switch (name) {
    case 'real':
      return isFloat ? value : integer(big(value));
    case 'imag':
      return isFloat ? new Float(0) : 0;
    case 'numerator':
      return isFloat ? undefined : integer(big(value));
    case 'denominator':
      return isFloat ? undefined : 1;
    default:
      return undefined;
  }
}
