import { type OutputUnit, type Schema, Validator } from '@cfworker/json-schema';
import { parseJsonText } from '@platen/core/json-text';

/**
 * Validates data against a JSON Schema (2020-12). The validator interprets schemas and generates no code from
 * them. It does not bound the cost of an untrusted schema (backtracking patterns, circular references), so
 * callers have to run it in a thread that can be terminated.
 */

/** One place where data does not match its schema. */
export interface DataFault {
  /** JSON Pointer (RFC 6901) of the faulty value; empty for the whole record. */
  pointer: string;
  message: string;
}

/** Maximum characters of a schema, as JSON. */
const MAX_SCHEMA = 64 * 1024;
const MAX_DEPTH = 50;
/** Maximum faults in one answer. */
const MAX_FAULTS = 20;

type Kind = 'schema' | 'schemas' | 'named' | 'text' | 'number' | 'flag' | 'list' | 'types';

/** The kinds of values of JSON Schema's keywords; other keywords are annotations and may have any value. */
const KEYWORDS: Readonly<Record<string, Kind>> = {
  ...kinds('schema', 'additionalProperties propertyNames items contains not if then else'),
  ...kinds('schema', 'unevaluatedItems unevaluatedProperties'),
  ...kinds('schemas', 'allOf anyOf oneOf prefixItems'),
  ...kinds('named', 'properties patternProperties dependentSchemas $defs definitions'),
  ...kinds('text', '$schema $id $anchor $ref $dynamicRef $dynamicAnchor format title description'),
  ...kinds('text', 'pattern $comment contentMediaType contentEncoding'),
  ...kinds('number', 'multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength'),
  ...kinds('number', 'maxItems minItems maxContains minContains maxProperties minProperties'),
  ...kinds('flag', 'uniqueItems deprecated readOnly writeOnly'),
  ...kinds('list', 'enum required examples'),
  ...kinds('types', 'type'),
};

function kinds(kind: Kind, names: string): Record<string, Kind> {
  return Object.fromEntries(names.split(' ').map((name) => [name, kind]));
}

/**
 * Elements of a list that a schema with `uniqueItems` may compare: the validator compares each one with each other
 * one, which takes a second for so many.
 */
const MAX_COMPARED = 10_000;

/** Thrown for data and a schema whose validation takes too much work. */
export class SchemaBudgetError extends Error {
  override readonly name = 'SchemaBudgetError';
}

const TYPES: readonly unknown[] = ['null', 'boolean', 'object', 'array', 'number', 'string', 'integer'];

/**
 * Checks a schema for a template's data.
 *
 * @returns words that complete the sentence "the schema …"; null when the schema is valid
 */
export function schemaFault(schema: object): string | null {
  const text = JSON.stringify(schema);
  if (text.length > MAX_SCHEMA) return `has more than ${MAX_SCHEMA} characters`;
  const open: { value: unknown; path: string; depth: number }[] = [{ value: schema, path: '', depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, path, depth } = next;
    const place = path === '' ? '' : ` at ${path}`;
    if (depth > MAX_DEPTH) return `is nested more than ${MAX_DEPTH} deep${place}`;
    if (typeof value === 'boolean') continue;
    if (!isObject(value)) return `has something else than a schema${place}`;
    for (const [name, member] of Object.entries(value)) {
      const at = `${path}/${name}`;
      const fault = memberFault(name, member, at, path === '', schema);
      if (fault !== null) return fault;
      for (const [below, inner] of subschemas(name, member)) {
        open.push({ value: inner, path: at + below, depth: depth + 1 });
      }
    }
  }
  return identifierFault(text);
}

/** Returns the fault of identifiers in the schema: of an `$id` that is no URI, or of two that are the same. */
function identifierFault(schema: string): string | null {
  try {
    void validatorOf(schema);
    return null;
  } catch (error) {
    return `has a faulty identifier: ${messageOf(error)}`;
  }
}

/** Returns a validator that finds own members only, whatever the names in schema and data. */
function validatorOf(schema: string): Validator {
  const own = withoutPrototypes(JSON.parse(schema), (value) => {
    if (Array.isArray(value)) return;
    // The validator looks formats up in an object, and keeps its notes as members of the schema.
    if (typeof value['format'] === 'string' && value['format'] in Object.prototype) delete value['format'];
    for (const note of VALIDATOR_NOTES) delete value[note];
  });
  return new Validator(own as Schema, '2020-12', false);
}

const VALIDATOR_NOTES = ['__absolute_uri__', '__absolute_ref__', '__absolute_recursive_ref__'];

/** @throws SchemaBudgetError for data that is nested too deeply */
function parsedRecord(record: string): unknown {
  try {
    return parseJsonText(record);
  } catch (error) {
    throw new SchemaBudgetError(`The data cannot be validated: ${messageOf(error)}.`);
  }
}

/** Returns the data of a record to validate. @throws SchemaBudgetError for a list that is too long to compare */
function ownData(record: string, isCompared: boolean): unknown {
  return withoutPrototypes(parsedRecord(record), (value) => {
    if (!Array.isArray(value) || !isCompared || value.length <= MAX_COMPARED) return;
    throw new SchemaBudgetError(
      `The data have a list of ${value.length} elements; with uniqueItems in the schema, a list has at most ` +
        `${MAX_COMPARED}.`,
    );
  });
}

/**
 * Returns parsed JSON with objects that have no prototype.
 *
 * @param look is called for each object and array before what is in it
 */
function withoutPrototypes(
  root: unknown,
  look: (value: Record<string, unknown> | unknown[]) => void,
): unknown {
  const top = { root };
  const open: object[] = [top];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const [key, value] of Object.entries(next) as [string, unknown][]) {
      if (typeof value !== 'object' || value === null) continue;
      const own = isObject(value)
        ? (Object.assign(Object.create(null) as object, value) as Record<string, unknown>)
        : (value as unknown[]);
      look(own);
      Reflect.set(next, key, own);
      open.push(own);
    }
  }
  return top.root;
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0]?.slice(0, 300) ?? '';
}

function subschemas(name: string, member: unknown): [string, unknown][] {
  const kind = Object.hasOwn(KEYWORDS, name) ? KEYWORDS[name] : undefined;
  if (kind === 'schema') return [['', member]];
  if (kind === 'schemas' && Array.isArray(member))
    return member.map((value, i) => [`/${i}`, value as unknown]);
  if (kind === 'named' && isObject(member))
    return Object.entries(member).map(([key, value]) => [`/${key}`, value]);
  return [];
}

function memberFault(
  name: string,
  value: unknown,
  at: string,
  isRoot: boolean,
  schema: object,
): string | null {
  const kind = Object.hasOwn(KEYWORDS, name) ? KEYWORDS[name] : undefined;
  if (kind !== undefined && !HOLDS[kind](value)) return `has a value at ${at} that ${name} cannot have`;
  if (name === '$id' && !isRoot) return `has an $id at ${at}, which only the whole schema may have`;
  if (name === '$ref' || name === '$dynamicRef') return referenceFault(String(value), at, schema);
  if (name === 'pattern') return patternFault(String(value), at);
  if (name === 'patternProperties' && isObject(value)) {
    for (const pattern of Object.keys(value)) {
      const fault = patternFault(pattern, at);
      if (fault !== null) return fault;
    }
  }
  return null;
}

const HOLDS: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  schema: (value) => typeof value === 'boolean' || isObject(value),
  schemas: (value) => Array.isArray(value) && value.length > 0,
  named: isObject,
  text: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  flag: (value) => typeof value === 'boolean',
  list: Array.isArray,
  types: (value) =>
    TYPES.includes(value) ||
    (Array.isArray(value) && value.length > 0 && value.every((type) => TYPES.includes(type))),
};

/**
 * Returns the fault of a reference: nothing is loaded, so a reference has to lead to a place in the schema
 * itself.
 */
function referenceFault(reference: string, at: string, schema: object): string | null {
  if (!reference.startsWith('#'))
    return `refers at ${at} to ${reference.slice(0, 100)}, which is not a part of it`;
  if (reference === '#') return null;
  if (!reference.startsWith('#/')) {
    const isAnchor = JSON.stringify(schema).includes(`nchor":${JSON.stringify(reference.slice(1))}`);
    return isAnchor ? null : `refers at ${at} to ${reference.slice(0, 100)}, which it does not have`;
  }
  let target: unknown = schema;
  for (const segment of reference.slice(2).split('/')) {
    const key = decoded(segment).replace(/~1/g, '/').replace(/~0/g, '~');
    target =
      (isObject(target) || Array.isArray(target)) && Object.hasOwn(target, key)
        ? Reflect.get(target, key)
        : undefined;
  }
  return target === undefined
    ? `refers at ${at} to ${reference.slice(0, 100)}, which it does not have`
    : null;
}

function patternFault(pattern: string, at: string): string | null {
  try {
    // The validator compiles patterns with the same flag.
    void new RegExp(pattern, 'u');
    return null;
  } catch {
    return `has a pattern at ${at} that is no regular expression`;
  }
}

/** Keywords whose error only repeats that a subschema does not match; the subschema reports its own error. */
const PASSED_ON: ReadonlySet<string> = new Set(
  (
    'properties patternProperties additionalProperties unevaluatedProperties propertyNames items prefixItems ' +
    'unevaluatedItems allOf $ref $dynamicRef dependentSchemas if then else'
  ).split(' '),
);

/**
 * Validates a record against a schema.
 *
 * @param schema JSON text of a schema for which `schemaFault` returns null
 * @param record JSON text
 * @returns the first faults
 * @throws SchemaBudgetError for a schema that refers to itself endlessly, for data that is nested too deeply, and for
 *   lists that are too long to compare
 */
export function dataFaults(schema: string, record: string): DataFault[] {
  const data = ownData(record, schema.includes('"uniqueItems"'));
  let result: ReturnType<Validator['validate']>;
  try {
    result = validatorOf(schema).validate(data);
  } catch (error) {
    if (error instanceof RangeError) {
      throw new SchemaBudgetError('The schema of the data refers to itself without end.');
    }
    // Keywords of earlier drafts, which `schemaFault` takes for annotations, may have values that cannot be applied.
    return [{ pointer: '', message: `The schema cannot be applied: ${messageOf(error)}` }];
  }
  const { valid, errors } = result;
  if (valid) return [];
  // When no alternative matches, every alternative would report its own errors.
  const own = errors.filter(
    ({ keyword, keywordLocation }) =>
      !PASSED_ON.has(keyword) && !/\/(?:anyOf|oneOf|not|contains)\/\d*/.test(beforeKeyword(keywordLocation)),
  );
  // The validator also reports a member that does not match as an unknown member.
  const real = own
    .filter(({ keyword }) => keyword !== 'false')
    .map(({ instanceLocation }) => instanceLocation);
  const isReal = ({ keyword, instanceLocation: at }: OutputUnit): boolean =>
    keyword !== 'false' || !real.some((other) => other === at || other.startsWith(`${at}/`));
  const reported = own.length > 0 ? own.filter(isReal) : errors;
  const faults = reported.map(({ instanceLocation, error, keyword }) => ({
    pointer: decoded(instanceLocation.slice(1)),
    message: keyword === 'false' ? 'Must not be there' : error.replace(/\.$/, '').slice(0, 500),
  }));
  return faults.slice(0, MAX_FAULTS);
}

function beforeKeyword(location: OutputUnit['keywordLocation']): string {
  return location.slice(0, location.lastIndexOf('/') + 1);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
