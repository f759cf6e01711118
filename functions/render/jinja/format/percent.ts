import { claimString } from '../budget.ts';
import { raise } from '../errors.ts';
import { Dict, Tuple } from '../values/containers.ts';
import { escape } from '../values/escape.ts';
import { toFloat, truncate } from '../values/numbers.ts';
import { repr, str } from '../values/repr.ts';
import { codePoints, isPlain } from '../values/text.ts';
import type { Value } from '../values/types.ts';
import {
  Float,
  integer,
  isInteger,
  isNumeric,
  isString,
  Markup,
  Obj,
  textOf,
  typeName,
} from '../values/types.ts';
import { Undefined } from '../values/undefined.ts';
import { exponential, fixed, general } from './float.ts';
import { parseFloatText, parseIntText } from './parse.ts';

/** One conversion of a printf-style format, as it was parsed. */
interface Conversion {
  alternate: boolean;
  zero: boolean;
  left: boolean;
  space: boolean;
  plus: boolean;
  width: number;
  precision: number | undefined;
  type: string;
}

/** Gives the arguments of a format one after the other, or by name. */
class Arguments {
  readonly #values: Value[];
  readonly #mapping: Value | undefined;
  readonly #single: boolean;
  #used = 0;

  constructor(value: Value) {
    this.#single = !(value instanceof Tuple);
    this.#values = value instanceof Tuple ? value.items : [value];
    const isMapping = !(value instanceof Tuple) && !isString(value) && isSubscriptable(value);
    this.#mapping = isMapping ? value : undefined;
  }

  next(): Value {
    const value = this.#values[this.#used++];
    return value === undefined ? raise('TypeError', 'not enough arguments for format string') : value;
  }

  named(name: string): Value {
    if (this.#mapping === undefined) raise('TypeError', 'format requires a mapping');
    this.#used = this.#values.length;
    if (!(this.#mapping instanceof Dict)) raise('TypeError', 'format requires a mapping');
    const value = this.#mapping.get(name);
    return value === undefined ? raise('KeyError', repr(name)) : value;
  }

  finish(): void {
    if (this.#used >= this.#values.length) return;
    // A mapping may be left unused.
    if (this.#single && this.#mapping !== undefined) return;
    raise('TypeError', 'not all arguments converted during string formatting');
  }
}

function isSubscriptable(value: Value): boolean {
  return Array.isArray(value) || (value instanceof Obj && value.subscriptable);
}

/** `format % argument`. Where the format is Markup, what is inserted is escaped. */
export function formatPercent(format: string | Markup, argument: Value): string | Markup {
  const values = new Arguments(argument);
  const escaping = format instanceof Markup;
  const text = textOf(format);
  let result = '';
  let at = 0;
  for (let percent = text.indexOf('%'); percent !== -1; percent = text.indexOf('%', at)) {
    result += text.slice(at, percent);
    const reader = new FormatReader(text, percent + 1);
    const piece = reader.read(values, escaping);
    at = reader.at;
    claimString(result.length + piece.length);
    result += piece;
  }
  result += text.slice(at);
  values.finish();
  return escaping ? new Markup(result) : result;
}

/** Reads one conversion, beginning after its `%`. */
class FormatReader {
  readonly #text: string;
  at: number;

  constructor(text: string, at: number) {
    this.#text = text;
    this.at = at;
  }

  #char(): string {
    return this.#text[this.at] ?? raise('ValueError', 'incomplete format');
  }

  read(values: Arguments, escaping: boolean): string {
    let value: Value | undefined;
    if (this.#char() === '(') value = values.named(this.#name());
    const conversion = this.#conversion(values);
    if (conversion.type === '%') return '%';
    if (value === undefined) value = values.next();
    return pad(convert(conversion, value, escaping, this.#text, this.at - 1), conversion);
  }

  #name(): string {
    const start = ++this.at;
    for (let depth = 1; ; this.at++) {
      const char = this.#text[this.at];
      if (char === undefined) raise('ValueError', 'incomplete format key');
      if (char === '(') depth++;
      if (char === ')' && --depth === 0) break;
    }
    return this.#text.slice(start, this.at++);
  }

  #conversion(values: Arguments): Conversion {
    const flags = new Set<string>();
    while ('#0- +'.includes(this.#char())) flags.add(this.#text[this.at++] ?? '');
    let width = this.#number(values, 'width') ?? 0;
    if (width < 0) {
      flags.add('-');
      width = -width;
    }
    let precision: number | undefined;
    if (this.#char() === '.') {
      this.at++;
      precision = Math.max(0, this.#number(values, 'precision') ?? 0);
    }
    if ('hlL'.includes(this.#char())) this.at++;
    const type = this.#char();
    this.at++;
    return {
      alternate: flags.has('#'),
      zero: flags.has('0'),
      left: flags.has('-'),
      space: flags.has(' '),
      plus: flags.has('+'),
      width,
      precision,
      type,
    };
  }

  #number(values: Arguments, what: string): number | undefined {
    if (this.#char() === '*') {
      this.at++;
      const value = values.next();
      if (typeof value !== 'number') raise('TypeError', '* wants int');
      claimString(Math.abs(value));
      return value;
    }
    const start = this.at;
    while (/[0-9]/u.test(this.#char())) this.at++;
    if (this.at === start) return undefined;
    const number = Number(this.#text.slice(start, this.at));
    if (number > 2 ** 31 - 1) raise('ValueError', `${what} too big`);
    return claimString(number);
  }
}

/** A converted value: its sign or prefix, and the rest, so that zeros can go between. */
interface Converted {
  prefix: string;
  text: string;
  numeric: boolean;
}

function convert(
  conversion: Conversion,
  value: Value,
  escaping: boolean,
  format: string,
  index: number,
): Converted {
  const { type, precision } = conversion;
  switch (type) {
    case 's':
    case 'r':
    case 'a': {
      const plain = type === 's' ? str(value) : type === 'r' ? repr(value) : ascii(repr(value));
      // Markup escapes what it inserts; a value that is markup itself stays.
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
        `unsupported format character '${printable(type)}' (0x${(type.codePointAt(0) ?? 0).toString(16)}) at index ${Array.from(format.slice(0, index)).length}`,
      );
  }
}

function printable(char: string): string {
  return char >= ' ' && char <= '~' ? char : '?';
}

function ascii(text: string): string {
  return text.replace(/[^\0-\x7f]/gu, (char) => {
    const code = char.codePointAt(0) ?? 0;
    if (code <= 0xff) return `\\x${code.toString(16).padStart(2, '0')}`;
    return code <= 0xffff
      ? `\\u${code.toString(16).padStart(4, '0')}`
      : `\\U${code.toString(16).padStart(8, '0')}`;
  });
}

function cut(text: string, precision: number | undefined): string {
  if (precision === undefined || text.length <= precision) return text;
  return isPlain(text) ? text.slice(0, precision) : codePoints(text).slice(0, precision).join('');
}

/** What Markup hands to its format instead of the value: it can become an int or a float, and nothing else. */
const ESCAPE_HELPER = '_MarkupEscapeHelper';

function character(value: Value, escaping: boolean): string {
  if (!escaping && isString(value)) {
    const text = textOf(value);
    if (Array.from(text).length === 1) return text;
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
  const length = Array.from(prefix + text).length;
  if (length >= width) return prefix + text;
  const missing = width - length;
  if (left) return prefix + text + ' '.repeat(missing);
  if (zero && numeric) return prefix + '0'.repeat(missing) + text;
  return ' '.repeat(missing) + prefix + text;
}
