import { claimList, spend } from '../budget.ts';
import { compare } from './compare.ts';
import type { Value } from './types.ts';

interface Keyed {
  item: Value;
  key: Value;
}

/** Shorter lists are sorted with exactly CPython's comparisons. */
const MIN_MERGE = 64;

/** Counts about as many comparisons as sorting takes; comparing long values counts separately. */
export function claimSort(length: number): void {
  spend(length * Math.ceil(Math.log2(length + 1)));
}

/** `sorted(items, key=key, reverse=reverse)`: stable in both directions. */
export function sortValues(items: readonly Value[], key: (item: Value) => Value, reverse: boolean): Value[] {
  claimList(items.length);
  claimSort(items.length);
  const keyed = items.map((item): Keyed => ({ item, key: key(item) }));
  if (reverse) keyed.reverse();
  if (keyed.length < MIN_MERGE) insertionSort(keyed);
  else keyed.sort(order);
  if (reverse) keyed.reverse();
  return keyed.map(({ item }) => item);
}

function isLess(a: Keyed, b: Keyed): boolean {
  return compare('<', a.key, b.key) < 0;
}

function order(a: Keyed, b: Keyed): number {
  const result = compare('<', a.key, b.key);
  return Number.isNaN(result) ? 0 : result;
}

/**
 * CPython's sort of a short list: the initial run, then binary insertion. The choice of compared elements
 * matters when some cannot be compared, or one is NaN.
 */
function insertionSort(items: Keyed[]): void {
  for (let i = sortedRun(items); i < items.length; i++) {
    const pivot = items[i];
    if (pivot === undefined) return;
    let [low, high] = [0, i];
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = items[middle];
      if (other !== undefined && isLess(pivot, other)) high = middle;
      else low = middle + 1;
    }
    for (let to = i; to > low; to--) items[to] = items[to - 1] ?? pivot;
    items[low] = pivot;
  }
}

/** Returns the length of the initial run; a descending one is reversed. */
function sortedRun(items: Keyed[]): number {
  const less = (i: number): boolean => {
    const [a, b] = [items[i], items[i - 1]];
    return a !== undefined && b !== undefined && isLess(a, b);
  };
  if (items.length < 2) return items.length;
  let end = 2;
  if (!less(1)) {
    while (end < items.length && !less(end)) end++;
    return end;
  }
  while (end < items.length && less(end)) end++;
  items.splice(0, end, ...items.slice(0, end).reverse());
  return end;
}
