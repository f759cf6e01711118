import { type FieldFault, PlatenError } from '@platen/core/errors';
import type { PdfFile } from '../model/index.ts';
import { nameText } from '../model/values.ts';
import type { Field } from './fields.ts';
import { buttonStates, type ButtonState, choicesOf, FLAGS, kindOf, type Option } from './read.ts';

/** The data that fills a form: by field name, or as nested objects by the parts of the names. */
export type FormData = { readonly [name: string]: FormValue };
export type FormValue = string | number | boolean | null | readonly FormValue[] | FormData;

/** The new state of a field. */
export type Filling =
  | { field: Field; kind: 'text'; text: string | null }
  | { field: Field; kind: 'choice'; chosen: readonly Option[] }
  | { field: Field; kind: 'switch'; on: ButtonState | null }
  | { field: Field; kind: 'image'; image: string | null };

/** Maximum number of faults in a response. */
const MAX_FAULTS = 100;
/** Maximum number of names that an error lists. */
const MAX_NAMES = 30;

/**
 * Matches values with fields of a form.
 *
 * @throws PlatenError `form_field_unknown` for names that the form does not have, `form_value_invalid` for values
 * that the fields cannot have, with a fault for each
 */
export function fillingsOf(file: PdfFile, fields: readonly Field[], data: FormData): Filling[] {
  const byName = Map.groupBy(fields, ({ name }) => name);
  const values: [string, FormValue][] = [];
  const unknown: string[] = [];
  collect(data, '', byName, values, unknown);
  if (unknown.length > 0) throw unknownFields(unknown, [...byName.keys()]);
  const faults: FieldFault[] = [];
  const fillings = values.flatMap(([name, value]) =>
    (byName.get(name) ?? []).flatMap((field, _index, named) => {
      const filling = fillingOf(file, field, named, value);
      if (typeof filling !== 'string') return [filling];
      if (faults.length < MAX_FAULTS) faults.push({ field: `data.${name}`, message: filling });
      return [];
    }),
  );
  const [first] = faults;
  if (first === undefined) return fillings;
  throw new PlatenError('form_value_invalid', `\`${first.field}\`: ${first.message}.`, { faults });
}

/** A name with full stops is a field's full name, or a path through objects. */
function collect(
  data: FormData,
  above: string,
  known: ReadonlyMap<string, unknown>,
  values: [string, FormValue][],
  unknown: string[],
): void {
  for (const [key, value] of Object.entries(data)) {
    const name = above === '' ? key : `${above}.${key}`;
    if (known.has(name)) values.push([name, value]);
    else if (isObject(value)) collect(value, name, known, values, unknown);
    else unknown.push(name);
  }
}

function isObject(value: FormValue): value is FormData {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unknownFields(unknown: readonly string[], known: readonly string[]): PlatenError {
  const names = known.slice(0, MAX_NAMES);
  const has =
    known.length === 0
      ? 'it has none'
      : `it has ${names.map((name) => `\`${name}\``).join(', ')}${known.length > names.length ? ' …' : ''}`;
  const faults = unknown.slice(0, MAX_FAULTS).map((name) => ({
    field: `data.${name.slice(0, 200)}`,
    message: 'the form has no field of this name',
    allowed: names,
  }));
  return new PlatenError(
    'form_field_unknown',
    `The form has no field \`${(unknown[0] ?? '').slice(0, 200)}\`: ${has}.`,
    { faults },
  );
}

/** @returns the new state, or the fault of the value */
function fillingOf(file: PdfFile, field: Field, named: readonly Field[], value: FormValue): Filling | string {
  switch (kindOf(field)) {
    case 'text':
      return textFilling(file, field, value);
    case 'choice':
    case 'list':
      return choiceFilling(file, field, value);
    case 'checkbox':
    case 'radio':
      return switchFilling(file, field, named, value);
    case 'button':
      if (value === null || value === '') return { field, kind: 'image', image: null };
      return typeof value === 'string'
        ? { field, kind: 'image', image: value }
        : 'a button requires an image: a `data:` address, or the name of a part of the request';
    case 'signature':
      return 'a signature field cannot be filled: use POST /v1/pdf/sign';
  }
}

function textFilling(file: PdfFile, field: Field, value: FormValue): Filling | string {
  const text = textOfValue(value);
  if (text === undefined) return 'a text field takes a text, a number or a boolean';
  const most = file.resolve(field.attributes['/MaxLen']);
  const length = text === null ? 0 : [...text].length;
  if (typeof most === 'number' && most > 0 && length > most) {
    return `the field takes ${most} characters at most, and the value has ${length}`;
  }
  return { field, kind: 'text', text };
}

/** null for no text; undefined for other values. */
function textOfValue(value: FormValue): string | null | undefined {
  if (value === null) return null;
  if (typeof value === 'object') return undefined;
  return String(value).toWellFormed().replace(/\r\n?/g, '\n');
}

function choiceFilling(file: PdfFile, field: Field, value: FormValue): Filling | string {
  const wanted = value === null || value === '' ? [] : Array.isArray(value) ? value : [value];
  const several = (field.flags & FLAGS.multiSelect) !== 0 && kindOf(field) === 'list';
  if (wanted.length > 1 && !several) return 'of this field one value can be chosen';
  const options = choicesOf(file, field);
  const chosen: Option[] = [];
  for (const one of wanted as readonly FormValue[]) {
    const text = textOfValue(one);
    if (text === undefined || text === null) return 'a choice is a text';
    const option =
      options.find((known) => known.value === text) ?? options.find((known) => known.label === text);
    const isFree = (field.flags & FLAGS.combo) !== 0 && (field.flags & FLAGS.edit) !== 0;
    if (option === undefined && !isFree) {
      return `\`${text.slice(0, 100)}\` is not one of ${listed(options.map((known) => known.value))}`;
    }
    chosen.push(option ?? { value: text, label: text });
  }
  return { field, kind: 'choice', chosen };
}

const YES = new Set(['true', 'yes', 'on', '1']);
const NO = new Set(['false', 'no', 'off', '0', '']);

/** @param all the fields of its name, which are one field (12.7.4.2): if one of them is on, the others are off */
function switchFilling(
  file: PdfFile,
  field: Field,
  all: readonly Field[],
  value: FormValue,
): Filling | string {
  const own = buttonStates(file, field);
  const [first] = own;
  const states = [
    ...own,
    ...all.filter((other) => other !== field).flatMap((other) => buttonStates(file, other)),
  ];
  if (typeof value === 'object' && value !== null)
    return 'a button takes a boolean, or the name of its state';
  const text = String(value ?? '');
  const named =
    states.find(({ option }) => option === text) ?? states.find(({ state }) => nameText(state) === text);
  if (named !== undefined && typeof value !== 'boolean') return { field, kind: 'switch', on: named };
  if (value === null || NO.has(text.toLowerCase())) return { field, kind: 'switch', on: null };
  const isSingle = new Set(own.map(({ state }) => state)).size === 1;
  if (first !== undefined && isSingle && YES.has(text.toLowerCase()))
    return { field, kind: 'switch', on: first };
  return `\`${text.slice(0, 100)}\` is not one of ${listed(states.map(({ option }) => option))}`;
}

function listed(values: readonly string[]): string {
  const shown = [...new Set(values)].slice(0, MAX_NAMES).map((value) => `\`${value}\``);
  return shown.length === 0 ? 'the options, because it has none' : shown.join(', ');
}
