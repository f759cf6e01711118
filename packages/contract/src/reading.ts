import * as z from 'zod';
import { FILES_SENT_APART, IGNORED_TEMPLATE_FIELDS, OPTION_ALIASES } from './options.ts';
import type { ErrorCode } from './errors.ts';
import { inlineSchema } from './inline-schema.ts';
import { lengthPhrase } from './option-values.ts';
import { type FieldFault, PlatenError } from '@platen/core/errors';
import { parseJsonText } from '@platen/core/json-text';
import { warnOfUnknown } from './unknown-names.ts';

/**
 * Reads values as clients write them (I-6 and I-7): booleans and numbers as text, objects and arrays as JSON
 * text, `null` and "" for "not given", and aliases of option names; unknown names lead to a warning. The
 * schemas describe plain JSON values; only this module accepts other notations.
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
    const wrapped = member as z.ZodType;
    const plain = isStructured(unwrap(wrapped)) ? parsedField(text, name) : text;
    const value = fromWire(wrapped, plain, name, warnings);
    if (value !== undefined) values[name] = value;
  }
  const result = schema.safeParse(values);
  if (result.success) return result.data;
  throw invalid(schema, values, result.error.issues);
}

/** Returns the schema inside `optional`, `nullable`, `default` and `transform` wrappers. */
function unwrap(schema: z.ZodType): z.ZodType {
  let inner = schema;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable || inner instanceof z.ZodDefault) {
    inner = inner.unwrap() as z.ZodType;
  }
  return inner instanceof z.ZodPipe ? unwrap(inner.in as z.ZodType) : inner;
}

/** Returns whether `null` is a valid value instead of "not given". */
function isNullable(schema: z.ZodType): boolean {
  return (
    schema instanceof z.ZodNullable ||
    (schema instanceof z.ZodOptional && isNullable(schema.unwrap() as z.ZodType))
  );
}

function isStructured(schema: z.ZodType): boolean {
  return [z.ZodObject, z.ZodArray, z.ZodTuple, z.ZodRecord].some((kind) => schema instanceof kind);
}

/**
 * Converts one value to the type that its schema expects, where possible; otherwise leaves it for the schema
 * to refuse.
 */
function fromWire(wrapped: z.ZodType, value: unknown, path: string, warnings: string[]): unknown {
  const schema = unwrap(wrapped);
  if (value === null || value === '') return isNullable(wrapped) ? value : undefined;
  if (schema instanceof z.ZodBoolean) return booleanFromWire(value);
  if (schema instanceof z.ZodNumber) return numberFromWire(value);
  if (schema instanceof z.ZodLiteral)
    return schema.values.has(value as never) ? value : numberFromWire(value);
  if (schema instanceof z.ZodString) return PROSE.test(path) ? value : textFromWire(value);
  if (schema instanceof z.ZodObject) {
    return objectFromWire(schema, fromJsonText(value), path, warnings);
  }
  if (schema instanceof z.ZodArray || schema instanceof z.ZodTuple) {
    const items = fromJsonText(value);
    if (!Array.isArray(items)) return items ?? undefined;
    checkNumber(items, path, { of: 'elements', most: MAX_ELEMENTS });
    return items.map((item: unknown, index) => {
      const element = schema instanceof z.ZodArray ? schema.element : schema.def.items[index];
      // An empty element still occupies a position: the schema refuses it as the value it is.
      return element ? (fromWire(element as z.ZodType, item, `${path}[${index}]`, warnings) ?? item) : item;
    });
  }
  if (schema instanceof z.ZodUnion) return unionFromWire(schema, value, path, warnings);
  if (schema instanceof z.ZodRecord) return recordFromWire(schema, fromJsonText(value), path, warnings);
  return value;
}

/** Reads an object as the object type of the union, and anything else as the first of the other types. */
function unionFromWire(schema: z.ZodUnion, value: unknown, path: string, warnings: string[]): unknown {
  const isObject = typeof value === 'object';
  const type = schema.options.find((option) => isStructured(unwrap(option as z.ZodType)) === isObject);
  return type === undefined ? value : fromWire(type as z.ZodType, value, path, warnings);
}

/** Members that are texts for people, in which a number is a mistake. */
const PROSE = /(?:^|\.)(?:title|alt|filename|(?:header|footer)_file(?:\.[\w-]+)?)$/;

/**
 * Converts a number to its digits, except a number that JSON readers round, because its digits differ from
 * what the client wrote.
 */
function textFromWire(value: unknown): unknown {
  const isExact = typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  return isExact ? String(value) : value;
}

function booleanFromWire(value: unknown): unknown {
  if (typeof value !== 'string' && typeof value !== 'number') return value;
  const text = String(value).toLowerCase();
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  return value;
}

function numberFromWire(value: unknown): unknown {
  return typeof value === 'string' && /^\s*[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?\s*$/i.test(value)
    ? Number(value)
    : value;
}

/** @throws PlatenError `malformed_json` when the field as a whole is not JSON */
function parsedField(text: string, field: string): unknown {
  try {
    return parseJsonText(text);
  } catch (cause) {
    const message = `${field} is not valid JSON: ${cause instanceof Error ? cause.message : String(cause)}`;
    throw new PlatenError('malformed_json', message, { faults: [{ field, message }], cause });
  }
}

/**
 * Parses a value inside a field that may be JSON text itself; any other text stays as it is, and the schema
 * refuses it.
 */
function fromJsonText(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return parseJsonText(value);
  } catch {
    return value;
  }
}

/**
 * Reads an object with free names: it converts values like those of other objects, and leaves `null` to the
 * schema.
 */
function recordFromWire(schema: z.ZodRecord, value: unknown, path: string, warnings: string[]): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value ?? undefined;
  const member = schema.valueType as z.ZodType;
  const given: [string, unknown][] = Object.entries(value);
  checkMembers(given, path);
  const entries = given.map(([name, entry]) => {
    return [name, fromWire(member, entry, `${path}.${name}`, warnings) ?? entry] as const;
  });
  return Object.fromEntries(entries);
}

function objectFromWire(schema: z.ZodObject, value: unknown, path: string, warnings: string[]): unknown {
  if (value === null) return undefined;
  if (typeof value !== 'object' || Array.isArray(value)) return value;
  const known = Object.keys(schema.shape);
  const names = optionNames(known);
  const entries = Object.entries(value);
  checkMembers(entries, path);
  const given: Record<string, unknown> = {};
  for (const [name, member] of entries) {
    const alias = OPTION_ALIASES[name];
    const target = alias !== undefined && known.includes(alias) && !known.includes(name) ? alias : name;
    if (target !== name && Object.hasOwn(value, target)) continue;
    // A strict schema checks unknown names itself.
    if (
      (known.includes(target) && !isSentApart(schema.shape[name] as z.ZodType | undefined, name, member)) ||
      keepsUnknown(schema)
    )
      given[target] = member;
    else if (!IGNORED_TEMPLATE_FIELDS.includes(name))
      warnOfUnknown(warnings, { kind: 'option', path: `${path}.${name}`, name }, names);
    else if (isContent(member) && Object.hasOwn(FILES_SENT_APART, name))
      warnings.push(`${path}.${name} ignored: send the file as ${FILES_SENT_APART[name]}`);
  }
  const read: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(given)) {
    const type = (schema.shape[name] as z.ZodType | undefined) ?? typeOfOthers(schema);
    const result = type === undefined ? member : fromWire(type, member, `${path}.${name}`, warnings);
    if (result !== undefined) read[name] = result;
  }
  return read;
}

/** Returns the type of members without a name of their own; undefined when anything or nothing is permitted. */
function typeOfOthers({ def }: Pick<z.ZodObject, 'def'>): z.ZodType | undefined {
  const { catchall } = def;
  const isAny = catchall instanceof z.ZodUnknown || catchall instanceof z.ZodNever;
  return isAny ? undefined : (catchall as z.ZodType | undefined);
}

function keepsUnknown({ def }: z.ZodObject): boolean {
  return def.catchall instanceof z.ZodUnknown || typeOfOthers({ def }) !== undefined;
}

/**
 * Returns whether the member is a file with a field of its own or a reference to an existing file, but not an
 * object of headers by page.
 */
function isSentApart(type: z.ZodType | undefined, name: string, member: unknown): boolean {
  if (!Object.hasOwn(FILES_SENT_APART, name) || !type || !(unwrap(type) instanceof z.ZodRecord)) return false;
  return typeof member !== 'object' || member === null || 'id' in member || 'file_data' in member;
}

/**
 * Returns whether the member is more than a reference to an existing file: clients send such references back
 * unchanged.
 */
function isContent(member: unknown): boolean {
  if (typeof member === 'string') return member !== '';
  return typeof member === 'object' && member !== null && 'file_data' in member;
}

/** Returns the names that an object of options accepts, including aliases. */
function optionNames(known: readonly string[]): string[] {
  return [
    ...known,
    ...Object.keys(OPTION_ALIASES).filter((name) => known.includes(OPTION_ALIASES[name] ?? '')),
  ];
}

/**
 * Maximum names in one object, ten times the number of known names. Each unknown name costs a warning and a
 * comparison with the known ones.
 */
const MAX_MEMBERS = 1_000;
/** Maximum elements of one list. A schema notes a fault of each. */
const MAX_ELEMENTS = 50_000;

/** @throws PlatenError `invalid_option`, `invalid_field` */
function checkNumber(
  values: readonly unknown[],
  path: string,
  { of, most }: { of: string; most: number },
): void {
  if (values.length <= most) return;
  const message = `${path} has ${values.length} ${of}, but at most ${most} are read`;
  throw new PlatenError(isOption(path) ? 'invalid_option' : 'invalid_field', `${message}.`, {
    faults: [{ field: path, message, allowed: most }],
  });
}

function checkMembers(members: readonly unknown[], path: string): void {
  checkNumber(members, path, { of: 'members', most: MAX_MEMBERS });
}

function isOption(field: string): boolean {
  return /^(render_)?options\b/.test(field);
}

/** Maximum faults in one response; further faults appear once these are fixed. */
const MAX_FAULTS = 20;

/** Returns the error for invalid values: it names each field, its value and the allowed values (I-7). */
function invalid(schema: z.ZodObject, values: unknown, issues: readonly z.core.$ZodIssue[]): PlatenError {
  const found = issues.slice(0, MAX_FAULTS).map((issue) => fault(schema, values, issue));
  const areOptions = found.every((entry) => isOption(entry.fault.field));
  const general = areOptions ? 'invalid_option' : 'invalid_field';
  const [code = general, ...others] = new Set(found.map((entry) => entry.code ?? general));
  const faults = found.map((entry) => entry.fault);
  return new PlatenError(
    others.length === 0 ? code : general,
    `${faults.map((entry) => entry.message).join('; ')}.`,
    { faults },
  );
}

/** Returns the fault of one field; `code` when the field has an error code of its own. */
function fault(
  schema: z.ZodObject,
  values: unknown,
  issue: z.core.$ZodIssue,
): { fault: FieldFault; code: ErrorCode | null } {
  const field = fieldName(issue.path);
  const { value, member } = locate(schema, values, issue.path);
  if (value === undefined) {
    return { fault: { field, message: `${field} is missing` }, code: 'missing_field' };
  }
  const checked = customIssue(issue);
  const code = (checked?.params?.['code'] as ErrorCode | undefined) ?? null;
  const allowed = checked
    ? { text: checked.message, values: checked.message }
    : member && allowedValues(member);
  const must = `must be ${allowed?.text ?? issue.message}`;
  const accepted = allowed ? { allowed: allowed.values } : {};
  if (member && isSecret(member)) return { fault: { field, message: `${field} ${must}`, ...accepted }, code };
  const shown = shorten(value);
  const message = `${field} is ${JSON.stringify(shown)}, but ${must}`;
  return { fault: { field, message, value: shown, ...accepted }, code };
}

/** Returns the issue of a custom check, also from one of several types that a value may have. */
function customIssue(issue: z.core.$ZodIssue): z.core.$ZodIssueCustom | undefined {
  if (issue.code === 'custom') return issue;
  if (issue.code !== 'invalid_union') return undefined;
  return issue.errors.flat().find((inner) => inner.code === 'custom');
}

/**
 * Returns whether a value must not appear in an error, which is stored with a job: a password, or a value
 * that may contain one.
 */
function isSecret(member: z.ZodType): boolean {
  const schema = unwrap(member);
  if (member.meta()?.['format'] === 'password' || schema.meta()?.['format'] === 'password') return true;
  if (schema instanceof z.ZodArray) return isSecret(schema.element as z.ZodType);
  return (
    schema instanceof z.ZodObject && Object.values(schema.shape).some((type) => isSecret(type as z.ZodType))
  );
}

function fieldName(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (name, key) =>
      typeof key === 'number' ? `${name}[${key}]` : name === '' ? String(key) : `${name}.${String(key)}`,
    '',
  );
}

/** Returns the value that an issue concerns, and the schema at that place. */
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
    if (container instanceof z.ZodObject)
      member = (container.shape[String(key)] as z.ZodType | undefined) ?? typeOfOthers(container);
    else if (container instanceof z.ZodArray) member = container.element as z.ZodType;
    else if (container instanceof z.ZodRecord) member = container.valueType as z.ZodType;
    else if (container instanceof z.ZodTuple)
      member = container.def.items[Number(key)] as z.ZodType | undefined;
    else member = undefined;
  }
  return { value, member };
}

/** Returns the values that a schema accepts, as a phrase for people and as JSON Schema for programs. */
function allowedValues(member: z.ZodType): { text: string; values: unknown } | undefined {
  const schema = unwrap(member);
  const { description: _, ...values } = inlineSchema(schema);
  if (schema instanceof z.ZodEnum) {
    return { text: `one of ${schema.options.join(', ')}`, values: schema.options };
  }
  if (schema instanceof z.ZodLiteral) {
    const literals = [...schema.values];
    return { text: `one of ${literals.join(', ')}`, values: literals };
  }
  if (schema instanceof z.ZodBoolean) return { text: 'true or false', values };
  if (schema instanceof z.ZodNumber) return { text: numberPhrase(values), values };
  if (schema instanceof z.ZodString) {
    const most = values.maxLength;
    return { text: typeof most === 'number' ? `a text of at most ${most} characters` : 'a text', values };
  }
  if (schema instanceof z.ZodTuple) {
    const { items } = schema.def;
    const each = items[0] && allowedValues(items[0] as z.ZodType);
    return { text: `a list of ${items.length} values${each ? `, each ${each.text}` : ''}`, values };
  }
  if (schema instanceof z.ZodArray) return { text: 'a list with at least one element', values };
  if (schema instanceof z.ZodObject || schema instanceof z.ZodRecord)
    return { text: 'a JSON object', values };
  if (schema instanceof z.ZodUnion) {
    const length = lengthPhrase(schema);
    if (length !== undefined) return { text: length, values };
    const texts = schema.options.map((option) => allowedValues(option as z.ZodType)?.text);
    return { text: texts.filter((text) => text !== undefined).join(' or '), values };
  }
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
  // JSON cannot represent these numbers; the client gave them in Python's notation.
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  if (typeof value === 'string') return value.length > 100 ? `${value.slice(0, 100)}…` : value;
  if (typeof value !== 'object' || value === null) return value;
  const text = JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : value;
}
