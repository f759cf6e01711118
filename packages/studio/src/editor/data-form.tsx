import { useState } from 'preact/hooks';
import { isObject } from '../api/json.ts';
import type { Json, JsonObject, Schema } from '../api/types.ts';
import { text } from '../text.ts';
import { Button } from '../ui/button.tsx';
import { loopName, placeholderFor } from './fields.ts';
import { madeUp, typeOf } from './made-up.ts';
import { labelOf } from './options.ts';

/** Most members of an object and rows of a list that are shown, because data may have any number. */
const SHOWN = { members: 200, rows: 20 };
/** Texts that are longer have several lines. */
const LONG_TEXT = 60;

interface DataFormProps {
  schema: Schema;
  value: Json;
  onChange: (value: Json) => void;
  /** Inserts a placeholder in the template. */
  onInsert: (placeholder: string) => void;
}

interface FieldProps extends DataFormProps {
  name: string;
  /** Names from the root; within an item of a list, from the item, as a loop names them. */
  path: readonly string[];
}

/** Shows data as a form: the members that they have, and those that the schema knows. */
export function DataForm({ schema, value, onChange, onInsert }: DataFormProps) {
  return (
    <div class="data-form">
      <Members schema={schema} value={value} path={[]} onChange={onChange} onInsert={onInsert} />
    </div>
  );
}

function Members({ schema, value, path, onChange, onInsert }: Omit<FieldProps, 'name'>) {
  const members: JsonObject = isObject(value) ? value : {};
  const names = [...new Set([...Object.keys(schema.properties ?? {}), ...Object.keys(members)])];
  return (
    <>
      {names.slice(0, SHOWN.members).map((name) => (
        <Field
          key={name}
          name={name}
          schema={memberOf(schema, name)}
          // A field without a value is empty: an object has members that are not its own.
          value={(Object.hasOwn(members, name) ? members[name] : undefined) as Json}
          path={[...path, name]}
          onChange={(next) => onChange(Object.fromEntries([...Object.entries(members), [name, next]]))}
          onInsert={onInsert}
        />
      ))}
      {names.length > SHOWN.members && <p class="hint">{text.data.more(names.length - SHOWN.members)}</p>}
    </>
  );
}

function memberOf({ properties, additionalProperties }: Schema, name: string): Schema {
  const known = Object.hasOwn(properties ?? {}, name) ? properties?.[name] : undefined;
  return known ?? (typeof additionalProperties === 'object' ? additionalProperties : {});
}

function Field(props: FieldProps) {
  const { schema, value, name } = props;
  const type = kindOf(schema, value);
  if (type === 'array') return <List {...props} />;
  if (type === 'object')
    return (
      <fieldset class="form-group">
        <legend>
          <Insert {...props} />
        </legend>
        <Members {...props} />
      </fieldset>
    );
  return (
    <div class="form-field">
      <Insert {...props} />
      <Control {...props} label={labelOf(name)} />
    </div>
  );
}

/** The name of a field: pressing it inserts its placeholder. */
function Insert({ name, path, value, schema, onInsert }: FieldProps) {
  const shown = value ?? (kindOf(schema, value) === 'array' ? [] : null);
  return (
    <button
      type="button"
      class="field-name"
      title={text.data.insert(path.join('.'))}
      onClick={() => onInsert(placeholderFor(path, shown))}
    >
      {name}
      {value === undefined && <span class="badge missing">{text.data.missingField}</span>}
    </button>
  );
}

function List({ name, schema, value, path, onChange, onInsert }: FieldProps) {
  const rows = Array.isArray(value) ? value : [];
  const item = schema.items ?? {};
  const within = [loopName(name)];
  const set = (index: number, next: Json): void => onChange(rows.with(index, next));
  return (
    <fieldset class="form-group">
      <legend>
        <Insert {...{ name, schema, value, path, onChange, onInsert }} />
      </legend>
      {rows.slice(0, SHOWN.rows).map((row, index) => (
        <div key={index} class="form-row" role="group" aria-label={text.data.row(name, index + 1)}>
          {kindOf(item, row) === 'object' ? (
            <Members
              schema={item}
              value={row}
              path={within}
              onChange={(next) => set(index, next)}
              onInsert={onInsert}
            />
          ) : (
            <Control
              schema={item}
              value={row}
              label={text.data.row(name, index + 1)}
              onChange={(next) => set(index, next)}
            />
          )}
          <Button
            kind="quiet"
            icon="trash"
            label={text.data.removeRow(name, index + 1)}
            onClick={() => onChange(rows.toSpliced(index, 1))}
          />
        </div>
      ))}
      {rows.length > SHOWN.rows && <p class="hint">{text.data.more(rows.length - SHOWN.rows)}</p>}
      <Button kind="quiet" icon="plus" onClick={() => onChange([...rows, newRow(item, name, rows)])}>
        {text.data.addRow(name)}
      </Button>
    </fieldset>
  );
}

/** Returns a made-up row with the fields of the others. */
function newRow(schema: Schema, name: string, rows: readonly Json[]): Json {
  const [first] = rows;
  const others = isObject(first) ? Object.keys(first).map((key) => [key, {}] as const) : [];
  const properties = { ...Object.fromEntries(others), ...schema.properties };
  const like = Object.keys(properties).length === 0 ? schema : { ...schema, properties };
  return madeUp(like, undefined, loopName(name), rows.length);
}

interface ControlProps {
  schema: Schema;
  value: Json | undefined;
  label: string;
  onChange: (value: Json) => void;
}

function Control({ schema, value, label, onChange }: ControlProps) {
  const now = kindOf(schema, value);
  // The control that has the focus stays the same while one types.
  const [held, setHeld] = useState<string | null>(null);
  const given =
    value === undefined || value === null
      ? ''
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value);
  const kind = held ?? (now === 'string' && given.length > LONG_TEXT ? 'long' : now);
  const common = {
    'aria-label': label,
    onFocus: () => setHeld(kind),
    onBlur: () => setHeld(null),
  };
  if (schema.enum !== undefined)
    return (
      <select {...common} value={given} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {[...new Set(['', given, ...schema.enum])].map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
      </select>
    );
  if (kind === 'boolean')
    return (
      <input
        type="checkbox"
        {...common}
        checked={value === true}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
    );
  if (kind === 'long')
    return (
      <textarea
        {...common}
        rows={3}
        value={given}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  return (
    <input
      // The types of the elements know no input whose type is not a constant.
      type={(INPUTS[kind] ?? 'text') as 'text'}
      step={kind === 'number' ? 'any' : kind === 'date-time' ? 1 : undefined}
      {...common}
      // What is being typed stays: half a number is no number.
      value={held === null ? given : undefined}
      onInput={({ currentTarget: { value: typed, validity } }) => {
        if (!validity.badInput) onChange(valueOf(kind, typed));
      }}
    />
  );
}

const INPUTS: Readonly<Record<string, string>> = {
  number: 'number',
  date: 'date',
  'date-time': 'datetime-local',
  time: 'time',
};

function valueOf(kind: string, typed: string): Json {
  if (kind !== 'number') return typed;
  return typed === '' || Number.isNaN(Number(typed)) ? null : Number(typed);
}

/** Returns the kind of control for a value; the data decide before the schema. */
function kindOf(schema: Schema, value: Json | undefined): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'object' && value !== null) return 'object';
  if (typeof value === 'boolean' || typeof value === 'number') return typeof value;
  const isDate = typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value);
  if (isDate) return 'date';
  const type = typeOf(schema);
  if (typeof value === 'string' && value !== '')
    return schema.format === 'date-time' && /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(value)
      ? 'date-time'
      : 'string';
  if (type === 'integer') return 'number';
  return type === undefined || type === 'string' ? (schema.format ?? 'string') : type;
}
