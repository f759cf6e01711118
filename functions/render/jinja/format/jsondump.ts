import { claimString, deeper, spend, step } from '../budget.ts';
import { raise } from '../errors.ts';
import { Dict, Tuple } from '../values/containers.ts';
import { sortValues } from '../values/sort.ts';
import { repr, str } from '../values/repr.ts';
import type { Value } from '../values/types.ts';
import { Float, isString, Obj, shortTypeName, textOf, typeName } from '../values/types.ts';

/** `json.dumps(value, sort_keys=True, indent=indent)`: ASCII only, spaces after commas and colons. */
export function dumpJson(value: Value, indent: Value): string {
  const unit = isString(indent)
    ? textOf(indent)
    : typeof indent === 'number'
      ? ' '.repeat(claimString(Math.max(0, indent)))
      : undefined;
  return dump(value, unit, '\n', new Set());
}

function dump(value: Value, unit: string | undefined, newline: string, open: Set<object>): string {
  step();
  if (value === null) return 'null';
  if (typeof value === 'boolean') return String(value);
  if (isString(value)) return dumpString(textOf(value));
  if (value instanceof Float) return dumpFloat(value.value);
  if (typeof value === 'number' || typeof value === 'bigint') return str(value);
  if (Array.isArray(value))
    return nested(value, unit, newline, open, ['[', ']'], (inner) => dumpItems(value, inner));
  if (value instanceof Tuple) {
    return nested(value, unit, newline, open, ['[', ']'], (inner) => dumpItems(value.items, inner));
  }
  if (value instanceof Dict)
    return nested(value, unit, newline, open, ['{', '}'], (inner) => dumpEntries(value, inner));
  // Flask writes dates as HTTP does and objects that are markup as their text.
  const text = value instanceof Obj ? value.json() : undefined;
  if (text !== undefined) return dumpString(text);
  return raise('TypeError', `Object of type ${shortTypeName(value)} is not JSON serializable`);
}

type Inner = (value: Value) => string;

function nested(
  container: object,
  unit: string | undefined,
  newline: string,
  open: Set<object>,
  brackets: readonly [string, string],
  parts: (inner: Inner) => string[],
): string {
  if (open.has(container)) raise('ValueError', 'Circular reference detected');
  open.add(container);
  const deeperNewline = unit === undefined ? newline : newline + unit;
  const texts = deeper(() => parts((value) => dump(value, unit, deeperNewline, open)));
  open.delete(container);
  const [start, end] = brackets;
  if (texts.length === 0) return start + end;
  const text =
    unit === undefined
      ? `${start}${texts.join(', ')}${end}`
      : `${start}${deeperNewline}${texts.join(`,${deeperNewline}`)}${newline}${end}`;
  claimString(text.length);
  return text;
}

function dumpItems(items: readonly Value[], inner: Inner): string[] {
  return items.map(inner);
}

function dumpEntries(dict: Dict, inner: Inner): string[] {
  const pairs = sortValues(
    Array.from(dict.entries(), (entry) => new Tuple(entry)),
    (pair) => pair,
    false,
  );
  return pairs.map((pair) => {
    const [key = null, value = null] = pair instanceof Tuple ? pair.items : [];
    return `${dumpString(keyText(key))}: ${inner(value)}`;
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
