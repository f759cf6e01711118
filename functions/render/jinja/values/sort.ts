import { claimList, spend } from '../budget.ts';
import { compare } from './compare.ts';
import type { Value } from './types.ts';

/** `sorted(items, key=key, reverse=reverse)`: stable in both directions. */
export function sortValues(items: readonly Value[], key: (item: Value) => Value, reverse: boolean): Value[] {
  claimList(items.length);
  // About as many comparisons as sorting takes; comparing long values is counted as it happens.
  spend(items.length * Math.ceil(Math.log2(items.length + 1)));
  const keyed = items.map((item) => ({ item, key: key(item) }));
  const order = (a: { key: Value }, b: { key: Value }): number => {
    // The host hands over the later one first, which is how Python asks, so a refusal has the same words.
    const result = compare('<', a.key, b.key);
    return Number.isNaN(result) ? 0 : result;
  };
  if (!reverse) return keyed.sort(order).map(({ item }) => item);
  return keyed.sort((a, b) => -order(a, b)).map(({ item }) => item);
}
