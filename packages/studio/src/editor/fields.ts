import type { Json, Schema } from '../api/types.ts';

/** Compares the fields that a template uses with those of the data. */

export interface FieldComparison {
  /** Paths in the template that are missing from the data, down to single values: `items[].price`. */
  missing: string[];
  /** The first names of those paths that neither any data nor the schema of the data have, without `[]`. */
  unknown: Set<string>;
  /** Paths in the data that the template does not use. */
  unused: string[];
}

/** Items of an array that are checked, as its items usually have the same fields. */
const LOOKED_AT = 50;

/**
 * @param schema JSON Schema of the data that the template uses
 * @param declared the schema that data must match; its names are known
 */
export function compareFields(schema: Schema, data: Json, declared: Schema | null = null): FieldComparison {
  const found = { missing: new Set<string>(), unused: new Set<string>(), unknown: new Set<string>() };
  const present = new Set<string>();
  const compare = (member: Schema, value: Json, path: string): void => {
    if (Array.isArray(value)) {
      const { items } = member;
      if (items !== undefined)
        for (const item of value.slice(0, LOOKED_AT)) compare(items, item, `${path}[]`);
      return;
    }
    if (typeof value !== 'object' || value === null || member.properties === undefined) return;
    for (const [name, inner] of Object.entries(member.properties)) {
      const at = joined(path, name);
      if (Object.hasOwn(value, name)) {
        present.add(at);
        compare(inner, value[name] ?? null, at);
      } else {
        for (const leaf of leavesOf(inner, at)) found.missing.add(leaf);
        found.unknown.add(at);
      }
    }
    for (const name of Object.keys(value))
      if (!Object.hasOwn(member.properties, name)) found.unused.add(joined(path, name));
  };
  compare(schema, data, '');
  const unknown = [...found.unknown].filter((path) => !present.has(path));
  const names = unknown.map((path) => path.replaceAll('[]', ''));
  return {
    missing: [...found.missing],
    unknown: new Set(names.filter((path) => schemaAt(declared, path.split('.')) === undefined)),
    unused: [...found.unused],
  };
}

const joined = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** Returns the paths of the single values in a schema: those below objects, and in the items of lists. */
export function leavesOf({ properties = {}, items }: Schema, path = ''): string[] {
  const members = Object.entries(properties);
  if (members.length > 0) return members.flatMap(([name, member]) => leavesOf(member, joined(path, name)));
  return items === undefined ? [path] : leavesOf(items, `${path}[]`);
}

/** Returns the schema at a path of names, through the items of lists. */
export function schemaAt(schema: Schema | null, path: readonly string[]): Schema | undefined {
  let at = itemOf(schema ?? undefined);
  for (const name of path)
    at = itemOf(Object.hasOwn(at?.properties ?? {}, name) ? at?.properties?.[name] : undefined);
  return at;
}

function itemOf(schema: Schema | undefined): Schema | undefined {
  return schema?.items === undefined ? schema : itemOf(schema.items);
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
