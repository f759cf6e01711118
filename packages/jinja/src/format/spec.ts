import { claimString } from '../budget.ts';
import { raise } from '../errors.ts';
import { str } from '../values/repr.ts';
import { codePoints, isPlain, textLength } from '../values/text.ts';
import { toFloat } from '../values/numbers.ts';
import type { Value } from '../values/types.ts';
import { Float, isString, Obj, textOf, typeName } from '../values/types.ts';
import { cached } from './cache.ts';
import { general, reprFloat } from './float.ts';
import { floatText } from './conversions.ts';

/** A parsed format specification: `[[fill]align][sign][z][#][0][width][grouping][.precision][type]`. */
interface Spec {
  fill: string;
  align: string;
  sign: string;
  noNegativeZero: boolean;
  alternate: boolean;
  /** True when a `0` before the width set fill `0` and, by default, align `=`. */
  zeroPadded: boolean;
  width: number;
  grouping: string;
  precision: number | undefined;
  type: string;
}

/** Python's largest size. */
const MAX_NUMBER = 2 ** 63 - 1;
// A fill may itself be one of the aligning characters, so the two-character form is tried first.
const SPEC = /^(?:(.)?([<>=^]))?([-+ ])?(z)?(#)?(0)?(\d+)?([,_])?(?:\.(\d+))?(.)?$/su;

const readSpec = cached((spec: string): Spec | 'bad' => {
  const match = SPEC.exec(spec);
  if (!match) return 'bad';
  const [, fill, align, sign, z, alternate, zero, width, grouping, precision, type] = match;
  // The pattern also matches a digit, a comma and the like as a type.
  if (type !== undefined && /[\d,_.<>=^+\- #]/u.test(type)) return 'bad';
  return {
    fill: fill ?? (zero ? '0' : ' '),
    align: align ?? (zero ? '=' : ''),
    sign: sign ?? '-',
    noNegativeZero: z !== undefined,
    alternate: alternate !== undefined,
    zeroPadded: zero !== undefined,
    width: width === undefined ? 0 : Number(width),
    grouping: grouping ?? '',
    precision: precision === undefined ? undefined : Number(precision),
    type: type ?? '',
  };
});

function parseSpec(text: string, value: Value): Spec {
  const spec = readSpec(text);
  if (spec === 'bad') return badSpec(text, value);
  if (spec.width > MAX_NUMBER || (spec.precision ?? 0) > MAX_NUMBER) {
    raise('ValueError', 'Too many decimal digits in format string');
  }
  claimString(spec.width + (spec.precision ?? 0));
  return spec;
}

function badSpec(spec: string, value: Value): never {
  if (/[,_]{2}/u.test(spec) && /,_|_,/u.test(spec)) raise('ValueError', "Cannot specify both ',' and '_'.");
  if (/\.(?:\D|$)/u.test(spec) && /^(?:.?[<>=^])?[-+ ]?z?#?0?\d*[,_]?\.(?:\D|$)/su.test(spec)) {
    raise('ValueError', 'Format specifier missing precision');
  }
  return raise('ValueError', `Invalid format specifier '${spec}' for object of type '${typeName(value)}'`);
}

/** `format(value, spec)`. */
export function format(value: Value, spec: string): string {
  if (value instanceof Obj) return value.format(spec);
  if (spec === '') return str(value);
  if (typeof value === 'boolean') return formatInteger(Number(value), parseSpec(spec, value), value);
  if (typeof value === 'number' || typeof value === 'bigint') {
    return formatInteger(value, parseSpec(spec, value), value);
  }
  if (value instanceof Float) return formatFloat(value.value, parseSpec(spec, value), value);
  if (isString(value)) return formatString(textOf(value), parseSpec(spec, value), value);
  return raise('TypeError', `unsupported format string passed to ${typeName(value)}.__format__`);
}

function unknownCode(type: string, value: Value): never {
  return raise('ValueError', `Unknown format code '${type}' for object of type '${typeName(value)}'`);
}

function formatString(text: string, spec: Spec, original: Value): string {
  if (spec.type !== '' && spec.type !== 's') unknownCode(spec.type, original);
  if (spec.sign !== '-') {
    const what = spec.sign === ' ' ? 'Space' : 'Sign';
    raise('ValueError', `${what} not allowed in string format specifier`);
  }
  if (spec.noNegativeZero) {
    raise('ValueError', 'Negative zero coercion (z) not allowed in string format specifier');
  }
  if (spec.alternate) raise('ValueError', 'Alternate form (#) not allowed in string format specifier');
  if (spec.align === '=' && !spec.zeroPadded) {
    raise('ValueError', "'=' alignment not allowed in string format specifier");
  }
  if (spec.grouping !== '') raise('ValueError', `Cannot specify '${spec.grouping}' with 's'.`);
  const cut = spec.precision === undefined ? text : firstCharacters(text, spec.precision);
  return align('', cut, { ...spec, align: spec.align === '=' || spec.align === '' ? '<' : spec.align });
}

function firstCharacters(text: string, count: number): string {
  return isPlain(text) ? text.slice(0, count) : codePoints(text).slice(0, count).join('');
}

const RADIX: Record<string, [number, string]> = { b: [2, '0b'], o: [8, '0o'], x: [16, '0x'], X: [16, '0X'] };

function formatInteger(value: number | bigint, spec: Spec, original: Value): string {
  const { type } = spec;
  if (type !== '' && 'eEfFgG%'.includes(type)) return formatFloat(toFloat(value), spec, original);
  if (type !== '' && !'bcdnoxX'.includes(type)) unknownCode(type, original);
  if (spec.precision !== undefined) raise('ValueError', 'Precision not allowed in integer format specifier');
  if (spec.noNegativeZero) {
    raise(
      'ValueError',
      'Negative zero coercion (z) not allowed in format specifier with integer presentation type',
    );
  }
  if (type === 'c') return formatCharacter(value, spec);
  if (spec.grouping === ',' && type !== '' && type !== 'd') {
    raise('ValueError', `Cannot specify ',' with '${type}'.`);
  }
  const [base, prefix] = RADIX[type] ?? [10, ''];
  const size = value < 0 ? -value : value;
  let digits = base === 10 ? str(size) : size.toString(base);
  if (type === 'X') digits = digits.toUpperCase();
  const sign = signOf(value < 0, spec) + (spec.alternate ? prefix : '');
  return align(sign, group(digits, spec, sign.length, base === 10 ? 3 : 4), spec);
}

function formatCharacter(value: number | bigint, spec: Spec): string {
  if (spec.sign !== '-') raise('ValueError', "Sign not allowed with integer format specifier 'c'");
  if (spec.alternate) raise('ValueError', "Alternate form (#) not allowed with integer format specifier 'c'");
  if (value < 0 || value > 0x10ffff) raise('OverflowError', '%c arg not in range(0x110000)');
  return align('', String.fromCodePoint(Number(value)), { ...spec, align: spec.align || '<' });
}

function formatFloat(value: number, spec: Spec, original: Value): string {
  const { type, precision, alternate } = spec;
  if (type !== '' && !'eEfFgGn%'.includes(type)) unknownCode(type, original);
  let text: string;
  if (type === '') text = plainFloat(value, precision, alternate);
  else if (type === 'n') text = floatText(value, 'g', precision ?? 6, alternate);
  else if (type === '%') text = `${floatText(value * 100, 'f', precision ?? 6, alternate)}%`;
  else text = floatText(value, type, precision ?? 6, alternate);
  let negative = text.startsWith('-');
  if (negative) text = text.slice(1);
  if (spec.noNegativeZero && negative && !/[1-9a-z]/iu.test(text.replace(/e.*/iu, ''))) negative = false;
  const sign = signOf(negative, spec);
  const digits = /^\d+/u.exec(text)?.[0] ?? '';
  const rest = text.slice(digits.length);
  const grouped = digits === '' ? '' : group(digits, spec, sign.length + rest.length, 3);
  return align(sign, grouped + rest, spec);
}

/** Returns a float without a type: like `repr`, or like `g` with at least one digit after the point. */
function plainFloat(value: number, precision: number | undefined, alternate: boolean): string {
  if (precision === undefined || !Number.isFinite(value)) return reprFloat(value);
  return general(value, precision, alternate, true);
}

function signOf(negative: boolean, spec: Spec): string {
  if (negative) return '-';
  return spec.sign === '-' ? '' : spec.sign;
}

/** Inserts separators into digits. Zeros that fill the width are grouped like digits. */
function group(digits: string, spec: Spec, otherLength: number, size: number): string {
  const { grouping } = spec;
  if (grouping === '') return digits;
  const separate = (text: string): string => {
    const first = text.length % size;
    const groups = first === 0 ? [] : [text.slice(0, first)];
    for (let i = first; i < text.length; i += size) groups.push(text.slice(i, i + size));
    return groups.join(grouping);
  };
  const grouped = separate(digits);
  if (spec.align !== '=' || spec.fill !== '0') return grouped;
  const width = spec.width - otherLength;
  if (grouped.length >= width) return grouped;
  // The number of digits that gives at least the width; a separator never comes first.
  const wanted = width - Math.floor((width - 1) / (size + 1));
  return separate(digits.padStart(wanted, '0'));
}

/** Fills a text up to the width; `=` inserts the fill between sign and digits. */
function align(sign: string, text: string, spec: Spec): string {
  const length = textLength(sign + text);
  if (length >= spec.width) return sign + text;
  const missing = spec.width - length;
  const fill = (count: number): string => spec.fill.repeat(count);
  switch (spec.align) {
    case '<':
      return sign + text + fill(missing);
    case '=':
      return sign + fill(missing) + text;
    case '^':
      return fill(missing >> 1) + sign + text + fill(missing - (missing >> 1));
    default:
      return fill(missing) + sign + text;
  }
}
