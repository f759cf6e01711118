import { compare, equal, hashKey } from './values/compare.ts';
import { Dict } from './values/containers.ts';
import { hasHtml } from './values/escape.ts';
import { iteratorOf, lengthOf } from './values/iterate.ts';
import { isLower, isUpper } from './values/methods/casing.ts';
import { native, nativeAt } from './values/native.ts';
import { binary, contains } from './values/operators.ts';
import { str } from './values/repr.ts';
import type { Callable, Markup, Value } from './values/types.ts';
import { Float, isInteger, isNumeric, isString, Obj, textOf } from './values/types.ts';
import { Undefined } from './values/undefined.ts';

function isSequence(value: Value): boolean {
  if (value instanceof Undefined) return value.policy !== 'strict';
  if (isString(value) || Array.isArray(value)) return true;
  return value instanceof Obj && value.subscriptable && lengthOf(value) !== undefined;
}

function isIterable(value: Value): boolean {
  if (value instanceof Undefined) return value.policy !== 'strict';
  return iteratorOf(value) !== undefined;
}

/** Returns whether a value can be a name in a dict; like Python, it fails for unhashable values. */
function isKey(value: Value): value is string | Markup {
  hashKey(value);
  return isString(value);
}

const TABLE: Record<string, Callable> = {
  odd: native('test_odd(value)', (value) => equal(binary('%', value, 2), 1)),
  even: native('test_even(value)', (value) => equal(binary('%', value, 2), 0)),
  divisibleby: native('test_divisibleby(value, num)', (value, num) => equal(binary('%', value, num), 0)),
  defined: native('test_defined(value)', (value) => !(value instanceof Undefined)),
  undefined: native('test_undefined(value)', (value) => value instanceof Undefined),
  filter: nativeAt(
    'test_filter(env, value)',
    (site, value) => isKey(value) && site.filters.has(textOf(value)),
  ),
  test: nativeAt('test_test(env, value)', (site, value) => isKey(value) && site.tests.has(textOf(value))),
  none: native('test_none(value)', (value) => value === null),
  boolean: native('test_boolean(value)', (value) => typeof value === 'boolean'),
  false: native('test_false(value)', (value) => value === false),
  true: native('test_true(value)', (value) => value === true),
  integer: native('test_integer(value)', (value) => isInteger(value)),
  float: native('test_float(value)', (value) => value instanceof Float),
  lower: native('test_lower(value)', (value) => isLower(str(value))),
  upper: native('test_upper(value)', (value) => isUpper(str(value))),
  string: native('test_string(value)', (value) => isString(value)),
  mapping: native('test_mapping(value)', (value) => value instanceof Dict),
  number: native('test_number(value)', (value) => isNumeric(value)),
  sequence: native('test_sequence(value)', (value) => isSequence(value)),
  iterable: native('test_iterable(value)', (value) => isIterable(value)),
  callable: native('callable(obj, /)', (value) => value instanceof Obj && value.callable),
  // Numbers and strings of equal value are the same object here, as they mostly are in CPython.
  sameas: native('test_sameas(value, other)', (value, other) => value === other),
  escaped: native('test_escaped(value)', (value) => hasHtml(value)),
  in: native('test_in(value, seq)', (value, sequence) => contains(sequence, value)),
  eq: native('eq(a, b, /)', (a, b) => equal(a, b)),
  ne: native('ne(a, b, /)', (a, b) => !equal(a, b)),
  gt: native('gt(a, b, /)', (a, b) => compare('>', a, b) > 0),
  ge: native('ge(a, b, /)', (a, b) => compare('>=', a, b) >= 0),
  lt: native('lt(a, b, /)', (a, b) => compare('<', a, b) < 0),
  le: native('le(a, b, /)', (a, b) => compare('<=', a, b) <= 0),
};

const ALIASES: Record<string, keyof typeof TABLE> = {
  '==': 'eq',
  equalto: 'eq',
  '!=': 'ne',
  '>': 'gt',
  greaterthan: 'gt',
  '>=': 'ge',
  '<': 'lt',
  lessthan: 'lt',
  '<=': 'le',
};

/** Jinja2's tests by name. */
export const TESTS: ReadonlyMap<string, Callable> = new Map([
  ...Object.entries(TABLE),
  ...Object.entries(ALIASES).flatMap(([alias, name]): [string, Callable][] => {
    const test = TABLE[name];
    return test === undefined ? [] : [[alias, test]];
  }),
]);
