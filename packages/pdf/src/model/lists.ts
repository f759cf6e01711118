/**
 * Appends values to a list. A call of `push` with a spread list would pass them as arguments, and the call stack
 * holds only about a hundred thousand: a document may have more.
 */
export function append<T>(list: T[], values: Iterable<T>): void {
  for (const value of values) list.push(value);
}

/** The maximum of some numbers and a lower bound. */
export function largest(values: Iterable<number>, least: number): number {
  let found = least;
  for (const value of values) found = Math.max(found, value);
  return found;
}
