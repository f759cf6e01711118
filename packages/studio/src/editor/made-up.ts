import { isObject } from '../api/json.ts';
import type { Json, Schema } from '../api/types.ts';
import { labelOf } from './options.ts';

/** Makes up data for a template from the fields that it uses: a page is seen before anybody has typed data. */

/** Rows of a list without data. */
const ROWS = 3;
/** Most values: a schema that refers to itself many times has no end otherwise. */
const MOST = 2_000;

/** Values by the words of a name, for the row of a list; the first match counts. */
const BY_NAME: readonly [RegExp, readonly Json[]][] = [
  [/\be?mail/, ['ada@example.org', 'grace@example.org', 'joan@example.org']],
  [
    /\b(phone|tel|telephone|telefon|fax|mobile?)\b/,
    ['+44 20 7946 0958', '+44 20 7946 0321', '+44 20 7946 0777'],
  ],
  [/\b(url|link|website|homepage)\b/, ['https://example.org']],
  [/\biban\b/, ['DE02 1203 0000 0000 2020 51']],
  [/\b(bic|swift)\b/, ['BYLADEM1001']],
  [/\b(currency|waehrung|währung)\b/, ['EUR']],
  [
    /\b(date|datum|day|due|issued|deadline|birthday|until|faellig|fällig)\b/,
    ['2026-03-14', '2026-04-02', '2026-05-21'],
  ],
  [/\b(year|jahr)\b/, [2026]],
  [/\b(first|given) ?name\b|\bvorname\b/, ['Ada', 'Grace', 'Joan']],
  [/\b(last|family) ?name\b|\b(surname|nachname)\b/, ['Lovelace', 'Hopper', 'Clarke']],
  [
    /\b(company|organi[sz]ation|firma|employer|vendor|supplier)\b/,
    ['Harbour & Sons Ltd', 'Northwind GmbH', 'Atlas SA'],
  ],
  [/\b(street|address|adresse|stra(ss|ß)e)\b/, ['12 Harbour Street', '4 Mill Lane', '30 Station Road']],
  [/\b(zip|postcode|postal ?code|plz)\b/, ['20095', '10115', '80331']],
  [/\b(city|town|ort|stadt)\b/, ['Hamburg', 'Berlin', 'Munich']],
  [/\b(country|land)\b/, ['Germany', 'France', 'Spain']],
  [/\b(quantity|qty|count|hours|menge|anzahl|pieces|units)\b/, [2, 1, 3]],
  [/\b(rate|percent|percentage|vat|tax|discount|steuer|mwst|rabatt)\b/, [19, 7, 5]],
  [
    /\b(price|amount|total|subtotal|sum|net|gross|cost|balance|fee|salary|preis|betrag|summe|gesamt|netto|brutto)\b/,
    [1250, 79.5, 120],
  ],
  [/\b(number|no|nr|nummer|id|code|reference|sku)\b/, ['2026-0042', '2026-0043', '2026-0044']],
  [
    /\b(description|text|note|notes|message|comment|remarks|beschreibung|bemerkung)\b/,
    ['A short text for this place.'],
  ],
  [/\b(item|product|article|artikel|produkt)\b/, ['Paper', 'Ink', 'Envelopes']],
  [
    /\b(name|customer|client|recipient|author|person|kunde|contact|sender)\b/,
    ['Ada Lovelace', 'Grace Hopper', 'Joan Clarke'],
  ],
];
const NUMBERS = [12, 7, 30];
const DATES: Readonly<Record<string, readonly string[]>> = {
  date: ['2026-03-14', '2026-04-02', '2026-05-21'],
  'date-time': ['2026-03-14T09:30:00', '2026-04-02T14:00:00', '2026-05-21T16:45:00'],
  time: ['09:30:00', '14:00:00', '16:45:00'],
};

/**
 * Returns a value for a schema, with all its fields.
 *
 * @param given data that are kept; only what they lack is made up
 * @param name of the value, which tells what it could be
 * @param row of the list that it is in
 */
export function madeUp(schema: Schema, given?: Json, name = '', row = 0): Json {
  let left = MOST;
  const make = (member: Schema, known: Json | undefined, called: string, at: number): Json => {
    left -= 1;
    const { properties = {}, additionalProperties, items } = member;
    const type = typeOf(member);
    if (type === 'object' && (known === undefined || isObject(known))) {
      const made = new Map<string, Json>(Object.entries(known ?? {}));
      const names = Object.entries(properties);
      if (isSchema(additionalProperties) && made.size === 0)
        names.push(['first', additionalProperties], ['second', additionalProperties]);
      for (const [key, inner] of names)
        if (left > 0) made.set(key, make(inner, made.get(key), nameIn(called, key), at));
      return Object.fromEntries(made);
    }
    if (type === 'array' && (known === undefined || Array.isArray(known))) {
      const rows = known ?? Array.from({ length: ROWS }, () => undefined);
      return rows.map((item, index) => make(items ?? {}, item, singular(called), index));
    }
    return known === undefined ? single(member, type, called, at) : known;
  };
  return make(schema, given, name, row);
}

/**
 * Returns the JSON of made-up data.
 *
 * @param declared the schema that data must match, whose types come first
 */
export function madeUpText(fields: Schema | null, declared: Schema | null, given?: Json): string {
  const schema = merged(fields ?? {}, declared ?? {});
  return JSON.stringify(madeUp({ ...schema, type: 'object' }, given), null, 2);
}

/** Returns a schema with the members of both. @param stronger decides what both state */
export function merged(schema: Schema, stronger: Schema): Schema {
  const properties = { ...schema.properties };
  for (const [name, member] of Object.entries(stronger.properties ?? {}))
    properties[name] = merged(Object.hasOwn(properties, name) ? (properties[name] ?? {}) : {}, member);
  const { items } = stronger;
  return {
    ...schema,
    ...stronger,
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
    ...(items === undefined ? {} : { items: merged(schema.items ?? {}, items) }),
  };
}

/** Returns the type that a schema states or implies; undefined for any single value. */
export function typeOf({ type, properties, additionalProperties, items }: Schema): string | undefined {
  const stated = Array.isArray(type) ? type.find((one) => one !== 'null') : type;
  if (stated !== undefined) return stated;
  if (properties !== undefined || isSchema(additionalProperties)) return 'object';
  return items === undefined ? undefined : 'array';
}

function single(schema: Schema, type: string | undefined, name: string, row: number): Json {
  const choices = schema.enum ?? schema.examples;
  if (choices !== undefined && choices.length > 0) return choices[row % choices.length] ?? null;
  if (type === 'boolean') return true;
  const dates = DATES[schema.format ?? ''];
  if (dates !== undefined) return pick(dates, row);
  const values = BY_NAME.find(([words]) => words.test(wordsOf(name)))?.[1];
  if (type === 'number' || type === 'integer') {
    const value = values && pick(values, row);
    const number = typeof value === 'number' ? value : pick(NUMBERS, row);
    return type === 'integer' ? Math.round(Number(number)) : number;
  }
  const value = values === undefined ? labelOf(wordsOf(name)) : pick(values, row);
  return type === 'string' && typeof value === 'number' ? `${value}` : value;
}

const pick = (values: readonly Json[], row: number): Json => values[row % values.length] ?? null;

/** Returns the words of a name: `unitPrice` and `unit_price` are `unit price`. */
const wordsOf = (name: string): string =>
  name
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replaceAll(/[_\W]+/gu, ' ')
    .trim()
    .toLowerCase();

/** A name that says little is that of what it is in: `item name`. */
const nameIn = (outer: string, name: string): string =>
  /^(?:name|title|label|bezeichnung)$/i.test(name) ? `${outer} ${name}`.trim() : name;

const singular = (name: string): string => name.replace(/s$/, '');

const isSchema = (value: Schema | boolean | undefined): value is Schema => typeof value === 'object';
