import { Float } from '@platen/jinja';
import type { ast } from '@platen/jinja/syntax';
import type { Shape, TypeName } from './shape.ts';

/** The types that filters and tests of the template languages imply for their input. */

function typed(type: TypeName, names: string): [string, TypeName][] {
  return names.split(' ').map((name) => [name, type]);
}

/** Input types of filters. */
const FILTER_INPUT: ReadonlyMap<string, TypeName> = new Map([
  ...typed(
    'number',
    'round abs filesizeformat format_decimal format_currency format_percent format_scientific',
  ),
  ...typed('number', 'decimalformat numberformat currencyformat percentformat scientificformat spell_out'),
  ...typed('array', 'format_list'),
  ...typed('number', 'plus minus times divided_by modulo ceil floor at_least at_most'),
  ...typed('string', 'upper lower title capitalize trim truncate wordwrap striptags urlize indent wordcount'),
  ...typed('string', 'center upcase downcase strip lstrip rstrip truncatewords strip_html newline_to_br'),
  ...typed(
    'string',
    'append prepend remove remove_first replace replace_first split strip_newlines url_decode',
  ),
  ...typed('array', 'join sort map select reject selectattr rejectattr unique batch slice groupby sum'),
  ...typed(
    'array',
    'min max first last random where where_exp sort_natural uniq compact concat find group_by',
  ),
  ...typed('object', 'dictsort xmlattr'),
]);

/** Formats of texts that filters for dates imply; they take dates of other types too. */
const INPUT_FORMAT: ReadonlyMap<string, string> = new Map([
  ...['format_date', 'dateformat', 'date', 'date_to_string', 'date_to_long_string'].map(
    (name) => [name, 'date'] as const,
  ),
  ...['format_datetime', 'datetimeformat', 'date_to_rfc822', 'date_to_xmlschema'].map(
    (name) => [name, 'date-time'] as const,
  ),
]);

/** Adds what a filter implies for its input. */
export function addFilterInput(name: string, input: Shape | null): void {
  const type = FILTER_INPUT.get(name);
  if (type !== undefined) input?.is(type);
  if (input !== null) input.format ??= INPUT_FORMAT.get(name);
}

/** Filters that return a list with elements of their input list. */
export const SAME_LIST: ReadonlySet<string> = new Set(
  'sort select reject selectattr rejectattr unique reverse list where where_exp sort_natural uniq compact'.split(
    ' ',
  ),
);

/** Filters that return an element of their input list. */
export const ELEMENT: ReadonlySet<string> = new Set(['first', 'last', 'random', 'min', 'max', 'find']);

/** Filters that return their input or a replacement for it. */
export const SAME_VALUE: ReadonlySet<string> = new Set([
  'default',
  'd',
  'safe',
  'e',
  'escape',
  'forceescape',
]);

/**
 * The types that tests check for; the value may have another type too, but the test shows which type is
 * expected.
 */
export const TESTED: ReadonlyMap<string, TypeName> = new Map([
  ...typed('number', 'number float'),
  ...typed('integer', 'integer odd even divisibleby'),
  ...typed('string', 'string upper lower'),
  ...typed('boolean', 'boolean true false'),
  ...typed('object', 'mapping'),
  ...typed('array', 'sequence iterable'),
]);

/** Methods of Python's values, and the types that have them. */
export const METHODS: ReadonlyMap<string, TypeName> = new Map([
  ...typed('object', 'items keys values get'),
  ...typed('array', 'append extend insert'),
  ...typed(
    'string',
    'upper lower title capitalize strip lstrip rstrip split rsplit splitlines replace startswith',
  ),
  ...typed('string', 'endswith format join zfill ljust rjust center find isdigit isalpha swapcase casefold'),
]);

/** Returns the type of a constant in a template. */
export function typeOfConstant(value: unknown): TypeName | undefined {
  if (typeof value === 'number' || typeof value === 'bigint' || value instanceof Float) return 'number';
  if (typeof value === 'boolean') return 'boolean';
  return typeof value === 'string' ? 'string' : undefined;
}

/** Filters whose first argument is an attribute. */
export const ATTRIBUTE_FIRST: ReadonlySet<string> = new Set(['selectattr', 'rejectattr', 'groupby', 'sum']);

/** Returns the shape of the part of an element that an attribute such as `address.city` names. */
export function attributeOf(element: Shape, node: ast.Expression): Shape | null {
  if (node.kind !== 'const' || typeof node.value !== 'string') return null;
  return node.value
    .split('.')
    .reduce((shape, name) => (/^\d+$/.test(name) ? shape.items : shape.property(name)), element);
}
