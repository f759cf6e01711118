import { type OutputUnit, type Schema, Validator } from '@cfworker/json-schema';
import { parseJsonText } from '@platen/core/json-text';

/**
 * Checking data by a JSON Schema (2020-12). The validator interprets schemas and makes no code of them. What a schema
 * of a stranger may cost (patterns that backtrack, references in circles) is bounded by who calls this: it is to be
 * done in a thread that can be ended.
 */

/** One way in which data do not fit. */
export interface DataFault {
  /** JSON Pointer (RFC 6901) of the value at fault; empty for the whole. */
  pointer: string;
  message: string;
}

/** Characters of a schema, as JSON. */
const MAX_SCHEMA = 64 * 1024;
const MAX_DEPTH = 50;
/** Faults that are told. */
const MAX_FAULTS = 20;

type Kind = 'schema' | 'schemas' | 'named' | 'text' | 'number' | 'flag' | 'list' | 'types';

/** What the keywords of JSON Schema hold; others are annotations and may hold anything. */
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

const TYPES: readonly unknown[] = ['null', 'boolean', 'object', 'array', 'number', 'string', 'integer'];

/**
 * What is wrong with a schema that a template is to have.
 *
 * @returns words that complete the sentence "the schema …"; null when nothing is
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
  return null;
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
  if (name === '$id' && !isRoot) return `has an $id at ${at}: only the whole may have one`;
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

/** Nothing is loaded: a reference leads to a place in the schema itself. */
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
    // The flag with which the validator reads it.
    void new RegExp(pattern, 'u');
    return null;
  } catch {
    return `has a pattern at ${at} that is no regular expression`;
  }
}

/** Keywords that say that something below them does not fit, which is told apart. */
const PASSED_ON: ReadonlySet<string> = new Set(
  (
    'properties patternProperties additionalProperties unevaluatedProperties propertyNames items prefixItems ' +
    'unevaluatedItems allOf $ref $dynamicRef dependentSchemas if then else'
  ).split(' '),
);

/**
 * Looks whether a record fits a schema.
 *
 * @param schema JSON text of a schema that `schemaFault` finds nothing wrong with
 * @param record JSON text
 * @returns what does not fit, the first faults of it
 * @throws RangeError for a schema that leads back to itself for ever
 */
export function dataFaults(schema: string, record: string): DataFault[] {
  const validator = new Validator(JSON.parse(schema) as Schema, '2020-12', false);
  const { valid, errors } = validator.validate(parseJsonText(record));
  if (valid) return [];
  // Of alternatives none of which fits, each would tell why it does not.
  const own = errors.filter(
    ({ keyword, keywordLocation }) =>
      !PASSED_ON.has(keyword) && !/\/(?:anyOf|oneOf|not|contains)\/\d*/.test(beforeKeyword(keywordLocation)),
  );
  // The validator takes a member that does not fit for one that nobody has described.
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
