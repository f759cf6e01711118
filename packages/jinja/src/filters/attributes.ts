import { step } from '../budget.ts';
import { raise } from '../errors.ts';
import { getItem } from '../values/attributes.ts';
import { sameKind } from '../values/containers.ts';
import type { Value } from '../values/types.ts';
import { lower } from '../values/methods/casing.ts';
import { isString, textOf } from '../values/types.ts';
import { Undefined } from '../values/undefined.ts';

/** Returns the parts of an attribute such as `address.0.city`; whole numbers are indices. */
function parts(attribute: Value): Value[] {
  if (attribute === null) return [];
  if (!isString(attribute)) return [attribute];
  return textOf(attribute)
    .split('.')
    .map((part) => (/^\p{Nd}+$/u.test(part) ? Number(part) : part));
}

/** Returns strings in lower case, and other values unchanged. */
export function ignoreCase(value: Value): Value {
  return isString(value) ? sameKind(value, lower(textOf(value))) : value;
}

/**
 * Returns a function that looks up an attribute by a template's rules; `otherwise` replaces a missing one.
 */
export function attributeGetter(attribute: Value, otherwise: Value = null): (item: Value) => Value {
  const path = parts(attribute);
  return (item) => {
    let value = item;
    for (const part of path) {
      step();
      value = getItem(value, part);
      if (otherwise !== null && value instanceof Undefined) value = otherwise;
    }
    return value;
  };
}

/** Returns a function that looks up several attributes, separated by commas, as a list to sort by. */
export function multiAttributeGetter(attribute: Value): (item: Value) => Value[] {
  const attributes: Value[] = isString(attribute) ? textOf(attribute).split(',') : [attribute];
  const getters = attributes.map((single) => attributeGetter(single));
  return (item) => getters.map((get) => get(item));
}

/**
 * Returns the key of sorting and comparing filters: an attribute, in lower case unless the filter is
 * case-sensitive.
 */
export function keyGetter(
  attribute: Value,
  caseSensitive: boolean,
  otherwise: Value = null,
): (item: Value) => Value {
  const get = attributeGetter(attribute, otherwise);
  return caseSensitive ? get : (item) => ignoreCase(get(item));
}

/** Returns the name of a filter or test given as an argument. */
export function nameArgument(value: Value, kind: 'filter' | 'test'): string {
  if (isString(value)) return textOf(value);
  if (value instanceof Undefined) {
    return raise(
      'TemplateRuntimeError',
      `No ${kind} named Undefined. (${value.message}; did you forget to quote the callable name?)`,
    );
  }
  return '';
}
