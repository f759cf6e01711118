import type { Schema } from '../api/types.ts';
import { text } from '../text.ts';
import { Button } from '../ui/button.tsx';
import { typeOf } from './made-up.ts';

/** Schemas of the types that the form offers. Everything else that a schema says stays as it is. */
const TYPES = {
  any: {},
  text: { type: 'string' },
  number: { type: 'number' },
  integer: { type: 'integer' },
  date: { type: 'string', format: 'date' },
  boolean: { type: 'boolean' },
  list: { type: 'array', items: { type: 'object', properties: {} } },
  group: { type: 'object', properties: {} },
} as const satisfies Record<string, Schema>;
type TypeName = keyof typeof TYPES;

/** Most levels of a schema that are shown: one may refer to itself. */
const DEPTH = 8;

interface SchemaFormProps {
  schema: Schema;
  onChange: (schema: Schema) => void;
  /** Path of the fields, for their labels. */
  path?: string;
  depth?: number;
}

/** Shows the fields of a schema as rows: a name, a type, and whether data must have it. */
export function SchemaForm({ schema, onChange, path = '', depth = 0 }: SchemaFormProps) {
  const fields = Object.entries(schema.properties ?? {});
  const required = schema.required ?? [];
  const change = (next: readonly (readonly [string, Schema])[], needed = required): void => {
    const names = new Set(next.map(([name]) => name));
    const { required: _, ...rest } = schema;
    const kept = needed.filter((name) => names.has(name));
    onChange({
      ...rest,
      type: 'object',
      properties: Object.fromEntries(next),
      ...(kept.length === 0 ? {} : { required: kept }),
    });
  };
  return (
    <div class="data-form">
      {fields.map(([name, field], index) => {
        const at = `${path}${name}`;
        const set = (next: Schema): void => change(fields.with(index, [name, next]));
        const inner = field.items ?? field;
        const hasFields = typeOf(inner) === 'object' && depth < DEPTH;
        return (
          <div key={index} class="schema-field">
            <div class="row">
              <input
                aria-label={text.schema.name(at)}
                value={name}
                onChange={({ currentTarget }) => {
                  const renamed = currentTarget.value.trim();
                  if (renamed === '' || Object.hasOwn(schema.properties ?? {}, renamed)) {
                    currentTarget.value = name;
                    return;
                  }
                  const needed = required.map((other) => (other === name ? renamed : other));
                  change(fields.with(index, [renamed, field]), needed);
                }}
              />
              <select
                aria-label={text.schema.type(at)}
                value={typeNameOf(field)}
                onChange={({ currentTarget }) => set(withType(field, currentTarget.value as TypeName))}
              >
                {(Object.keys(TYPES) as TypeName[]).map((type) => (
                  <option key={type} value={type}>
                    {text.schema.types[type]}
                  </option>
                ))}
              </select>
              <label class="check">
                <input
                  type="checkbox"
                  checked={required.includes(name)}
                  onChange={({ currentTarget }) => {
                    const others = required.filter((other) => other !== name);
                    change(fields, currentTarget.checked ? [...others, name] : others);
                  }}
                />
                {text.schema.required}
              </label>
              <Button
                kind="quiet"
                icon="trash"
                label={text.schema.remove(at)}
                onClick={() => change(fields.toSpliced(index, 1))}
              />
            </div>
            {hasFields && (
              <div class="form-group">
                <SchemaForm
                  schema={inner}
                  path={field.items === undefined ? `${at}.` : `${at}[].`}
                  depth={depth + 1}
                  onChange={(next) => set(field.items === undefined ? next : { ...field, items: next })}
                />
              </div>
            )}
          </div>
        );
      })}
      <Button kind="quiet" icon="plus" onClick={() => change([...fields, [newName(fields), TYPES.text]])}>
        {text.schema.add(path.replace(/\.$/, ''))}
      </Button>
    </div>
  );
}

function typeNameOf(schema: Schema): TypeName {
  const type = typeOf(schema);
  if (type === 'array') return 'list';
  if (type === 'object') return 'group';
  if (type === 'string' || schema.format === 'date') return schema.format === 'date' ? 'date' : 'text';
  return type === 'number' || type === 'integer' || type === 'boolean' ? type : 'any';
}

/** Returns a schema with another type, without what belonged to the one before. */
function withType(schema: Schema, type: TypeName): Schema {
  const { description } = schema;
  return { ...(description === undefined ? {} : { description }), ...TYPES[type] };
}

function newName(fields: readonly (readonly [string, Schema])[]): string {
  const taken = new Set(fields.map(([name]) => name));
  let number = fields.length + 1;
  while (taken.has(`field${number}`)) number++;
  return `field${number}`;
}
