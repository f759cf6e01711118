import { claimList } from '../budget.ts';
import { raise } from '../errors.ts';
import { Dict, Tuple } from './containers.ts';
import { Range } from './range.ts';
import { codePoints, isPlain } from './text.ts';
import type { Value } from './types.ts';
import { isString, Markup, textOf, typeName } from './types.ts';
import { Undefined } from './undefined.ts';

/** The indices that a slice selects from a sequence: `start`, `stride` and their number. */
interface Selection {
  start: number;
  /** The index before which it ends. */
  end: number;
  stride: number;
  count: number;
}

function bound(value: Value): number | undefined {
  if (value === null) return undefined;
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'bigint') return value < 0n ? -Number.MAX_SAFE_INTEGER : Number.MAX_SAFE_INTEGER;
  return raise('TypeError', 'slice indices must be integers or None or have an __index__ method');
}

function select(length: number, start: Value, stop: Value, step: Value): Selection {
  const stride = bound(step) ?? 1;
  if (stride === 0) raise('ValueError', 'slice step cannot be zero');
  const [low, high] = stride > 0 ? [0, length] : [-1, length - 1];
  const clamp = (value: number | undefined, otherwise: number): number => {
    if (value === undefined) return otherwise;
    return Math.min(Math.max(value < 0 ? value + length : value, low), high);
  };
  const first = clamp(bound(start), stride > 0 ? low : high);
  const end = clamp(bound(stop), stride > 0 ? high : low);
  return { start: first, end, stride, count: Math.max(0, Math.ceil((end - first) / stride)) };
}

function pick(items: readonly Value[], { start, stride, count }: Selection): Value[] {
  claimList(count);
  if (stride === 1) return items.slice(start, start + count);
  return Array.from({ length: count }, (_, i) => items[start + i * stride] as Value);
}

/** `value[start:stop:step]`; null for an omitted part. */
export function slice(value: Value, start: Value, stop: Value, step: Value): Value {
  if (value instanceof Undefined) return value.item();
  if (isString(value)) {
    const text = textOf(value);
    const sliced = sliceString(text, start, stop, step);
    return value instanceof Markup ? new Markup(sliced) : sliced;
  }
  if (Array.isArray(value)) return pick(value, select(value.length, start, stop, step));
  if (value instanceof Tuple)
    return new Tuple(pick(value.items, select(value.items.length, start, stop, step)));
  if (value instanceof Range) {
    const { start: first, end, stride } = select(value.count, start, stop, step);
    return new Range(value.at(first), value.at(end), value.stride * stride);
  }
  if (value instanceof Dict) return raise('TypeError', "unhashable type: 'slice'");
  return raise('TypeError', `'${typeName(value)}' object is not subscriptable`);
}

function sliceString(text: string, start: Value, stop: Value, step: Value): string {
  if (isPlain(text)) {
    const { start: first, stride, count } = select(text.length, start, stop, step);
    if (stride === 1) return text.slice(first, first + count);
  }
  const chars = codePoints(text);
  return pick(chars, select(chars.length, start, stop, step)).join('');
}
