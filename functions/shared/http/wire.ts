import { distance } from 'fastest-levenshtein';
import * as z from 'zod';
import { IGNORED_TEMPLATE_FIELDS, OPTION_ALIASES } from '../contract/options.ts';
import { type FieldFault, PlatenError } from '../errors.ts';

/**
 * Reads values as clients write them (decisions 6 and 7): booleans and numbers as text, objects and arrays as JSON
 * text, `null` and "" for "not given", option names with aliases; unknown names are ignored with a warning.
 * The schemas themselves describe plain JSON values: what is accepted besides is in this module alone.
 */
export function readFields<S extends z.ZodObject>(
  schema: S,
  fields: ReadonlyMap<string, string>,
  warnings: string[],
): z.output<S> {
  const values: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(schema.shape)) {
    const text = fields.get(name);
    if (text === undefined || text === '') continue;
    const value = fromWire(member as z.ZodType, text, name, warnings);
    if (value !== undefined) values[name] = value;
  }
  const result = schema.safeParse(values);
  if (result.success) return result.data;
  throw invalid(schema, values, result.error.issues);
}

/** The schema inside `optional`, `nullable` and `default` wrappers. */
function unwrap(schema: z.ZodType): z.ZodType {
  let inner = schema;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable || inner instanceof z.ZodDefault) {
    inner = inner.unwrap() as z.ZodType;
  }
  return inner;
}

/** Brings one value into the type its schema wants, where it can be; else leaves it for the schema to refuse. */
function fromWire(wrapped: z.ZodType, value: unknown, path: string, warnings: string[]): unknown {
  const schema = unwrap(wrapped);
  if (value === null || value === '') return wrapped instanceof z.ZodNullable ? value : undefined;
  if (schema instanceof z.ZodBoolean) return booleanFromWire(value);
  if (schema instanceof z.ZodNumber) return numberFromWire(value);
  if (schema instanceof z.ZodString) {
    return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  }
  if (schema instanceof z.ZodObject) {
    return objectFromWire(schema, fromJsonText(value, path), path, warnings);
  }
  if (schema instanceof z.ZodArray || schema instanceof z.ZodTuple) {
    const items = fromJsonText(value, path);
    if (!Array.isArray(items)) return items ?? undefined;
    return items.map((item: unknown, index) => {
      const element = schema instanceof z.ZodArray ? schema.element : schema.def.items[index];
      return element ? fromWire(element as z.ZodType, item, `${path}[${index}]`, warnings) : item;
    });
  }
  if (schema instanceof z.ZodRecord) return recordFromWire(schema, fromJsonText(value, path), path, warnings);
  return value;
}

function booleanFromWire(value: unknown): unknown {
  const text = String(value).toLowerCase();
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  return value;
}

function numberFromWire(value: unknown): unknown {
  return typeof value === 'string' && /^\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?\s*$/i.test(value)
    ? Number(value)
    : value;
}

function fromJsonText(value: unknown, path: string): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value) as unknown;
  } catch (cause) {
    const message = `${path} is not valid JSON: ${cause instanceof Error ? cause.message : String(cause)}`;
    throw new PlatenError('malformed_json', message, { faults: [{ field: path, message }], cause });
  }
}

/** Names are free; values are read as those of an object are, and `null` is left for the schema to judge. */
function recordFromWire(schema: z.ZodRecord, value: unknown, path: string, warnings: string[]): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value ?? undefined;
  const member = schema.valueType as z.ZodType;
  const entries = Object.entries(value).map(([name, entry]: [string, unknown]) => {
    return [name, fromWire(member, entry, `${path}.${name}`, warnings) ?? entry] as const;
  });
  return Object.fromEntries(entries);
}

function objectFromWire(schema: z.ZodObject, value: unknown, path: string, warnings: string[]): unknown {
  if (value === null) return undefined;
  if (typeof value !== 'object' || Array.isArray(value)) return value;
  const known = Object.keys(schema.shape);
  const given: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const alias = OPTION_ALIASES[name];
    const target = alias !== undefined && known.includes(alias) && !known.includes(name) ? alias : name;
    if (target !== name && Object.hasOwn(value, target)) continue;
    if (known.includes(target)) given[target] = member;
    else if (!IGNORED_TEMPLATE_FIELDS.includes(name))
      warnings.push(unknownOption(`${path}.${name}`, name, known));
  }
  const read: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(given)) {
    const result = fromWire(schema.shape[name] as z.ZodType, member, `${path}.${name}`, warnings);
    if (result !== undefined) read[name] = result;
  }
  return read;
}

function unknownOption(path: string, name: string, known: readonly string[]): string {
  const candidates = [
    ...known,
    ...Object.keys(OPTION_ALIASES).filter((a) => known.includes(OPTION_ALIASES[a] ?? '')),
  ];
  const byDistance = candidates.toSorted((a, b) => distance(name, a) - distance(name, b));
  const nearest = byDistance[0];
  return `unknown option ${path} ignored${nearest === undefined ? '' : `; the nearest known one is ${nearest}`}`;
}

/** The error for values that do not fit: it names each field, its value and what is allowed (decision 7). */
function invalid(schema: z.ZodObject, values: unknown, issues: readonly z.core.$ZodIssue[]): PlatenError {
  const faults = issues.map((issue) => fault(schema, values, issue));
  const missing = faults.every((entry) => entry.value === undefined);
  const isOption = issues.every((issue) => issue.path[0] === 'render_options' || issue.path[0] === 'options');
  const code = missing ? 'missing_field' : isOption ? 'invalid_option' : 'invalid_field';
  return new PlatenError(code, `${faults.map((entry) => entry.message).join('; ')}.`, { faults });
}

function fault(schema: z.ZodObject, values: unknown, issue: z.core.$ZodIssue): FieldFault {
  const field = fieldName(issue.path);
  const { value, member } = locate(schema, values, issue.path);
  if (value === undefined) return { field, message: `${field} is missing` };
  const allowed = member ? allowedValues(member) : undefined;
  const shown = shorten(value);
  const message = `${field} is ${JSON.stringify(shown)}, but must be ${allowed?.text ?? issue.message}`;
  return { field, message, value: shown, ...(allowed ? { allowed: allowed.values } : {}) };
}

function fieldName(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (name, key) =>
      typeof key === 'number' ? `${name}[${key}]` : name === '' ? String(key) : `${name}.${String(key)}`,
    '',
  );
}

/** The value an issue is about, and the schema of the place it stands in. */
function locate(
  schema: z.ZodType,
  values: unknown,
  path: readonly PropertyKey[],
): { value: unknown; member: z.ZodType | undefined } {
  let value = values;
  let member: z.ZodType | undefined = schema;
  for (const key of path) {
    value = (value as Record<PropertyKey, unknown> | undefined)?.[key];
    const container: z.ZodType | undefined = member && unwrap(member);
    if (container instanceof z.ZodObject) member = container.shape[String(key)] as z.ZodType | undefined;
    else if (container instanceof z.ZodArray) member = container.element as z.ZodType;
    else if (container instanceof z.ZodRecord) member = container.valueType as z.ZodType;
    else if (container instanceof z.ZodTuple)
      member = container.def.items[Number(key)] as z.ZodType | undefined;
    else member = undefined;
  }
  return { value, member };
}

/** What a schema accepts, as a phrase for people and as JSON Schema for programs. */
function allowedValues(member: z.ZodType): { text: string; values: unknown } | undefined {
  const schema = unwrap(member);
  const {
    $schema: _,
    description: __,
    id: ___,
    ...values
  } = z.toJSONSchema(schema) as Record<string, unknown>;
  if (schema instanceof z.ZodEnum) {
    return { text: `one of ${schema.options.join(', ')}`, values: schema.options };
  }
  if (schema instanceof z.ZodBoolean) return { text: 'true or false', values };
  if (schema instanceof z.ZodNumber) return { text: numberPhrase(values), values };
  if (schema instanceof z.ZodString) {
    const most = values.maxLength;
    return { text: typeof most === 'number' ? `a text of at most ${most} characters` : 'a text', values };
  }
  if (schema instanceof z.ZodTuple) return { text: `a list of ${schema.def.items.length} values`, values };
  if (schema instanceof z.ZodArray) return { text: 'a list with at least one element', values };
  if (schema instanceof z.ZodObject || schema instanceof z.ZodRecord)
    return { text: 'a JSON object', values };
  return undefined;
}

function numberPhrase({ type, minimum, exclusiveMinimum, maximum }: z.core.JSONSchema.JSONSchema): string {
  const noun = type === 'integer' ? 'a whole number' : 'a number';
  if (exclusiveMinimum !== undefined) return `${noun} above ${exclusiveMinimum} and up to ${maximum}`;
  if (minimum === undefined) return noun;
  const bounded = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  return bounded ? `${noun} from ${minimum} to ${maximum}` : `${noun} of at least ${minimum}`;
}

function shorten(value: unknown): unknown {
  if (typeof value === 'string') return value.length > 100 ? `${value.slice(0, 100)}…` : value;
  if (typeof value !== 'object' || value === null) return value;
  const text = JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : value;
}
