import type { XmpField, XmpValue } from './values.ts';

/** Descriptions of schemas in the vocabulary of PDF/A (ISO 19005-2, 6.6.2.3.3). */

/** A property of a schema, or a field of one of its types. */
export interface DescribedProperty {
  name: string;
  type: string;
  description: string;
  /** Whether programs write it (internal) or people do (external). Absent for fields. */
  isInternal: boolean;
}

/** A structured type that a schema defines. */
export interface DescribedType {
  name: string;
  namespace: string;
  prefix: string;
  description: string;
  fields: readonly DescribedProperty[];
}

export interface DescribedSchema {
  namespace: string;
  prefix: string;
  description: string;
  properties: readonly DescribedProperty[];
  types: readonly DescribedType[];
}

/** The description of a schema with all required parts. */
export function describeSchema({
  namespace,
  prefix,
  description,
  properties,
  types,
}: DescribedSchema): XmpValue {
  const field = fieldsOf('Schema');
  return {
    form: 'fields',
    fields: [
      field('schema', text(description === '' ? namespace : description)),
      field('namespaceURI', text(namespace)),
      field('prefix', text(prefix)),
      field('property', { form: 'seq', items: properties.map((own) => describeProperty(own)) }),
      ...(types.length === 0 ? [] : [field('valueType', { form: 'seq', items: types.map(describeType) })]),
    ],
  };
}

function describeProperty({ name, type, isInternal, description }: DescribedProperty): XmpValue {
  const field = fieldsOf('Property');
  return {
    form: 'fields',
    fields: [
      field('name', text(name)),
      field('valueType', text(type)),
      field('category', text(isInternal ? 'internal' : 'external')),
      field('description', text(description === '' ? name : description)),
    ],
  };
}

function describeType({ name, namespace, prefix, description, fields }: DescribedType): XmpValue {
  const [ofType, ofField] = [fieldsOf('Type'), fieldsOf('Field')];
  const described = fields.map((own): XmpValue => ({
    form: 'fields',
    fields: [
      ofField('name', text(own.name)),
      ofField('valueType', text(own.type)),
      ofField('description', text(own.description === '' ? own.name : own.description)),
    ],
  }));
  return {
    form: 'fields',
    fields: [
      ofType('type', text(name)),
      ofType('namespaceURI', text(namespace)),
      ofType('prefix', text(prefix)),
      ofType('description', text(description === '' ? name : description)),
      ofType('field', { form: 'seq', items: described }),
    ],
  };
}

function fieldsOf(
  kind: 'Schema' | 'Property' | 'Type' | 'Field',
): (name: string, value: XmpValue) => XmpField {
  const namespace = `http://www.aiim.org/pdfa/ns/${kind.toLowerCase()}#`;
  return (name, value) => ({ namespace, name, qualifiedName: `pdfa${kind}:${name}`, value });
}

function text(words: string): XmpValue {
  return { form: 'text', text: words, language: null };
}
