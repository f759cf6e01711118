import { adjusted, type Decimal, normalized, precision, rounded } from './decimal.ts';
import { fail } from './fault.ts';

/** Patterns of numbers such as `#,##0.00` (UTS 35, part 3), applied as Babel applies them. */

/** The symbols that a locale uses in a pattern. */
export interface NumberSymbols {
  decimal: string;
  group: string;
  exponential: string;
  minus: string;
  plus: string;
  infinity: string;
}

/** Minimum and maximum digits. */
type Range = readonly [least: number, most: number];

interface NumberPattern {
  prefix: readonly [positive: string, negative: string];
  suffix: readonly [positive: string, negative: string];
  /** Number of digits in the last group, and in the groups before it. */
  grouping: readonly [number, number];
  integer: Range;
  fraction: Range;
  exponent: Range | null;
  exponentPlus: boolean;
  significant: boolean;
  hasNumber: boolean;
  /** Power of ten by which the number is multiplied: 2 for per cent, 3 for per mille. */
  scale: number;
}

/** Maximum characters of a pattern. */
const MAX_PATTERN = 200;
// bounded: MAX_PATTERN
const PARTS = /^((?:[^'0-9@#.,]|'[^']*')*)([0-9@#.,E+]*)(.*)$/s;
const UNGROUPED = 1000;

/** Parses a pattern. @throws LocaleError for an invalid pattern */
export function parseNumberPattern(pattern: string): NumberPattern {
  if (pattern.length > MAX_PATTERN) fail('the pattern of a number is too long');
  const semicolon = pattern.indexOf(';');
  const [prefix, number, suffix] = partsOf(semicolon === -1 ? pattern : pattern.slice(0, semicolon));
  const negative = semicolon === -1 ? null : partsOf(pattern.slice(semicolon + 1));
  const [mantissa = '', exponent] = number.split('E', 2);
  if (mantissa.includes('@') && mantissa.includes('.') && mantissa.includes('0')) {
    fail('a pattern of significant digits contains either "@" or "0"');
  }
  const point = mantissa.lastIndexOf('.');
  const integer = point === -1 ? mantissa : mantissa.slice(0, point);
  const affixes = prefix + suffix + (negative?.[0] ?? '') + (negative?.[2] ?? '');
  return {
    prefix: [prefix, negative?.[0] ?? `-${prefix}`],
    suffix: [suffix, negative?.[2] ?? suffix],
    grouping: groupingOf(integer),
    integer: digitsOf(integer),
    fraction: digitsOf(point === -1 ? '' : mantissa.slice(point + 1)),
    exponent: exponent === undefined || exponent === '' ? null : digitsOf(exponent.replace(/^\+/, '')),
    exponentPlus: exponent?.startsWith('+') ?? false,
    significant: pattern.includes('@'),
    hasNumber: mantissa !== '',
    scale: affixes.includes('%') ? 2 : affixes.includes('‰') ? 3 : 0,
  };
}

function partsOf(pattern: string): [prefix: string, number: string, suffix: string] {
  const [, prefix = '', number = '', suffix = ''] = PARTS.exec(pattern) ?? [];
  return [prefix, number, suffix];
}

function groupingOf(integer: string): readonly [number, number] {
  const last = integer.lastIndexOf(',');
  if (last === -1) return [UNGROUPED, UNGROUPED];
  const primary = integer.length - last - 1;
  const before = integer.slice(0, last).lastIndexOf(',');
  // A group without digits would cause an endless loop.
  const size = before === -1 ? primary : last - before - 1;
  if (primary === 0 || size === 0) return fail('a pattern has a group without digits');
  return [primary, size];
}

function digitsOf(part: string): Range {
  let least = 0;
  let most = 0;
  for (const character of part) {
    if (character === '@' || character === '0') least += 1;
    if (character === '@' || character === '0' || character === '#') most += 1;
    else if (character !== ',') break;
  }
  return [least, most];
}

export interface Application {
  symbols: NumberSymbols;
  /** Number of decimals, such as those of a currency; null for those of the pattern. */
  fraction: number | null;
  /** Whether to round to the digits of the pattern. */
  quantize: boolean;
  group: boolean;
}

/** Formats a number by a pattern. The placeholders of a currency (`¤`) remain. */
export function applyPattern(pattern: NumberPattern, value: Decimal, application: Application): string {
  const { symbols, group, quantize, fraction: forced } = application;
  let number = normalized({ ...value, negative: false, exponent: value.exponent + pattern.scale });
  let power = '';
  if (pattern.exponent !== null && !value.infinite) {
    const lead = Math.max(1, Math.min(...pattern.integer)) - 1;
    const exponent = adjusted(number) - lead;
    number = { ...number, exponent: number.exponent - exponent };
    const sign = exponent < 0 ? symbols.minus : pattern.exponentPlus ? symbols.plus : '';
    const [least] = pattern.exponent;
    power =
      symbols.exponential + sign + grouped(String(Math.abs(exponent)).padStart(least, '0'), pattern, symbols);
  }
  const [least, most] = forced === null ? pattern.fraction : [forced, forced];
  const isOpen = !quantize || (pattern.exponent !== null && least === 0 && most === 0);
  const places: Range = [least, isOpen ? Math.max(most, precision(number)) : most];
  const digits = value.infinite
    ? symbols.infinity
    : pattern.significant && pattern.exponent === null
      ? significant(number, pattern, symbols)
      : quantized(number, places, pattern, group, symbols) + power;
  const side = value.negative ? 1 : 0;
  return unquoted(pattern.prefix[side]) + (pattern.hasNumber ? digits : '') + unquoted(pattern.suffix[side]);
}

function quantized(
  value: Decimal,
  [least, most]: Range,
  pattern: NumberPattern,
  group: boolean,
  symbols: NumberSymbols,
): string {
  const [whole, fraction] = rounded(value, most);
  const integer = group ? grouped(whole.padStart(pattern.integer[0], '0'), pattern, symbols) : whole;
  let kept = fraction.length;
  while (kept > least && fraction.charAt(kept - 1) === '0') kept -= 1;
  return kept === 0 ? integer : integer + symbols.decimal + fraction.slice(0, kept);
}

/** Formats by significant digits: `@@#` means at least two and at most three. */
function significant(value: Decimal, pattern: NumberPattern, symbols: NumberSymbols): string {
  const [least, most] = pattern.integer;
  if (value.digits === 0n) return most > 1 ? `0${symbols.decimal}0` : '0';
  const places = most - 1 - adjusted(value);
  const [whole, fraction] =
    places >= 0
      ? rounded(value, places)
      : [rounded({ ...value, exponent: value.exponent + places }, 0)[0] + '0'.repeat(-places), ''];
  // Leading zeros are not significant.
  const leading = whole === '0' ? (/^0*/.exec(fraction)?.[0].length ?? 0) : -whole.length;
  let kept = fraction.length;
  while (kept > Math.max(0, least + leading) && fraction.charAt(kept - 1) === '0') kept -= 1;
  const integer = grouped(whole, pattern, symbols);
  return kept === 0 ? integer : integer + symbols.decimal + fraction.slice(0, kept);
}

function grouped(digits: string, { grouping }: NumberPattern, { group }: NumberSymbols): string {
  let [size] = grouping;
  let rest = digits;
  const groups: string[] = [];
  while (rest.length > size) {
    groups.unshift(rest.slice(-size));
    rest = rest.slice(0, -size);
    [, size] = grouping;
  }
  return [rest, ...groups].join(group);
}

/** Removes the quotes from quoted text in a pattern; two quotes mean one. */
function unquoted(text: string): string {
  return text.replace(/'([^']*)'/g, (_, inside: string) => (inside === '' ? "'" : inside));
}
