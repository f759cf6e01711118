import { claimString, withDepth, spend, step } from '../budget.ts';
import { raise } from '../errors.ts';
import { Dict, Tuple } from '../values/containers.ts';
import { sortValues } from '../values/sort.ts';
import { repr, str } from '../values/repr.ts';
import type { Obj, Value } from '../values/types.ts';
import { Float, isString, shortTypeName, textOf, typeName } from '../values/types.ts';

/** Returns the text for an object that JSON cannot represent; undefined if there is none. */
export type JsonFallback = (value: Obj) => string | undefined;

/** `json.dumps(value, sort_keys=True, indent=indent)`: ASCII only, spaces after commas and colons. */
export function dumpJson(value: Value, indent: Value, fallback: JsonFallback = () => undefined): string {
  const unit = isString(indent)
    ? textOf(indent)
    : typeof indent === 'number' || typeof indent === 'boolean'
      ? ' '.repeat(claimString(Math.max(0, Number(indent))))
      : undefined;
  return new Dumper(unit, fallback).dump(value, '\n');
}

class Dumper {
  /** The indent of one level; undefined for JSON on one line. */
  readonly #unit: string | undefined;
  readonly #fallback: JsonFallback;
  readonly #open = new Set<object>();

  constructor(unit: string | undefined, fallback: JsonFallback) {
    this.#unit = unit;
    this.#fallback = fallback;
  }

  dump(value: Value, newline: string): string {
    step();
    if (value === null) return 'null';
    if (typeof value === 'boolean') return String(value);
    if (isString(value)) return dumpString(textOf(value));
    if (value instanceof Float) return dumpFloat(value.value);
    if (typeof value === 'number' || typeof value === 'bigint') return str(value);
    if (Array.isArray(value)) return this.#items(value, value, newline);
    if (value instanceof Tuple) return this.#items(value, value.items, newline);
    if (value instanceof Dict) return this.#entries(value, newline);
    const text = this.#fallback(value);
    if (text !== undefined) return dumpString(text);
    return raise('TypeError', `Object of type ${shortTypeName(value)} is not JSON serializable`);
  }

  #items(container: object, items: readonly Value[], newline: string): string {
    return this.#nested(container, newline, '[]', (inner) => items.map((item) => this.dump(item, inner)));
  }

  #entries(dict: Dict, newline: string): string {
    return this.#nested(dict, newline, '{}', (inner) =>
      sortedEntries(dict).map(([key, value]) => `${dumpString(keyText(key))}: ${this.dump(value, inner)}`),
    );
  }

  #nested(
    container: object,
    newline: string,
    brackets: string,
    parts: (newline: string) => string[],
  ): string {
    if (this.#open.has(container)) raise('ValueError', 'Circular reference detected');
    this.#open.add(container);
    const inner = this.#unit === undefined ? newline : newline + this.#unit;
    const texts = withDepth(() => parts(inner));
    this.#open.delete(container);
    if (texts.length === 0) return brackets;
    const joint = this.#unit === undefined ? ', ' : `,${inner}`;
    claimString(texts.reduce((sum, text) => sum + text.length + joint.length, inner.length));
    const body = this.#unit === undefined ? texts.join(joint) : inner + texts.join(joint) + newline;
    return brackets.charAt(0) + body + brackets.charAt(1);
  }
}

function sortedEntries(dict: Dict): [Value, Value][] {
  const pairs = Array.from(dict.entries(), (entry) => new Tuple(entry));
  return sortValues(pairs, (pair) => pair, false).map((pair) => {
    const [key = null, value = null] = pair instanceof Tuple ? pair.items : [];
    return [key, value];
  });
}

function keyText(key: Value): string {
  if (isString(key)) return textOf(key);
  if (key instanceof Float) return dumpFloat(key.value);
  if (key === null) return 'null';
  if (typeof key === 'boolean') return String(key);
  if (typeof key === 'number' || typeof key === 'bigint') return str(key);
  return raise('TypeError', `keys must be str, int, float, bool or None, not ${typeName(key)}`);
}

function dumpFloat(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : '-Infinity';
  return repr(new Float(value));
}

function dumpString(text: string): string {
  claimString(text.length);
  spend(text.length >>> 4);
  return JSON.stringify(text).replace(
    // oxlint-disable-next-line eslint/no-control-regex -- DEL is a character like others to JSON.stringify
    /[\x7f-\uffff]/g,
    (unit) => (unit === '\x7f' ? unit : `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}
