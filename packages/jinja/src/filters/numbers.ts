import { spend } from '../budget.ts';
import { raise } from '../errors.ts';
import { fixed, roundFloat } from '../format/float.ts';
import { parseFloatText, parseIntText } from '../format/parse.ts';
import { native } from '../values/native.ts';
import { absolute, toFloat, truncate } from '../values/numbers.ts';
import { binary } from '../values/operators.ts';
import { repr } from '../values/repr.ts';
import type { Callable, Value } from '../values/types.ts';
import { Float, integer, isInteger, isNumeric, isString, textOf, typeName } from '../values/types.ts';
import { Undefined } from '../values/undefined.ts';
import { truthy } from '../values/iterate.ts';

function abs(value: Value): Value {
  if (!isNumeric(value)) return raise('TypeError', `bad operand type for abs(): '${typeName(value)}'`);
  return absolute(value);
}

/** `float(value)`; undefined when Python raises a TypeError or a ValueError. */
function asFloat(value: Value): number | undefined {
  if (value instanceof Undefined) return value.fail();
  if (isNumeric(value)) return toFloat(value);
  return isString(value) ? parseFloatText(textOf(value)) : undefined;
}

function int(value: Value, otherwise: Value, base: Value): Value {
  if (value instanceof Undefined) return value.fail();
  if (isString(value)) {
    const parsed = typeof base === 'number' ? parseIntText(textOf(value), base) : undefined;
    if (parsed !== undefined) return integer(parsed);
  } else if (isInteger(value) || typeof value === 'boolean') {
    return typeof value === 'boolean' ? Number(value) : value;
  }
  const number = asFloat(value);
  if (number === undefined || Number.isNaN(number)) return otherwise;
  // This applies to text that is too large for a float, but not to an infinite float.
  if (isString(value) && !Number.isFinite(number)) return otherwise;
  return truncate(number);
}

function float(value: Value, otherwise: Value): Value {
  const number = asFloat(value);
  return number === undefined ? otherwise : new Float(number);
}

/** `round(value, precision)`. */
function roundCommon(value: Value, precision: Value): Value {
  if (!isNumeric(value)) return raise('TypeError', `type ${typeName(value)} doesn't define __round__ method`);
  if (precision !== null && !isInteger(precision) && typeof precision !== 'boolean') {
    return raise('TypeError', `'${typeName(precision)}' object cannot be interpreted as an integer`);
  }
  const digits = precision === null ? undefined : Number(precision);
  if (!(value instanceof Float)) return roundInteger(BigInt(value), digits ?? 0);
  if (digits === undefined) return truncate(roundFloat(value.value, 0));
  const rounded = roundFloat(value.value, digits);
  if (!Number.isFinite(rounded) && Number.isFinite(value.value)) {
    return raise('OverflowError', 'rounded value too large to represent');
  }
  return new Float(rounded);
}

/** Rounds to tens, hundreds, … when `digits` is negative; ties go to the even one. */
function roundInteger(value: bigint, digits: number): Value {
  if (digits >= 0) return integer(value);
  const size = value < 0n ? -value : value;
  const length = size.toString(16).length;
  // A hexadecimal digit is worth 1.204 decimal ones.
  if (-digits > 1.21 * length + 1) return 0;
  // Numbers of many digits take more than linear time.
  spend(length >>> 5);
  const unit = 10n ** BigInt(-digits);
  const rest = size % unit;
  let rounded = size - rest;
  if (rest * 2n > unit || (rest * 2n === unit && (rounded / unit) % 2n === 1n)) rounded += unit;
  return integer(value < 0n ? -rounded : rounded);
}

function round(value: Value, precision: Value, method: Value): Value {
  const name = isString(method) ? textOf(method) : '';
  if (name === 'common') return roundCommon(value, precision);
  if (name !== 'ceil' && name !== 'floor') {
    return raise('FilterArgumentError', 'method must be common, ceil or floor');
  }
  const unit = binary('**', 10, precision);
  const scaled = binary('*', value, unit);
  if (!isNumeric(scaled)) return raise('TypeError', `must be real number, not ${typeName(scaled)}`);
  const whole =
    scaled instanceof Float
      ? truncate(name === 'ceil' ? Math.ceil(scaled.value) : Math.floor(scaled.value))
      : scaled;
  return binary('/', whole, unit);
}

const DECIMAL_PREFIXES = ['kB', 'MB', 'GB', 'TB', 'PB', 'EB', 'ZB', 'YB'];
const BINARY_PREFIXES = ['KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB', 'ZiB', 'YiB'];

function fileSizeFormat(value: Value, isBinary: Value): string {
  const bytes = asFloat(value);
  if (bytes === undefined) {
    if (isString(value)) raise('ValueError', `could not convert string to float: ${repr(value)}`);
    return raise('TypeError', `float() argument must be a string or a real number, not '${typeName(value)}'`);
  }
  const binaryUnits = truthy(isBinary);
  const base = binaryUnits ? 1024 : 1000;
  if (bytes === 1) return '1 Byte';
  if (bytes < base) return `${String(truncate(bytes))} Bytes`;
  const prefixes = binaryUnits ? BINARY_PREFIXES : DECIMAL_PREFIXES;
  let unit = base;
  let prefix = '';
  for (prefix of prefixes) {
    unit *= base;
    if (bytes < unit) break;
  }
  const shown = (base * bytes) / unit;
  const text = Number.isFinite(shown) ? fixed(shown, 1) : Number.isNaN(shown) ? 'nan' : 'inf';
  return `${text} ${prefix}`;
}

/** Filters for numbers. */
export const NUMBER_FILTERS: Record<string, Callable> = {
  abs: native('abs(x, /)', abs),
  filesizeformat: native('do_filesizeformat(value, binary=False)', fileSizeFormat),
  float: native('do_float(value, default=0.0)', float),
  int: native('do_int(value, default=0, base=10)', int),
  round: native("do_round(value, precision=0, method='common')", round),
};
