import type { Json, Schema } from '../api/types.ts';

/** Compares the fields that a template uses with those of the data. */

export interface FieldComparison {
  /** Paths in the template that are missing from the data. */
  missing: string[];
  /** Paths in the data that the template does not use. */
  unused: string[];
}

/** Items of an array that are checked, as its items usually have the same fields. */
const LOOKED_AT = 50;

/** @param schema JSON Schema of the data that the template uses */
export function compareFields(schema: Schema, data: Json): FieldComparison {
  const missing = new Set<string>();
  const unused = new Set<string>();
  compare(schema, data, '', missing, unused);
  return { missing: [...missing], unused: [...unused] };
}

function compare(schema: Schema, value: Json, path: string, missing: Set<string>, unused: Set<string>): void {
  if (Array.isArray(value)) {
    if (schema.items === undefined) return;
    for (const item of value.slice(0, LOOKED_AT)) compare(schema.items, item, `${path}[]`, missing, unused);
    return;
  }
  if (typeof value !== 'object' || value === null || schema.properties === undefined) return;
  const at = (name: string): string => (path === '' ? name : `${path}.${name}`);
  for (const [name, member] of Object.entries(schema.properties)) {
    if (!Object.hasOwn(value, name)) missing.add(at(name));
    else compare(member, value[name] ?? null, at(name), missing, unused);
  }
  for (const name of Object.keys(value)) if (!Object.hasOwn(schema.properties, name)) unused.add(at(name));
}

/** Returns the placeholder for a value at a path; for a list, the loop over it. */
export function placeholderFor(path: readonly string[], value: Json): string {
  const name = path.join('.');
  if (!Array.isArray(value)) return `{{ ${name} }}`;
  const item = loopName(path.at(-1) ?? 'items');
  return `{% for ${item} in ${name} %}\n  {{ ${item} }}\n{% endfor %}`;
}

/** Returns the name of one item of a list: `items`, `item`. */
export function loopName(name: string): string {
  return name.length > 1 && name.endsWith('s') ? name.slice(0, -1) : 'item';
}
