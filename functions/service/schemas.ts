import * as z from 'zod';
import { OPTION_ALIASES } from '@platen/contract/options';
import { outlineEntrySchema } from '@platen/contract/steps';
import type { Json } from './headers.ts';

/** The schemas of the OpenAPI document: those of the contract with an `id` have a name there, and are described once. */

const COMPONENTS = '#/components/schemas/';

/** Schemas of objects with options, which have other names, too (I-7). */
const WITH_ALIASES: ReadonlySet<string> = new Set([
  'RenderOptions',
  'SentTemplateData',
  'TemplateChange',
  'TemplateData',
]);

export class Schemas {
  readonly #named = new Map<string, Json>();

  /** Returns a schema as JSON Schema, with references to its named parts, or to itself if it has a name. */
  describe(schema: z.ZodType): Json {
    const { $schema: _, $defs: named = {}, ...described } = jsonSchema(schema);
    for (const [name, { id: __, ...definition }] of Object.entries(named)) {
      this.#add(name, referencesIntoComponents(definition) as Json);
    }
    return referencesIntoComponents(described) as Json;
  }

  /** Returns the schemas to which all of those that were described refer, by name. */
  named(): Json {
    return Object.fromEntries([...this.#named].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** @throws Error if another schema has the name */
  #add(name: string, definition: Json): void {
    const complete = WITH_ALIASES.has(name) ? withAliases(definition) : definition;
    const known = this.#named.get(name);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(complete))
      throw new Error(`two schemas of the contract have the name ${name}`);
    this.#named.set(name, complete);
  }
}

function jsonSchema(schema: z.ZodType): z.core.JSONSchema.BaseSchema {
  return z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema: described }) => {
      // The contract reads entries to a limited depth.
      const isEntry: boolean = (zodSchema as z.core.$ZodType) === outlineEntrySchema;
      if (!isEntry || described.properties === undefined) return;
      described.properties['items'] = { type: 'array', items: { $ref: '#/$defs/OutlineEntry' } };
    },
  });
}

/** Adds the options under their other names (I-7). */
function withAliases(options: Json): Json {
  const properties = options['properties'] as Readonly<Record<string, Json>>;
  const aliases = Object.entries(OPTION_ALIASES).flatMap(([alias, name]) => {
    const option = properties[name];
    return option ? [[alias, { ...option, description: `Alias of \`${name}\`.` }]] : [];
  });
  return { ...options, properties: { ...properties, ...Object.fromEntries(aliases) } };
}

function referencesIntoComponents(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(referencesIntoComponents);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) =>
      key === '$ref' && typeof member === 'string'
        ? [key, member.replace('#/$defs/', COMPONENTS)]
        : [key, referencesIntoComponents(member)],
    ),
  );
}
