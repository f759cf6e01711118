import { claimList, step } from '../budget.ts';
import { raise } from '../errors.ts';
import { getAttribute, ownAttribute } from '../values/attributes.ts';
import { compare, equal, hashKey } from '../values/compare.ts';
import { Dict, DictView, Iter, Tuple } from '../values/containers.ts';
import { iterate, iteratorOf, length, toList, truthy } from '../values/iterate.ts';
import { reversed } from '../values/methods/containers.ts';
import { native } from '../values/native.ts';
import { binary } from '../values/operators.ts';
import { slice } from '../values/slices.ts';
import { sortValues } from '../values/sort.ts';
import type { Callable, Value } from '../values/types.ts';
import { isInteger, isString, textOf, typeName } from '../values/types.ts';
import { Undefined } from '../values/undefined.ts';
import { codePoints } from '../values/text.ts';
import { attributeGetter, keyGetter, ignoreCase, multiAttributeGetter } from './attributes.ts';

function int(value: Value): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return Number(value);
  return raise('TypeError', `'${typeName(value)}' object cannot be interpreted as an integer`);
}

/** Returns a generator, which starts when its first element is requested. */
export function lazy(start: () => () => Value | undefined): Iter {
  let next: (() => Value | undefined) | undefined;
  let finished = false;
  return new Iter(() => {
    if (finished) return undefined;
    next ??= start();
    const item = next();
    finished = item === undefined;
    return item;
  });
}

function batch(value: Value, lineCount: Value, fill: Value): Iter {
  return lazy(() => {
    const next = iterate(value);
    return () => {
      const row: Value[] = [];
      for (let item = next(); item !== undefined; item = next()) {
        step();
        row.push(item);
        if (equal(row.length, lineCount)) return row;
      }
      if (row.length === 0) return undefined;
      if (fill !== null && compare('<', row.length, lineCount) < 0) {
        claimList(int(lineCount));
        while (row.length < int(lineCount)) row.push(fill);
      }
      return row;
    };
  });
}

function sliceInto(value: Value, slices: Value, fill: Value): Iter {
  return lazy(() => {
    const items = toList(value);
    const perSlice = int(binary('//', items.length, slices));
    const withExtra = int(binary('%', items.length, slices));
    let offset = 0;
    let i = 0;
    return () => {
      if (i >= int(slices)) return undefined;
      step();
      const start = offset + i * perSlice;
      if (i < withExtra) offset++;
      const part = items.slice(start, offset + (i + 1) * perSlice);
      if (fill !== null && i >= withExtra) part.push(fill);
      i++;
      return part;
    };
  });
}

function first(value: Value): Value {
  const item = iterate(value)();
  return item === undefined ? new Undefined({ hint: 'No first item, sequence was empty.' }) : item;
}

function last(value: Value): Value {
  const nothing = (): Value => new Undefined({ hint: 'No last item, sequence was empty.' });
  if (value instanceof Undefined) {
    value.length();
    return nothing();
  }
  if (isString(value)) {
    const char = codePoints(textOf(value)).at(-1);
    return char === undefined ? nothing() : char;
  }
  const backwards = reversed(value);
  if (backwards === undefined) return raise('TypeError', `'${typeName(value)}' object is not reversible`);
  const item = backwards.next();
  return item === undefined ? nothing() : item;
}

function reverse(value: Value): Value {
  if (isString(value)) return slice(value, null, null, -1);
  const backwards = reversed(value);
  if (backwards !== undefined) return backwards;
  if (iteratorOf(value) === undefined) return raise('FilterArgumentError', 'argument must be iterable');
  return toList(value).reverse();
}

function random(value: Value): Value {
  const count = length(value);
  if (count === 0) return new Undefined({ hint: 'No random item, sequence was empty.' });
  const items = toList(value);
  const item = items[Math.floor(Math.random() * count)];
  return item === undefined ? null : item;
}

function sum(value: Value, attribute: Value, start: Value): Value {
  if (isString(start)) return raise('TypeError', "sum() can't sum strings [use ''.join(seq) instead]");
  const get = attribute === null ? undefined : attributeGetter(attribute);
  const next = iterate(value);
  let total: Value = start;
  for (let item = next(); item !== undefined; item = next()) {
    total = binary('+', total, get === undefined ? item : get(item));
  }
  return total;
}

function extreme(operator: '<' | '>', value: Value, caseSensitive: Value, attribute: Value): Value {
  const next = iterate(value);
  const start = next();
  if (start === undefined) return new Undefined({ hint: 'No aggregated item, sequence was empty.' });
  const key = keyGetter(attribute, truthy(caseSensitive));
  let best = { item: start, key: key(start) };
  for (let item = next(); item !== undefined; item = next()) {
    step();
    const candidate = { item, key: key(item) };
    const order = compare(operator, candidate.key, best.key);
    if (operator === '<' ? order < 0 : order > 0) best = candidate;
  }
  return best.item;
}

/** `reverse` of Python's `sorted`: an int. */
function asFlag(value: Value): boolean {
  if (isInteger(value) || typeof value === 'boolean') return Number(value) !== 0;
  return raise('TypeError', `'${typeName(value)}' object cannot be interpreted as an integer`);
}

function sort(value: Value, reverseOrder: Value, caseSensitive: Value, attribute: Value): Value[] {
  const get = multiAttributeGetter(attribute);
  const sensitive = truthy(caseSensitive);
  const key = (item: Value): Value => (sensitive ? get(item) : get(item).map(ignoreCase));
  return sortValues(toList(value), key, asFlag(reverseOrder));
}

function unique(value: Value, caseSensitive: Value, attribute: Value): Iter {
  return lazy(() => {
    const key = keyGetter(attribute, truthy(caseSensitive));
    const next = iterate(value);
    const seen = new Set<unknown>();
    return () => {
      for (let item = next(); item !== undefined; item = next()) {
        step();
        const hashed = hashKey(key(item));
        if (seen.has(hashed)) continue;
        seen.add(hashed);
        return item;
      }
      return undefined;
    };
  });
}

/** Returns a pair of Jinja2's `groupby`: `grouper` and `list`. */
function group(grouper: Value, items: Value[]): Tuple {
  return new Tuple([grouper, items], ['grouper', 'list']);
}

function groupBy(value: Value, attribute: Value, otherwise: Value, caseSensitive: Value): Tuple[] {
  const sensitive = truthy(caseSensitive);
  const key = keyGetter(attribute, sensitive, otherwise);
  const groups: { key: Value; items: Value[] }[] = [];
  for (const item of sortValues(toList(value), key, false)) {
    const itemKey = key(item);
    const current = groups.at(-1);
    if (current !== undefined && equal(current.key, itemKey)) current.items.push(item);
    else groups.push({ key: itemKey, items: [item] });
  }
  // The group's name keeps the case of its first element.
  const shown = attributeGetter(attribute, otherwise);
  return groups.map(({ key: groupKey, items }) => {
    const [head] = items;
    return group(sensitive || head === undefined ? groupKey : shown(head), items);
  });
}

function entriesOf(value: Value): [Value, Value][] {
  if (value instanceof Dict) return Array.from(value.entries());
  if (value instanceof Undefined) return value.fail();
  return raise('AttributeError', `'${typeName(value)}' object has no attribute 'items'`);
}

function dictSort(value: Value, caseSensitive: Value, by: Value, reverseOrder: Value): Value[] {
  const position = equal(by, 'key') ? 0 : equal(by, 'value') ? 1 : undefined;
  if (position === undefined) {
    return raise('FilterArgumentError', 'You can only sort by either "key" or "value"');
  }
  const pairs = entriesOf(value).map((entry) => new Tuple(entry));
  const key = (pair: Value): Value => {
    const part = pair instanceof Tuple ? pair.items[position] : undefined;
    if (part === undefined) return null;
    return truthy(caseSensitive) ? part : ignoreCase(part);
  };
  return sortValues(pairs, key, asFlag(reverseOrder));
}

function items(value: Value): Iter {
  return lazy(() => {
    if (value instanceof Undefined) return () => undefined;
    if (!(value instanceof Dict)) return raise('TypeError', 'Can only get item pairs from a mapping.');
    return iterate(new DictView(value, 'items'));
  });
}

function attr(value: Value, name: Value): Value {
  if (!isString(name)) return raise('TypeError', `attribute name must be string, not '${typeName(name)}'`);
  const text = textOf(name);
  if (ownAttribute(value, text) === undefined) return new Undefined({ object: value, name: text });
  return getAttribute(value, text);
}

/** Filters for sequences and dicts. */
export const SEQUENCE_FILTERS: Record<string, Callable> = {
  attr: native('do_attr(environment, obj, name)', attr),
  batch: native('do_batch(value, linecount, fill_with=None)', batch),
  count: native('len(obj, /)', (value) => length(value)),
  dictsort: native("do_dictsort(value, case_sensitive=False, by='key', reverse=False)", dictSort),
  first: native('sync_do_first(environment, seq)', first),
  groupby: native(
    'sync_do_groupby(environment, value, attribute, default=None, case_sensitive=False)',
    groupBy,
  ),
  items: native('do_items(value)', items),
  last: native('do_last(environment, seq)', last),
  length: native('len(obj, /)', (value) => length(value)),
  list: native('sync_do_list(value)', (value) => toList(value)),
  max: native(
    'do_max(environment, value, case_sensitive=False, attribute=None)',
    (value, sensitive, attribute) => extreme('>', value, sensitive, attribute),
  ),
  min: native(
    'do_min(environment, value, case_sensitive=False, attribute=None)',
    (value, sensitive, attribute) => extreme('<', value, sensitive, attribute),
  ),
  random: native('do_random(context, seq)', random),
  reverse: native('do_reverse(value)', reverse),
  slice: native('sync_do_slice(value, slices, fill_with=None)', sliceInto),
  sort: native('do_sort(environment, value, reverse=False, case_sensitive=False, attribute=None)', sort),
  sum: native('sync_do_sum(environment, iterable, attribute=None, start=0)', sum),
  unique: native('do_unique(environment, value, case_sensitive=False, attribute=None)', unique),
};
