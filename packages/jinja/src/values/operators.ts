import { claimList, claimString, scan, step } from '../budget.ts';
import { raise } from '../errors.ts';
import { formatPercent } from '../format/percent.ts';
import { equal } from './compare.ts';
import { Tuple } from './containers.ts';
import { escape } from './escape.ts';
import { iteratorOf } from './iterate.ts';
import * as numbers from './numbers.ts';
import type { Value } from './types.ts';
import { isNumeric, isString, Markup, Obj, textOf, typeName } from './types.ts';
import { Undefined } from './undefined.ts';

export type BinaryOperator = '+' | '-' | '*' | '/' | '//' | '%' | '**';

const NUMERIC: Record<BinaryOperator, (a: numbers.Numeric, b: numbers.Numeric) => Value> = {
  '+': numbers.add,
  '-': numbers.subtract,
  '*': numbers.multiply,
  '/': numbers.divide,
  '//': numbers.floorDivide,
  '%': numbers.modulo,
  '**': numbers.power,
};

/** `a <operator> b` as Python does it. */
export function binary(operator: BinaryOperator, a: Value, b: Value): Value {
  step();
  if (isNumeric(a) && isNumeric(b)) return NUMERIC[operator](a, b);
  if (operator === '%' && isString(a)) {
    // An undefined operand of a str takes over through its own __rmod__; one of Markup is formatted like any
    // other.
    return formatPercent(a, b);
  }
  if (operator === '+') {
    const sum = concatenate(a, b);
    if (sum !== undefined) return sum;
  } else if (operator === '*') {
    const product = repeat(a, b) ?? repeat(b, a);
    if (product !== undefined) return product;
  }
  const own = a instanceof Obj ? a.operate(operator, b, false) : undefined;
  if (own !== undefined) return own;
  const reflected = b instanceof Obj ? b.operate(operator, a, true) : undefined;
  if (reflected !== undefined) return reflected;
  return unsupported(operator, a, b);
}

function unsupported(operator: BinaryOperator, a: Value, b: Value): never {
  // Sequences have more specific error messages than numbers when another type is added.
  if (operator === '+' && typeof a === 'string') {
    raise('TypeError', `can only concatenate str (not "${typeName(b)}") to str`);
  }
  if (operator === '+' && (Array.isArray(a) || a instanceof Tuple)) {
    const own = typeName(a);
    raise('TypeError', `can only concatenate ${own} (not "${typeName(b)}") to ${own}`);
  }
  const sequence = [a, b].find((value) => isSequence(value));
  const other = sequence === a ? b : a;
  if (operator === '*' && (a instanceof Markup || b instanceof Markup)) {
    const factor = a instanceof Markup ? b : a;
    raise('TypeError', `'${typeName(factor)}' object cannot be interpreted as an integer`);
  }
  if (operator === '*' && sequence !== undefined) {
    raise('TypeError', `can't multiply sequence by non-int of type '${typeName(other)}'`);
  }
  const shown = operator === '**' ? '** or pow()' : operator;
  return raise(
    'TypeError',
    `unsupported operand type(s) for ${shown}: '${typeName(a)}' and '${typeName(b)}'`,
  );
}

function isSequence(value: Value): boolean {
  return isString(value) || Array.isArray(value) || value instanceof Tuple;
}

function concatenate(a: Value, b: Value): Value | undefined {
  if (isString(a) && isString(b)) {
    if (a instanceof Markup || b instanceof Markup) {
      const [x, y] = [escape(a).text, escape(b).text];
      claimString(x.length + y.length);
      return new Markup(x + y);
    }
    claimString(a.length + b.length);
    return a + b;
  }
  if (Array.isArray(a) && Array.isArray(b)) {
    claimList(a.length + b.length);
    return a.concat(b);
  }
  if (a instanceof Tuple && b instanceof Tuple) {
    claimList(a.items.length + b.items.length);
    return new Tuple(a.items.concat(b.items));
  }
  return undefined;
}

function repeat(sequence: Value, times: Value): Value | undefined {
  if (typeof times === 'bigint' && isSequence(sequence)) {
    return raise('OverflowError', "cannot fit 'int' into an index-sized integer");
  }
  if (typeof times !== 'number' && typeof times !== 'boolean') return undefined;
  const count = Math.max(0, Number(times));
  if (isString(sequence)) {
    const text = textOf(sequence);
    claimString(text.length * count);
    const repeated = text === '' ? '' : text.repeat(count);
    return sequence instanceof Markup ? new Markup(repeated) : repeated;
  }
  const items = Array.isArray(sequence) ? sequence : sequence instanceof Tuple ? sequence.items : undefined;
  if (items === undefined) return undefined;
  claimList(items.length * count);
  const repeated: Value[] = [];
  for (let i = 0; i < count && items.length > 0; i++) for (const item of items) repeated.push(item);
  return Array.isArray(sequence) ? repeated : new Tuple(repeated);
}

/** `-value` or `+value`. */
export function unary(operator: '-' | '+', value: Value): Value {
  if (value instanceof Undefined) value.fail();
  if (!isNumeric(value)) {
    const own = value instanceof Obj ? value.operate(`unary ${operator}`, value, false) : undefined;
    return own ?? raise('TypeError', `bad operand type for unary ${operator}: '${typeName(value)}'`);
  }
  if (operator === '-') return numbers.negate(value);
  return typeof value === 'boolean' ? Number(value) : value;
}

/** `needle in haystack`. */
export function contains(haystack: Value, needle: Value): boolean {
  if (isString(haystack)) {
    if (!isString(needle)) {
      raise('TypeError', `'in <string>' requires string as left operand, not ${typeName(needle)}`);
    }
    scan(textOf(haystack).length);
    return textOf(haystack).includes(textOf(needle));
  }
  const known = haystack instanceof Obj ? haystack.contains(needle) : undefined;
  if (known !== undefined) return known;
  const next = iteratorOf(haystack);
  if (next === undefined) raise('TypeError', `argument of type '${typeName(haystack)}' is not iterable`);
  for (let item = next(); item !== undefined; item = next()) {
    step();
    if (equal(item, needle)) return true;
  }
  return false;
}
