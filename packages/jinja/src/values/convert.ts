import { claimString, step } from '../budget.ts';
import { DateTime } from './datetime.ts';
import { Dict, Tuple } from './containers.ts';
import { toList } from './iterate.ts';
import { str } from './repr.ts';
import type { Callable, Value } from './types.ts';
import { Float, isString, Markup, Obj, textOf } from './types.ts';

/** A filter in plain JavaScript: the value, then the arguments, then named arguments as one object if there are any. */
export type JsFilter = (value: unknown, ...args: unknown[]) => unknown;

/**
 * Converts a JavaScript value to a Python value: whole numbers become int, others float, plain objects dicts
 * (their own enumerable properties only), undefined None. Functions and instances of classes are refused.
 */
export function fromJs(value: unknown): Value {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'bigint':
      return value;
    case 'number':
      return Number.isSafeInteger(value) && !Object.is(value, -0) ? value : new Float(value);
    case 'undefined':
      return null;
    case 'object':
      return fromObject(value);
    default:
      throw new TypeError(`a ${typeof value} cannot be a value of a template`);
  }
}

function fromObject(value: object | null): Value {
  if (value instanceof Date) return DateTime.fromDate(value);
  if (value === null || value instanceof Float || value instanceof Markup || value instanceof Obj)
    return value;
  if (Array.isArray(value)) return value.map(fromJs);
  if (value instanceof Map)
    return Dict.from(Array.from(value, ([key, item]) => [fromJs(key), fromJs(item)] as const));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new TypeError('only plain objects can be values of a template');
  }
  return Dict.from(Object.entries(value).map(([key, item]) => [key, fromJs(item)] as const));
}

/**
 * Converts a Python value to a JavaScript value: int and float become numbers (large ints bigints), lists and
 * tuples arrays, dicts objects without a prototype. Markup stays Markup; any other value becomes its text.
 */
export function toJs(value: Value): unknown {
  step();
  if (value instanceof Float) return value.value;
  if (Array.isArray(value)) return value.map(toJs);
  if (value instanceof Tuple) return value.items.map(toJs);
  if (value instanceof Dict) {
    const object = Object.create(null) as Record<string, unknown>;
    for (const [key, item] of value.entries()) object[str(key)] = toJs(item);
    return object;
  }
  if (value instanceof Obj)
    return value.iterate() === undefined || value.callable ? str(value) : toList(value).map(toJs);
  return value;
}

/** Converts a filter in plain JavaScript to a filter of the interpreter, which counts what it reads and makes. */
export function filterFromJs(filter: JsFilter): Callable {
  return {
    call: (args, kwargs) => {
      const [value, ...rest] = args.map(toJs);
      if (kwargs.size > 0)
        rest.push(Object.fromEntries(Array.from(kwargs, ([name, item]) => [name, toJs(item)])));
      const made = fromJs(filter(value, ...rest));
      if (isString(made)) claimString(textOf(made).length);
      return made;
    },
  };
}
