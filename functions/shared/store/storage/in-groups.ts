/**
 * Runs `work` for each item, `atOnce` of them at a time, and returns the results in order. Nothing is begun after an
 * error.
 */
export async function inGroups<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < items.length; start += atOnce) {
    const group = items.slice(start, start + atOnce);
    results.push(...(await Promise.all(group.map((item, index) => work(item, start + index)))));
  }
  return results;
}
