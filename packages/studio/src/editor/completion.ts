import type { Json } from '../api/types.ts';

/** Completes names of the data in a template, without an editor. */

export interface Name {
  label: string;
  /** The type of the value, in a word or two. */
  detail: string;
}

/** Returns the names of the members at a path of the data; for an array, those of its items. */
export function membersAt(data: Json, path: readonly string[]): Name[] {
  let value: Json | undefined = itemOf(data);
  for (const step of path) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
    value = itemOf(Object.hasOwn(value, step) ? value[step] : undefined);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value).map(([label, member]) => ({ label, detail: describe(member) }));
}

/** `{% for item in order.items %}`: matches each variable with the path of its list. */
const LOOP = /\{%[-+]?\s*for\s+(\w+)(?:\s*,\s*(\w+))?\s+in\s+([\w.]+)/g;

/**
 * Returns variables of the loops before a place, with the data path that each iterates over. Ended loops are
 * included: an extra name does no harm.
 */
export function loopVariables(before: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [, first = '', second, source = ''] of before.matchAll(LOOP)) {
    const path = resolvePath(source.split('.'), found);
    // In a loop with two variables the second one is the value: `for key, value in pairs.items()`.
    const isPairs = second !== undefined && path.length > 1 && path.at(-1) === 'items';
    found.set(second ?? first, isPairs ? path.slice(0, -1) : path);
  }
  return found;
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

function itemOf(value: Json | undefined): Json | undefined {
  return Array.isArray(value) ? value[0] : value;
}
