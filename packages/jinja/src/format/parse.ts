import { spend } from '../budget.ts';
import { strip } from '../values/methods/splitting.ts';

/** Numbers in text, as Python's `int()` and `float()` read them. */

/** Steps for finding the value of a digit of another script. */
const DIGIT_STEPS = 4;

/** Removes surrounding white space, and converts digits of other scripts to ASCII. */
function clean(text: string): string {
  spend(text.length >>> 1);
  return strip(text, null, 'both').replace(/[^\0-\x7f]/gu, (char) => {
    spend(DIGIT_STEPS);
    return /^\p{Nd}$/u.test(char) ? String(decimalValue(char)) : char;
  });
}

/**
 * Returns a digit's value. Digits of every script come in runs of ten, so it is the distance from the run's
 * zero.
 */
function decimalValue(char: string): number {
  const code = char.codePointAt(0) ?? 0;
  let zero = code;
  while (code - zero < 9 && /^\p{Nd}$/u.test(String.fromCodePoint(zero - 1))) zero--;
  return code - zero;
}

const PREFIXES: Readonly<Record<string, number>> = { '0b': 2, '0o': 8, '0x': 16 };

/** `int(text, base)`, or undefined when it raises a ValueError. */
export function parseIntText(text: string, base: number): bigint | undefined {
  const match = /^([+-]?)(0[bBoOxX](?=_?[\da-zA-Z]))?(_?[\da-zA-Z]+(?:_[\da-zA-Z]+)*)$/u.exec(clean(text));
  if (match === null) return undefined;
  const [, sign = '', prefix = '', digits = ''] = match;
  const prefixBase = PREFIXES[prefix.toLowerCase()];
  let radix = base;
  let body = digits.replaceAll('_', '');
  if (prefix !== '' && (base === 0 || base === prefixBase)) radix = prefixBase ?? base;
  else if (prefix !== '' || digits.startsWith('_')) {
    // `0b1` is also a number of base 16, without any prefix.
    if (digits.startsWith('_') || base === 0) return undefined;
    body = prefix + body;
  }
  if (radix === 0) radix = 10;
  if (radix < 2 || radix > 36) return undefined;
  if (base === 0 && prefix === '' && /^0+[1-9]/u.test(body)) return undefined;
  const value = digitsValue(body.toLowerCase(), radix);
  return value !== undefined && sign === '-' ? -value : value;
}

function digitsValue(digits: string, radix: number): bigint | undefined {
  if (digits.length > 4300) return undefined;
  if (radix === 10) return /^\d+$/u.test(digits) ? BigInt(digits) : undefined;
  // Each digit multiplies all digits before it.
  spend((digits.length ** 2) >>> 8);
  let value = 0n;
  for (const char of digits) {
    const digit = Number.parseInt(char, 36);
    if (Number.isNaN(digit) || digit >= radix) return undefined;
    value = value * BigInt(radix) + BigInt(digit);
  }
  return value;
}

const FLOAT = /^[+-]?(?:(?:\d+(?:_\d+)*)?\.\d+(?:_\d+)*|\d+(?:_\d+)*\.?)(?:[eE][+-]?\d+(?:_\d+)*)?$/u;

/** `float(text)`, or undefined when it raises a ValueError. */
export function parseFloatText(text: string): number | undefined {
  const cleaned = clean(text);
  const special = /^([+-]?)(?:(inf(?:inity)?)|nan)$/iu.exec(cleaned);
  if (special !== null) {
    if (special[2] === undefined) return Number.NaN;
    return special[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }
  return FLOAT.test(cleaned) ? Number(cleaned.replaceAll('_', '')) : undefined;
}
