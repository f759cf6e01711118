/**
 * Adds values to the end of a list. A call of `push` with a spread list would pass them as arguments, of
 * which the call stack holds about a hundred thousand: a document may have more.
 */
export function append<T>(list: T[], values: Iterable<T>): void {
  for (const value of values) list.push(value);
}

/** The largest of some numbers, or the least that is wanted. */
export function largest(values: Iterable<number>, least: number): number {
  let found = least;
  for (const value of values) found = Math.max(found, value);
  return found;
}
