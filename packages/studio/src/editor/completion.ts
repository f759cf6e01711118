import { isObject } from '../api/json.ts';
import type { Json } from '../api/types.ts';

/** Completes names of the data in a template, without an editor. */

export interface Name {
  label: string;
  /** The type of the value, in a word or two. */
  detail: string;
}

/** Returns the names of the members at a path of the data; for an array, those of its items. */
export function membersAt(data: Json, path: readonly string[]): Name[] {
  const value = itemOf(valueAt(data, path));
  if (!isObject(value)) return [];
  return Object.entries(value).map(([label, member]) => ({ label, detail: describe(member) }));
}

/** Returns the value at a path of the data, which goes through the first items of arrays. */
export function valueAt(data: Json, path: readonly string[]): Json | undefined {
  let value: Json | undefined = data;
  for (const step of path) {
    value = itemOf(value);
    value = isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  }
  return value;
}

/** `for item in order.items`: matches each variable with the path of its list. */
const LOOP = /^[-+]?\s*(?:for|tablerow)\s+(\w+)(?:\s*,\s*(\w+))?\s+in\s+([\w.]+)/;

/**
 * Returns variables of the loops before a place, with the data path that each iterates over. Ended loops are
 * included: an extra name does no harm.
 */
export function loopVariables(before: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [tag] of before.matchAll(/\{%[-+]?\s*for\s[^%]*/g)) {
    const loop = loopOf(tag.slice(2), found);
    if (loop !== null) found.set(...loop);
  }
  return found;
}

/**
 * Returns the variable of a loop with the data path that it iterates over; null for another tag.
 *
 * @param content the tag between `{%` and `%}`
 */
export function loopOf(
  content: string,
  variables: ReadonlyMap<string, readonly string[]>,
): [string, string[]] | null {
  const [, first = '', second, source] = LOOP.exec(content) ?? [];
  if (source === undefined) return null;
  const path = resolvePath(source.split('.'), variables);
  // In a loop with two variables the second one is the value: `for key, value in pairs.items()`.
  const isPairs = second !== undefined && path.length > 1 && path.at(-1) === 'items';
  return [second ?? first, isPairs ? path.slice(0, -1) : path];
}

/** Returns the full data path for a path that may begin with a loop variable. */
export function resolvePath(
  path: readonly string[],
  variables: ReadonlyMap<string, readonly string[]>,
): string[] {
  const [head, ...rest] = path;
  const source = head === undefined ? undefined : variables.get(head);
  return source === undefined ? [...path] : [...source, ...rest];
}

/** Returns a readable description of a value. */
export function describe(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `${value.length} items`;
  if (typeof value === 'object') return 'object';
  const shown = JSON.stringify(value);
  return shown.length > 40 ? `${shown.slice(0, 39)}…` : shown;
}

/** Returns the first item of an array; any other value as it is. */
export function itemOf(value: Json | undefined): Json | undefined {
  return Array.isArray(value) ? value[0] : value;
}
