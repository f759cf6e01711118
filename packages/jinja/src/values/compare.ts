import { scan, step } from '../budget.ts';
import { raise } from '../errors.ts';
import type { Value } from './types.ts';
import { Float, isNumeric, isString, Obj, textOf, typeName } from './types.ts';
import { Undefined } from './undefined.ts';

/** A numeric value as a JavaScript number or bigint, for comparing. */
function numberOf(value: number | bigint | boolean | Float): number | bigint {
  if (value instanceof Float) return value.value;
  return typeof value === 'boolean' ? Number(value) : value;
}

/** Python's `==`. */
export function equal(a: Value, b: Value): boolean {
  // An undefined value decides the result, on either side.
  if (a instanceof Undefined) return a.equals(b);
  if (b instanceof Undefined) return b.equals(a);
  if (typeof a !== 'string' && a === b) return true;
  if (isString(a)) return isString(b) && sameText(textOf(a), textOf(b));
  if (isNumeric(a) && isNumeric(b)) {
    const [x, y] = [numberOf(a), numberOf(b)];
    // oxlint-disable-next-line eslint/eqeqeq -- only `==` compares a number with a bigint, and it does so exactly
    return x == y;
  }
  if (a instanceof Obj) return a.equals(b);
  if (Array.isArray(a) && Array.isArray(b)) return equalItems(a, b);
  return b instanceof Obj && b.equals(a);
}

function sameText(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  scan(a.length);
  return a === b;
}

/** True if both hold equal elements in the same order. */
export function equalItems(a: Value[], b: Value[]): boolean {
  if (a.length !== b.length) return false;
  return a.every((item, i) => {
    step();
    const other = b[i];
    return other !== undefined && equal(item, other);
  });
}

/** Compares the characters of two strings by code point, as Python does (JavaScript compares UTF-16 units). */
function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  scan(length * 2);
  if (a === b) return 0;
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === y) continue;
    // A surrogate stands for a code point beyond every other UTF-16 unit.
    const xHigh = x >= 0xd800 && x <= 0xdfff;
    const yHigh = y >= 0xd800 && y <= 0xdfff;
    return xHigh === yHigh ? x - y : xHigh ? 1 : -1;
  }
  return a.length - b.length;
}

/** Order of two sequences: that of the first elements that differ, else of the lengths. */
export function compareItems(operator: string, a: Value[], b: Value[]): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    step();
    const [x, y] = [a[i], b[i]];
    if (x === undefined || y === undefined || equal(x, y)) continue;
    return compare(operator, x, y);
  }
  return a.length - b.length;
}

/**
 * Negative, zero or positive as `a` is less than, equal to or greater than `b`; NaN if neither.
 * `operator` (`<`, `<=`, `>`, `>=`) is only for the message when the two cannot be ordered.
 */
export function compare(operator: string, a: Value, b: Value): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (isString(a) && isString(b)) return compareText(textOf(a), textOf(b));
  if (isNumeric(a) && isNumeric(b)) {
    const [x, y] = [numberOf(a), numberOf(b)];
    return x < y ? -1 : x > y ? 1 : Number.isNaN(x) || Number.isNaN(y) ? Number.NaN : 0;
  }
  if (Array.isArray(a) && Array.isArray(b)) return compareItems(operator, a, b);
  const order = a instanceof Obj ? a.compare(b, operator) : undefined;
  if (order !== undefined) return order;
  const reflected = b instanceof Obj ? b.compare(a, operator) : undefined;
  if (reflected !== undefined) return -reflected;
  return raise(
    'TypeError',
    `'${operator}' not supported between instances of '${typeName(a)}' and '${typeName(b)}'`,
  );
}

/** The key under which a dict or a set keeps a value: equal values give the same key. */
export function hashKey(value: Value): unknown {
  switch (typeof value) {
    case 'string':
      scan(value.length);
      // Keys of tuples begin with NUL, so a string that begins with NUL gets another prefix.
      return value.charCodeAt(0) === 0 ? `\0s${value}` : value;
    case 'boolean':
      return Number(value);
    case 'object':
      if (value === null) return null;
      if (value instanceof Float) return Number.isInteger(value.value) ? floatKey(value.value) : value.value;
      if (Array.isArray(value)) return raise('TypeError', "unhashable type: 'list'");
      return value instanceof Obj ? value.hashKey() : hashKey(value.text);
    default:
      return value;
  }
}

/** A whole float has the key of the int it equals. */
function floatKey(value: number): number | bigint {
  return Number.isSafeInteger(value) ? value + 0 : BigInt(value);
}
