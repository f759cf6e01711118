import { raise } from '../errors.ts';

/**
 * Python's values, as this package holds them:
 * `None` null · `bool` boolean · `int` number while it is a safe integer, else bigint · `float` Float ·
 * `str` string · `Markup` Markup · `list` array · everything else an Obj.
 *
 * Nothing of the host is ever a value: no plain object, no function, no prototype can be reached from a template.
 */
export type Value = null | boolean | number | bigint | string | Float | Markup | Value[] | Obj;

/** Returns the next element, or undefined after the last one. */
export type Next = () => Value | undefined;

/** Keyword arguments of a call. */
export type Kwargs = ReadonlyMap<string, Value>;

export const NO_KWARGS: Kwargs = new Map();

/** The facts about its call site that a callable may use. */
export interface CallSite {
  /** Whether output is escaped there. */
  readonly autoescape: boolean;
  readonly filters: Registry;
  readonly tests: Registry;
  /** The line break of the template, see `Syntax.newlineSequence`. */
  readonly newline: string;
  /** Returns a variable of the template; an undefined value when it does not exist. */
  lookup(name: string): Value;
}

/** Filters or tests by name. */
export type Registry = ReadonlyMap<string, Callable>;

/** Something a template can call. */
export interface Callable {
  call(args: Value[], kwargs: Kwargs, site: CallSite): Value;
}

/** A Python `float`. It is a separate class, because `10 / 5` prints `2.0` and `10 // 5` prints `2`. */
export class Float {
  readonly value: number;
  constructor(value: number) {
    this.value = value;
  }
}

/** A `markupsafe.Markup`: text that must not be escaped again. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Every other Python object. The defaults are those of a plain object: no length, no items, true. */
export abstract class Obj {
  /** Name of the Python type, e.g. `dict`. */
  abstract readonly typeName: string;
  /** Module of the Python type; types outside `builtins` are named with it in messages. */
  get module(): string {
    return 'builtins';
  }

  repr(): string {
    const qualified = this.module === 'builtins' ? this.typeName : `${this.module}.${this.typeName}`;
    return `<${qualified} object>`;
  }

  str(): string {
    return this.repr();
  }

  /** The result of `__html__`, if the type has it: text to insert without escaping. */
  html(): string | undefined {
    return undefined;
  }

  truthy(): boolean {
    const length = this.length();
    return length === undefined || length > 0;
  }

  /** Python's `len()`, or undefined if the type has none. */
  length(): number | undefined {
    return undefined;
  }

  /** Python's `iter()`, or undefined if the type is not iterable. */
  iterate(): Next | undefined {
    return undefined;
  }

  /** Whether `reversed()` works on it. */
  get reversible(): boolean {
    return false;
  }

  /** Python's `getattr()`, or undefined if there is no such attribute. */
  attribute(_name: string): Value | undefined {
    return undefined;
  }

  /** The names by which a template can reach its values. */
  keyNames(): Iterable<string> {
    return [];
  }

  /** Python's `obj[key]`, or undefined when Python raises a LookupError or a TypeError. */
  item(_key: Value): Value | undefined {
    return undefined;
  }

  /** Whether the type has `__getitem__` at all. */
  get subscriptable(): boolean {
    return false;
  }

  /** Python's `in`, or undefined if the type only offers iteration. */
  contains(_value: Value): boolean | undefined {
    return undefined;
  }

  equals(other: Value): boolean {
    return this === other;
  }

  /** Negative, zero or positive; undefined if the two cannot be ordered. */
  compare(_other: Value, _operator: string): number | undefined {
    return undefined;
  }

  /** The key under which a dict stores it: equal values have identical keys. Throws for unhashable types. */
  hashKey(): unknown {
    return this;
  }

  /** A binary operator; undefined if the type does not support it with that operand. */
  operate(_operator: string, _other: Value, _reflected: boolean): Value | undefined {
    return undefined;
  }

  /** `format(self, spec)`. */
  format(spec: string): string {
    if (spec === '') return this.str();
    return raise('TypeError', `unsupported format string passed to ${this.typeName}.__format__`);
  }

  get callable(): boolean {
    return false;
  }

  call(_args: Value[], _kwargs: Kwargs, _site: CallSite): Value {
    return raise('TypeError', `'${this.typeName}' object is not callable`);
  }
}

export function isString(value: Value | undefined): value is string | Markup {
  return typeof value === 'string' || value instanceof Markup;
}

/** The characters of a `str` or `Markup`. */
export function textOf(value: string | Markup): string {
  return typeof value === 'string' ? value : value.text;
}

/** An `int` that is not a `bool`. */
export function isInteger(value: Value | undefined): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** Returns whether a value is a Python number: int, float, bool. */
export function isNumeric(value: Value | undefined): value is number | bigint | boolean | Float {
  return (
    typeof value === 'number' ||
    value instanceof Float ||
    typeof value === 'boolean' ||
    typeof value === 'bigint'
  );
}

/** An `int` as this package holds it: number while safe, else bigint. */
export function integer(value: bigint): number | bigint {
  return value >= -9007199254740991n && value <= 9007199254740991n ? Number(value) : value;
}

/** Returns the name of a value's type in messages. */
export function typeName(value: Value): string {
  switch (typeof value) {
    case 'string':
      return 'str';
    case 'number':
    case 'bigint':
      return 'int';
    case 'boolean':
      return 'bool';
    default:
      if (value === null) return 'NoneType';
      if (value instanceof Float) return 'float';
      if (value instanceof Markup) return 'Markup';
      if (Array.isArray(value)) return 'list';
      return value.typeName;
  }
}

/**
 * Returns `type(value).__name__`, for messages without the module: types written in C have it in their name.
 */
export function shortTypeName(value: Value): string {
  const name = typeName(value);
  return name.slice(name.lastIndexOf('.') + 1);
}

/** Returns Jinja2's name of an object in messages: `dict object`, `None`, `markupsafe.Markup object`. */
export function objectTypeRepr(value: Value): string {
  if (value === null) return 'None';
  if (value instanceof Markup) return 'markupsafe.Markup object';
  if (value instanceof Obj && value.module !== 'builtins') return `${value.module}.${value.typeName} object`;
  return `${typeName(value)} object`;
}
