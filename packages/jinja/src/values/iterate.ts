import { claimList, step } from '../budget.ts';
import { raise } from '../errors.ts';
import { nextOf } from './containers.ts';
import { codePoints, textLength } from './text.ts';
import type { Next, Value } from './types.ts';
import { Float, isString, Obj, textOf, typeName } from './types.ts';

/** `iter(value)`, or undefined if it is not iterable. */
export function iteratorOf(value: Value): Next | undefined {
  if (Array.isArray(value)) return nextOf(value);
  if (isString(value)) return nextOf(codePoints(textOf(value)));
  return value instanceof Obj ? value.iterate() : undefined;
}

/** `iter(value)`; a TypeError if it is not iterable. */
export function iterate(value: Value): Next {
  return iteratorOf(value) ?? raise('TypeError', `'${typeName(value)}' object is not iterable`);
}

/** `list(value)`: always a new array. */
export function toList(value: Value): Value[] {
  const length = lengthOf(value);
  if (length !== undefined) claimList(length);
  if (Array.isArray(value)) return value.slice();
  const next = iterate(value);
  const items: Value[] = [];
  for (let item = next(); item !== undefined; item = next()) {
    step();
    items.push(item);
    if (length === undefined && (items.length & 1023) === 0) claimList(items.length);
  }
  return items;
}

/** `len(value)`, or undefined if it has none. */
export function lengthOf(value: Value): number | undefined {
  if (Array.isArray(value)) return value.length;
  if (isString(value)) return textLength(textOf(value));
  return value instanceof Obj ? value.length() : undefined;
}

/** `len(value)`; a TypeError if it has none. */
export function length(value: Value): number {
  return lengthOf(value) ?? raise('TypeError', `object of type '${typeName(value)}' has no len()`);
}

/** Python's truth of a value. */
export function truthy(value: Value): boolean {
  switch (typeof value) {
    case 'boolean':
      return value;
    case 'string':
      return value !== '';
    case 'number':
      return value !== 0;
    case 'bigint':
      return value !== 0n;
    default:
      if (value === null) return false;
      if (Array.isArray(value)) return value.length > 0;
      if (value instanceof Float) return value.value !== 0;
      if (value instanceof Obj) return value.truthy();
      return value.text !== '';
  }
}
