import { raise } from '../errors.ts';
import { escape } from '../values/escape.ts';
import { toFloat, truncate } from '../values/numbers.ts';
import { repr, str } from '../values/repr.ts';
import { codePoints, isPlain, textLength } from '../values/text.ts';
import type { Value } from '../values/types.ts';
import { Float, integer, isInteger, isNumeric, isString, textOf, typeName } from '../values/types.ts';
import { Undefined } from '../values/undefined.ts';
import { ascii } from './ascii.ts';
import { exponential, fixed, general } from './float.ts';
import { parseFloatText, parseIntText } from './parse.ts';

/** One conversion of a printf-style format, ready to be done. */
export interface Conversion {
  alternate: boolean;
  zero: boolean;
  left: boolean;
  space: boolean;
  plus: boolean;
  width: number;
  precision: number | undefined;
  type: string;
  /** Position of the type in the format, for errors; counted in characters. */
  index: number;
}

/**
 * Returns the text of a value. When the format is Markup (`escaping`), the text is escaped and numbers are
 * more lenient.
 */
export function convertValue(conversion: Conversion, value: Value, escaping: boolean): string {
  return pad(convert(conversion, value, escaping), conversion);
}

/** A converted value: its sign or prefix, and the rest, so that zeros can be inserted between them. */
interface Converted {
  prefix: string;
  text: string;
  numeric: boolean;
}

function convert(conversion: Conversion, value: Value, escaping: boolean): Converted {
  const { type, precision } = conversion;
  switch (type) {
    case 's':
    case 'r':
    case 'a': {
      const plain = type === 's' ? str(value) : type === 'r' ? repr(value) : ascii(repr(value));
      // Markup escapes inserted values, except those that are markup themselves.
      const text = !escaping ? plain : type === 's' ? escape(value).text : escape(plain).text;
      return { prefix: '', text: cut(text, precision), numeric: false };
    }
    case 'c':
      return { prefix: '', text: character(value, escaping), numeric: false };
    case 'd':
    case 'i':
    case 'u':
      return signed(conversion, decimal(value, type, escaping), '');
    case 'x':
    case 'X':
    case 'o':
      return signed(conversion, radix(value, type, escaping), type);
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
      return floating(conversion, value, escaping);
    default:
      return raise(
        'ValueError',
        `unsupported format character '${printable(type)}' (0x${(type.codePointAt(0) ?? 0).toString(16)}) at index ${conversion.index}`,
      );
  }
}

function printable(char: string): string {
  return char >= ' ' && char <= '~' ? char : '?';
}

function cut(text: string, precision: number | undefined): string {
  if (precision === undefined || text.length <= precision) return text;
  return isPlain(text) ? text.slice(0, precision) : codePoints(text).slice(0, precision).join('');
}

/** The type that Markup passes to its format instead of the value: it converts to int or float only. */
const ESCAPE_HELPER = '_MarkupEscapeHelper';

function character(value: Value, escaping: boolean): string {
  if (!escaping && isString(value)) {
    const text = textOf(value);
    if (textLength(text) === 1) return text;
  } else if (!escaping && (isInteger(value) || typeof value === 'boolean')) {
    const code = Number(value);
    if (code >= 0 && code <= 0x10ffff) return String.fromCodePoint(code);
    raise('OverflowError', '%c arg not in range(0x110000)');
  }
  return raise('TypeError', '%c requires int or char');
}

function decimal(value: Value, type: string, escaping: boolean): string {
  if (value instanceof Undefined) return value.fail();
  if (value instanceof Float) return str(truncate(value.value));
  if (typeof value === 'boolean') return String(Number(value));
  if (isInteger(value)) return str(value);
  if (escaping && isString(value)) {
    const parsed = parseIntText(textOf(value), 10);
    if (parsed !== undefined) return str(integer(parsed));
    raise('ValueError', `invalid literal for int() with base 10: ${repr(value)}`);
  }
  const name = escaping ? ESCAPE_HELPER : typeName(value);
  return raise('TypeError', `%${type} format: a real number is required, not ${name}`);
}

function radix(value: Value, type: string, escaping: boolean): string {
  if (escaping || (!isInteger(value) && typeof value !== 'boolean')) {
    const name = escaping ? ESCAPE_HELPER : typeName(value);
    return raise('TypeError', `%${type} format: an integer is required, not ${name}`);
  }
  const number = typeof value === 'boolean' ? Number(value) : value;
  const text = number.toString(type === 'o' ? 8 : 16);
  return type === 'X' ? text.toUpperCase() : text;
}

/** Splits a whole number into sign (with the prefix of its base) and digits, padded to the precision. */
function signed(conversion: Conversion, text: string, base: string): Converted {
  const negative = text.startsWith('-');
  const digits = (negative ? text.slice(1) : text).padStart(conversion.precision ?? 0, '0');
  const prefix = conversion.alternate && base !== '' ? `0${base}` : '';
  return { prefix: signText(conversion, negative) + prefix, text: digits, numeric: true };
}

function signText(conversion: Conversion, negative: boolean): string {
  if (negative) return '-';
  return conversion.plus ? '+' : conversion.space ? ' ' : '';
}

function real(value: Value, escaping: boolean): number {
  if (value instanceof Undefined) return value.fail();
  if (isNumeric(value)) return toFloat(value);
  if (escaping && isString(value)) {
    const parsed = parseFloatText(textOf(value));
    return parsed ?? raise('ValueError', `could not convert string to float: ${repr(value)}`);
  }
  if (escaping) {
    return raise('TypeError', `float() argument must be a string or a real number, not '${typeName(value)}'`);
  }
  return raise('TypeError', `must be real number, not ${typeName(value)}`);
}

function floating(conversion: Conversion, value: Value, escaping: boolean): Converted {
  const number = real(value, escaping);
  const precision = conversion.precision ?? 6;
  const text = floatText(number, conversion.type, precision, conversion.alternate);
  const negative = text.startsWith('-');
  return {
    prefix: signText(conversion, negative),
    text: negative ? text.slice(1) : text,
    numeric: true,
  };
}

/** A float in one of the types e, f, g (or their capitals). */
export function floatText(value: number, type: string, precision: number, alternate: boolean): string {
  const upper = type === type.toUpperCase();
  let text: string;
  if (!Number.isFinite(value)) text = Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf';
  else if (type === 'f' || type === 'F')
    text = fixed(value, precision) + (alternate && precision === 0 ? '.' : '');
  else if (type === 'e' || type === 'E') text = exponential(value, precision, alternate);
  else text = general(value, precision, alternate);
  return upper ? text.toUpperCase() : text;
}

function pad({ prefix, text, numeric }: Converted, { width, left, zero }: Conversion): string {
  const length = textLength(prefix + text);
  if (length >= width) return prefix + text;
  const missing = width - length;
  if (left) return prefix + text + ' '.repeat(missing);
  if (zero && numeric) return prefix + '0'.repeat(missing) + text;
  return ' '.repeat(missing) + prefix + text;
}
