import { claimList, spend, step } from '../../budget.ts';
import { raise } from '../../errors.ts';
import { equal } from '../compare.ts';
import { Dict, DictView, Iter, Tuple } from '../containers.ts';
import { iterate, iteratorOf, toList, truthy } from '../iterate.ts';
import { methods } from '../native.ts';
import type { Range } from '../range.ts';
import { repr } from '../repr.ts';
import { sortValues } from '../sort.ts';
import type { Value } from '../types.ts';
import { isString, typeName } from '../types.ts';
import { Undefined } from '../undefined.ts';

/** Returns the position for inserting or removing an element of a list: negative counts from the end. */
function position(index: Value): number {
  if (typeof index === 'boolean') return Number(index);
  if (typeof index === 'number') return index;
  return raise('TypeError', `'${typeName(index)}' object cannot be interpreted as an integer`);
}

function findIn(items: readonly Value[], wanted: Value, start: Value, stop: Value): number {
  const clamp = (value: number): number => (value < 0 ? Math.max(0, value + items.length) : value);
  const end = Math.min(clamp(position(stop)), items.length);
  spend(items.length);
  for (let i = clamp(position(start)); i < end; i++) {
    const item = items[i];
    if (item !== undefined && equal(item, wanted)) return i;
  }
  return -1;
}

function count(items: readonly Value[], wanted: Value): number {
  spend(items.length);
  return items.filter((item) => equal(item, wanted)).length;
}

const END = Number.MAX_SAFE_INTEGER;

/** The methods of `list`. */
export const LIST_METHODS = methods<Value[]>('list', {
  'append(object, /)': (self, item) => {
    claimList(1);
    if (self.length % 1024 === 0) claimList(self.length);
    self.push(item);
    return null;
  },
  'clear(/)': (self) => {
    self.length = 0;
    return null;
  },
  'copy(/)': (self) => toList(self),
  'count(value, /)': (self, wanted) => count(self, wanted),
  'extend(iterable, /)': (self, more) => {
    const items = toList(more);
    claimList(self.length + items.length);
    for (const item of items) self.push(item);
    return null;
  },
  [`index(value, start=0, stop=${END}, /)`]: (self, wanted, start, stop) => {
    const index = findIn(self, wanted, start, stop);
    return index === -1 ? raise('ValueError', `${repr(wanted)} is not in list`) : index;
  },
  'insert(index, object, /)': (self, index, item) => {
    claimList(1);
    spend(self.length >>> 4);
    self.splice(position(index), 0, item);
    return null;
  },
  'pop(index=-1, /)': (self, index) => {
    if (self.length === 0) raise('IndexError', 'pop from empty list');
    const at = position(index);
    const from = at < 0 ? at + self.length : at;
    if (from < 0 || from >= self.length) raise('IndexError', 'pop index out of range');
    spend((self.length - from) >>> 4);
    return self.splice(from, 1)[0] ?? null;
  },
  'remove(value, /)': (self, wanted) => {
    const index = findIn(self, wanted, 0, END);
    if (index === -1) raise('ValueError', 'list.remove(x): x not in list');
    self.splice(index, 1);
    return null;
  },
  'reverse(/)': (self) => {
    spend(self.length >>> 3);
    self.reverse();
    return null;
  },
  'sort(*args, **kwargs)': (self, rest, named) => {
    if (Array.isArray(rest) && rest.length > 0) raise('TypeError', 'sort() takes no positional arguments');
    const reverse = named instanceof Dict ? named.getName('reverse') : undefined;
    const sorted = sortValues(self, (item) => item, reverse !== undefined && truthy(reverse));
    // The elements are not spread, because there may be more of them than a call has arguments.
    for (const [i, item] of sorted.entries()) self[i] = item;
    return null;
  },
});

function elements(self: Tuple | Range): Value[] {
  return self instanceof Tuple ? self.items : toList(self);
}

/** The methods of `tuple` and `range`. */
export const TUPLE_METHODS = methods<Tuple | Range>('tuple', {
  'count(value, /)': (self, wanted) => count(elements(self), wanted),
  [`index(value, start=0, stop=${END}, /)`]: (self, wanted, start, stop) => {
    const index = findIn(elements(self), wanted, start, stop);
    const message =
      self instanceof Tuple ? 'tuple.index(x): x not in tuple' : `${repr(wanted)} is not in range`;
    return index === -1 ? raise('ValueError', message) : index;
  },
});

/** Adds the entries of a mapping, or of an iterable of pairs, to a dict. */
export function updateDict(dict: Dict, source: Value): void {
  if (source instanceof Dict) {
    for (const [key, value] of source.entries()) dict.set(key, value);
    return;
  }
  const next = iterate(source);
  for (let item = next(), i = 0; item !== undefined; item = next(), i++) {
    if (iteratorOf(item) === undefined) {
      raise('TypeError', `cannot convert dictionary update sequence element #${i} to a sequence`);
    }
    const pair = toList(item);
    const [key, value] = pair;
    if (key === undefined || value === undefined || pair.length !== 2) {
      raise(
        'ValueError',
        `dictionary update sequence element #${i} has length ${pair.length}; 2 is required`,
      );
    }
    dict.set(key, value);
  }
}

/** The methods of `dict`. */
export const DICT_METHODS = methods<Dict>('dict', {
  'clear(/)': (self) => {
    self.clear();
    return null;
  },
  'copy(/)': (self) => Dict.from(self.entries()),
  'fromkeys(iterable, value=None, /)': (_self, keys, value) =>
    Dict.from(toList(keys).map((key) => [key, value] as const)),
  'get(key, default=None, /)': (self, key, otherwise) => {
    const value = self.get(key);
    return value === undefined ? otherwise : value;
  },
  'items(/)': (self) => new DictView(self, 'items'),
  'keys(/)': (self) => new DictView(self, 'keys'),
  'pop(key, *default)': (self, key, rest) => {
    const value = self.get(key);
    if (value !== undefined) {
      self.delete(key);
      return value;
    }
    const otherwise = Array.isArray(rest) ? rest[0] : undefined;
    return otherwise === undefined ? raise('KeyError', repr(key)) : otherwise;
  },
  'popitem(/)': (self) => {
    const entry = self.popLast();
    return entry === undefined ? raise('KeyError', "'popitem(): dictionary is empty'") : new Tuple(entry);
  },
  'setdefault(key, default=None, /)': (self, key, otherwise) => {
    const value = self.get(key);
    if (value !== undefined) return value;
    self.set(key, otherwise);
    return otherwise;
  },
  'update(*args, **kwargs)': (self, rest, named) => {
    if (Array.isArray(rest) && rest.length > 1) {
      raise('TypeError', `update expected at most 1 argument, got ${rest.length}`);
    }
    if (Array.isArray(rest) && rest[0] !== undefined) updateDict(self, rest[0]);
    if (named instanceof Dict) updateDict(self, named);
    return null;
  },
  'values(/)': (self) => new DictView(self, 'values'),
});

/** The methods of `dict.keys()`. */
export const VIEW_METHODS = methods<DictView>('dict_keys', {
  'isdisjoint(other, /)': (self, other) => {
    const next = iterate(other);
    for (let item = next(); item !== undefined; item = next()) {
      step();
      if (self.dict.has(item)) return false;
    }
    return true;
  },
});

/** `reversed(value)`, or undefined if it cannot be reversed. */
export function reversed(value: Value): Iter | undefined {
  if (value instanceof Undefined) {
    value.length();
    return new Iter(() => undefined, 'reversed');
  }
  if (!Array.isArray(value) && (typeof value !== 'object' || value === null || isString(value)))
    return undefined;
  if (!Array.isArray(value) && !('reversible' in value && value.reversible)) return undefined;
  const items = toList(value);
  return new Iter(() => items.pop(), REVERSED_NAMES[typeName(value)] ?? 'reversed');
}

/** Python's names of reverse iterators. */
const REVERSED_NAMES: Readonly<Record<string, string>> = {
  list: 'list_reverseiterator',
  dict: 'dict_reversekeyiterator',
  dict_keys: 'dict_reversekeyiterator',
  dict_values: 'dict_reversevalueiterator',
  dict_items: 'dict_reverseitemiterator',
  range: 'range_iterator',
};
