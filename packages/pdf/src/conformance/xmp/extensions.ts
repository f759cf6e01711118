import { describeSchema, type DescribedProperty, type DescribedSchema } from './describe.ts';
import type { Structure } from './schemas.ts';
import { Types } from './types.ts';
import type { ListForm, XmpValue } from './values.ts';

/** Schemas that a packet describes itself (ISO 19005-2, 6.6.2.3.3). */

export const EXTENSION = 'http://www.aiim.org/pdfa/ns/extension/';
const SCHEMA = 'http://www.aiim.org/pdfa/ns/schema#';
const PROPERTY = 'http://www.aiim.org/pdfa/ns/property#';
const TYPE = 'http://www.aiim.org/pdfa/ns/type#';
const FIELD = 'http://www.aiim.org/pdfa/ns/field#';

/** The required prefixes of descriptions. */
export const PREFIXES: ReadonlyMap<string, string> = new Map([
  ['pdfaExtension', EXTENSION],
  ['pdfaSchema', SCHEMA],
  ['pdfaProperty', PROPERTY],
  ['pdfaType', TYPE],
  ['pdfaField', FIELD],
]);

/** The properties that a schema of a packet permits. */
export interface Extension {
  /** Types by the name of the property. */
  properties: ReadonlyMap<string, string>;
  types: Types;
}

export interface Extensions {
  /** By namespace. */
  schemas: ReadonlyMap<string, Extension>;
  /**
   * The list of their descriptions with all parts that PDF/A requires and nothing else; null if there are none.
   */
  described: XmpValue | null;
}

/**
 * The schemas of a list of descriptions.
 *
 * @param without namespaces whose descriptions are removed
 * @param lost is called for unusable descriptions, with the namespace or the name
 */
export function readExtensions(
  lists: readonly XmpValue[],
  without: ReadonlySet<string>,
  lost: (name: string) => void,
): Extensions {
  const found = new Map<string, DescribedSchema>();
  for (const entry of lists.flatMap(itemsOf)) {
    const schema = schemaOf(entry);
    if (schema === undefined) lost('pdfaExtension:schemas');
    else if (!without.has(schema.namespace)) {
      const before = found.get(schema.namespace);
      found.set(schema.namespace, before === undefined ? schema : joined(before, schema));
    }
  }
  const schemas = new Map<string, Extension>();
  const described: XmpValue[] = [];
  for (const schema of found.values()) {
    const structures = structuresOf(schema);
    const types = new Types(structures);
    const properties = schema.properties.filter(({ name, type }) => {
      const isKnown = types.isKnown(type);
      if (!isKnown) lost(`the description of ${schema.prefix}:${name}`);
      return isKnown;
    });
    if (properties.length === 0) continue;
    schemas.set(schema.namespace, {
      properties: new Map(properties.toReversed().map(({ name, type }) => [name, type])),
      types,
    });
    const used = schema.types.filter(({ name }) => structures.has(name.toLowerCase()));
    described.push(describeSchema({ ...schema, properties, types: used }));
  }
  return { schemas, described: described.length === 0 ? null : { form: 'bag', items: described } };
}

function joined(first: DescribedSchema, second: DescribedSchema): DescribedSchema {
  const properties = [...first.properties, ...second.properties];
  return { ...first, properties, types: [...first.types, ...second.types] };
}

/** The structured types that a schema describes; one without a known field is ignored. */
function structuresOf({ types }: DescribedSchema): Map<string, Structure> {
  return new Map(
    types
      .filter(({ fields }) => fields.length > 0)
      .map(({ name, namespace, fields }): [string, Structure] => [
        name.toLowerCase(),
        { namespace, fields: new Map(fields.map((field) => [field.name, field.type])) },
      ]),
  );
}

function schemaOf(value: XmpValue): DescribedSchema | undefined {
  const [namespace, prefix] = [textIn(value, SCHEMA, 'namespaceURI'), textIn(value, SCHEMA, 'prefix')];
  if (namespace === '' || prefix === '') return undefined;
  return {
    namespace,
    prefix,
    description: textIn(value, SCHEMA, 'schema'),
    properties: itemsOf(fieldOf(value, SCHEMA, 'property')).flatMap((item) => describedIn(item, PROPERTY)),
    types: itemsOf(fieldOf(value, SCHEMA, 'valueType')).flatMap((item) => {
      const name = textIn(item, TYPE, 'type');
      const own = { namespace: textIn(item, TYPE, 'namespaceURI'), prefix: textIn(item, TYPE, 'prefix') };
      const fields = itemsOf(fieldOf(item, TYPE, 'field')).flatMap((field) => describedIn(field, FIELD));
      if (name === '' || own.namespace === '' || own.prefix === '') return [];
      return [{ name, ...own, description: textIn(item, TYPE, 'description'), fields }];
    }),
  };
}

function describedIn(value: XmpValue, namespace: string): DescribedProperty[] {
  const [name, type] = [textIn(value, namespace, 'name'), textIn(value, namespace, 'valueType')];
  if (name === '' || type === '') return [];
  const isInternal = textIn(value, namespace, 'category').toLowerCase() === 'internal';
  return [{ name, type, isInternal, description: textIn(value, namespace, 'description') }];
}

function fieldOf(value: XmpValue, namespace: string, name: string): XmpValue | undefined {
  if (value.form !== 'fields') return undefined;
  return value.fields.find((field) => field.namespace === namespace && field.name === name)?.value;
}

function textIn(value: XmpValue, namespace: string, name: string): string {
  const field = fieldOf(value, namespace, name);
  return field?.form === 'text' ? field.text.trim() : '';
}

const LISTS: ReadonlySet<string> = new Set<ListForm>(['bag', 'seq', 'alt']);

function itemsOf(value: XmpValue | undefined): readonly XmpValue[] {
  return value !== undefined && LISTS.has(value.form) && 'items' in value ? value.items : [];
}
