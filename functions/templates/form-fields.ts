import type { CallOptions } from '@platen/pdf/operations';
import type { FormField } from '@platen/pdf/forms';
import { formTemplateFields } from '@platen/pdf/forms/template-fields';

/** The limits for reading a form, within the memory and time of this function. */
export const FORM_LIMITS: CallOptions = { limits: { timeout: 20_000, memory: 256 * 1024 * 1024 } };

/** More parts occur only in attacks; such names are not split. */
const MAX_PARTS = 32;

type Schema = Record<string, unknown>;

/** An object schema under construction. */
interface ObjectSchema extends Schema {
  properties: Record<string, Schema>;
}

/**
 * Returns the data that fill a form, as JSON Schema. Names with dots become nested objects, unless a field
 * has the prefix as its name, or the name has very many parts. Nothing is required, as for other templates:
 * fields without data stay as they are in the form.
 *
 * @throws PlatenError as `formTemplateFields`
 */
export async function formSchema(bytes: Uint8Array): Promise<Schema> {
  const fields = await formTemplateFields(bytes, FORM_LIMITS);
  const names = new Set(fields.map(({ name }) => name));
  const root = objectSchema();
  for (const field of fields) {
    const parts = field.name.split('.', MAX_PARTS + 1);
    const above = parts.slice(0, -1);
    const isNested =
      parts.length <= MAX_PARTS &&
      parts.every((part) => part !== '') &&
      above.every((_, index) => !names.has(parts.slice(0, index + 1).join('.')));
    const place = isNested ? above.reduce(memberOf, root) : root;
    setOwn(place.properties, isNested ? (parts.at(-1) ?? '') : field.name, schemaOf(field));
  }
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', ...root };
}

function objectSchema(): ObjectSchema {
  return { type: 'object', properties: {} };
}

function memberOf({ properties }: ObjectSchema, name: string): ObjectSchema {
  const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (known !== undefined) return known as ObjectSchema;
  const made = objectSchema();
  setOwn(properties, name, made);
  return made;
}

/** Sets an own property with any name, including `__proto__`. */
function setOwn(properties: Record<string, Schema>, name: string, value: Schema): void {
  Object.defineProperty(properties, name, { value, enumerable: true, configurable: true, writable: true });
}

function schemaOf({ kind, value, options, maxLength, free, readOnly }: FormField): Schema {
  const flags = readOnly ? { readOnly } : {};
  switch (kind) {
    case 'checkbox':
      return options.length <= 1 ? { type: 'boolean', ...flags } : { enum: options, ...flags };
    case 'radio':
      return { enum: options, ...flags };
    case 'choice':
      return free === true ? { type: 'string', examples: options, ...flags } : { enum: options, ...flags };
    case 'list':
      return Array.isArray(value)
        ? { type: 'array', items: { enum: options }, ...flags }
        : { enum: options, ...flags };
    case 'button':
      return {
        type: 'string',
        description: 'An image: its `data:` address, or the name of an image.',
        ...flags,
      };
    default:
      return { type: 'string', ...(maxLength === undefined ? {} : { maxLength }), ...flags };
  }
}
