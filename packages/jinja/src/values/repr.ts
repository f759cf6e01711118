import { claimString, withDepth, spend, step } from '../budget.ts';
import { raise } from '../errors.ts';
import { escapeCode } from '../format/ascii.ts';
import { reprFloat } from '../format/float.ts';
import { bitLength } from './bits.ts';
import type { Value } from './types.ts';
import { Float, Markup, Obj } from './types.ts';

/** Decimal digits beyond which Python refuses to print an integer. */
const MAX_INTEGER_DIGITS = 4300;

/** `str(value)`. */
export function str(value: Value): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      return String(value);
    case 'bigint':
      return integerText(value);
    case 'boolean':
      return value ? 'True' : 'False';
    default:
      if (value === null) return 'None';
      if (value instanceof Float) return reprFloat(value.value);
      if (value instanceof Markup) return value.text;
      if (Array.isArray(value)) return repr(value);
      return value.str();
  }
}

/** `repr(value)`. */
export function repr(value: Value): string {
  step();
  switch (typeof value) {
    case 'string':
      return reprString(value);
    case 'object':
      if (value instanceof Markup) return `Markup(${reprString(value.text)})`;
      if (Array.isArray(value)) return reprSequence(value, value, '[', ']');
      if (value instanceof Obj) return value.repr();
      return str(value);
    default:
      return str(value);
  }
}

/** The digits of a large whole number. */
export function integerText(value: bigint): string {
  // Printing takes more than linear time in the number of digits.
  spend(bitLength(value) >>> 3);
  const text = value.toString();
  if (text.length - (value < 0n ? 1 : 0) > MAX_INTEGER_DIGITS) {
    raise('ValueError', 'Exceeds the limit (4300 digits) for integer string conversion');
  }
  return text;
}

/** Containers that are being printed, to stop at those that contain themselves, as Python does. */
const printing = new Set<object>();

/** Steps for printing a container, besides its elements. */
const CONTAINER_STEPS = 4;

/** Prints the elements of `container` between brackets; `...` if it is already being printed. */
export function reprSequence(container: object, items: Iterable<Value>, open: string, close: string): string {
  return reprNested(container, open, close, () => Array.from(items, repr).join(', '));
}

/** Prints nested content between brackets; `...` if `container` is already being printed. */
export function reprNested(container: object, open: string, close: string, inner: () => string): string {
  spend(CONTAINER_STEPS);
  if (printing.has(container)) return `${open}...${close}`;
  printing.add(container);
  try {
    const text = withDepth(inner);
    claimString(text.length);
    return open + text + close;
  } finally {
    printing.delete(container);
  }
}

const SHORT_ESCAPES: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };
// Everything that is not printable by Python's str.isprintable(): categories "other" and "separator", except
// the space.
const NOT_PRINTABLE = /[\\]|[\p{C}\p{Z}]/gu;

function reprString(text: string): string {
  claimString(text.length);
  spend(text.length >>> 3);
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text.replace(NOT_PRINTABLE, (char) => {
    if (char === ' ') return char;
    const short = SHORT_ESCAPES[char];
    if (short !== undefined) return short;
    const code = char.codePointAt(0) ?? 0;
    return escapeCode(code);
  });
  return quote + (quote === "'" ? escaped.replaceAll("'", "\\'") : escaped) + quote;
}
