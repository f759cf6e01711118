import { raise } from '../errors.ts';
import { Dict, elementAt } from './containers.ts';
import { DICT_METHODS, LIST_METHODS, TUPLE_METHODS, VIEW_METHODS } from './methods/containers.ts';
import { FLOAT_METHODS, INT_METHODS, numberAttribute } from './methods/numbers.ts';
import { markupMethods, stringMethods } from './methods/strings.ts';
import type { MethodTable } from './native.ts';
import { BoundMethod } from './native.ts';
import { codePoints, isPlain } from './text.ts';
import type { Value } from './types.ts';
import { Float, isInteger, isString, Markup, Obj, shortTypeName, textOf, typeName } from './types.ts';
import { Undefined } from './undefined.ts';

const STRING_METHODS = stringMethods({ getAttribute, getItem });
const MARKUP_METHODS = markupMethods({ getAttribute, getItem });

const OBJECT_METHODS: Readonly<Record<string, MethodTable>> = {
  dict: DICT_METHODS,
  tuple: TUPLE_METHODS,
  _GroupTuple: TUPLE_METHODS,
  'datetime.IsoCalendarDate': TUPLE_METHODS,
  range: TUPLE_METHODS,
  dict_keys: VIEW_METHODS,
};

function methodsOf(value: Value): MethodTable | undefined {
  switch (typeof value) {
    case 'string':
      return STRING_METHODS;
    case 'number':
    case 'bigint':
    case 'boolean':
      return INT_METHODS;
    default:
      if (value === null) return undefined;
      if (Array.isArray(value)) return LIST_METHODS;
      if (value instanceof Float) return FLOAT_METHODS;
      if (value instanceof Markup) return MARKUP_METHODS;
      return OBJECT_METHODS[value.typeName];
  }
}

/** Attributes of every Python object that the sandbox hides. */
const UNSAFE = new Set(
  `__class__ __delattr__ __dir__ __doc__ __eq__ __format__ __ge__ __getattribute__ __getstate__ __gt__ __hash__
  __init__ __init_subclass__ __le__ __lt__ __ne__ __new__ __reduce__ __reduce_ex__ __repr__ __setattr__ __sizeof__
  __str__ __subclasshook__`.split(/\s+/u),
);

/** Special methods of further types, which are hidden as well. */
const SPECIAL =
  /^__(?:add|contains|getitem|iter|len|mul|mod|rmul|rmod|getnewargs|reversed|setitem|delitem|iadd|imul)__$/u;

/** Python's `getattr(value, name)` as the sandbox allows it; undefined if there is no such attribute. */
export function ownAttribute(value: Value, name: string): Value | undefined {
  if (name.charCodeAt(0) === 95 && isUnsafe(value, name)) {
    return new Undefined({
      hint: `access to attribute '${name}' of '${shortTypeName(value)}' object is unsafe.`,
      name,
      object: value,
      kind: 'SecurityError',
    });
  }
  const method = methodsOf(value)?.get(name);
  if (method !== undefined) return new BoundMethod(value, typeName(value), method);
  if (value instanceof Obj) return value.attribute(name);
  return value instanceof Float || isInteger(value) || typeof value === 'boolean'
    ? numberAttribute(value, name)
    : undefined;
}

function isUnsafe(value: Value, name: string): boolean {
  if (UNSAFE.has(name)) return true;
  return SPECIAL.test(name) && (isString(value) || Array.isArray(value) || value instanceof Dict);
}

/** `value.name` in a template: the attribute, else the item, else undefined. */
export function getAttribute(value: Value, name: string): Value {
  if (value instanceof Dict && !DICT_METHODS.has(name)) {
    const item = value.getName(name);
    if (item !== undefined) return item;
  }
  const own = ownAttribute(value, name);
  if (own !== undefined) return own;
  const item = value instanceof Obj ? value.item(name) : undefined;
  return item === undefined ? new Undefined({ object: value, name }) : item;
}

/** `value[key]` in a template: the item, else (for a string) the attribute, else undefined. */
export function getItem(value: Value, key: Value): Value {
  const item = subscript(value, key);
  if (item !== undefined) return item;
  if (isString(key)) {
    const own = ownAttribute(value, textOf(key));
    if (own !== undefined) return own;
  }
  return new Undefined({ object: value, name: key });
}

/** Python's `value[key]`, or undefined where it raises a LookupError or a TypeError. */
function subscript(value: Value, key: Value): Value | undefined {
  if (value instanceof Dict) return isUnhashable(key) ? undefined : value.get(key);
  if (Array.isArray(value)) return elementAt(value, key);
  if (isString(value)) {
    const char = characterAt(textOf(value), key);
    return char !== undefined && value instanceof Markup ? new Markup(char) : char;
  }
  return value instanceof Obj ? value.item(key) : undefined;
}

function isUnhashable(key: Value): boolean {
  return Array.isArray(key) || key instanceof Dict;
}

function characterAt(text: string, key: Value): string | undefined {
  const index = typeof key === 'boolean' ? Number(key) : key;
  if (typeof index !== 'number') return undefined;
  if (isPlain(text)) return text[index < 0 ? index + text.length : index];
  const chars = codePoints(text);
  return chars[index < 0 ? index + chars.length : index];
}

/** Raises Python's error for a value that cannot be called. */
export function notCallable(value: Value): never {
  return raise('TypeError', `'${typeName(value)}' object is not callable`);
}
