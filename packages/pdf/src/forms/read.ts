import { PlatenError } from '@platen/core/errors';
import { boxOf, pageGeometry, type PageGeometry, type Place, placeOf } from '../model/page-geometry.ts';
import type { PdfFile } from '../model/index.ts';
import { isDict, isString, nameText, stringText, textOf } from '../model/values.ts';
import type { PdfDict, PdfValue, Ref } from '../model/values.ts';
import { type Field, fieldsOf, type FormSource, type Widget } from './fields.ts';

export type FieldKind = 'text' | 'checkbox' | 'radio' | 'choice' | 'list' | 'button' | 'signature';

/** A place of a field, on its page as displayed; without a page, the field is not shown. */
export type FieldPlace = { page: number | null } & Place;

/** A field in the response. */
export interface FormField extends FieldPlace {
  name: string;
  kind: FieldKind;
  /**
   * Text of a text field; for a check box whether it is checked (or which one of several), for radio buttons and
   * single choices the selected option, for multiple choices all selected ones; for a signature field whether it
   * is signed. null: no value.
   */
  value: string | boolean | string[] | null;
  /** The options, as they are written in `data`. */
  options: string[];
  /** The displayed texts of the options, if they differ. */
  labels?: string[];
  required: boolean;
  readOnly: boolean;
  multiline?: true;
  /** For a choice: whether any other text is also permitted. */
  free?: true;
  /** Maximum number of characters. */
  maxLength?: number;
  /** All places, if a field has several. */
  places?: FieldPlace[];
}

/** Bits of `/Ff` (tables 227 to 230). */
export const FLAGS = {
  readOnly: 1,
  required: 2,
  multiline: 1 << 12,
  password: 1 << 13,
  radio: 1 << 15,
  pushButton: 1 << 16,
  combo: 1 << 17,
  edit: 1 << 18,
  multiSelect: 1 << 21,
  comb: 1 << 24,
} as const;

/**
 * The fields of a form.
 *
 * @throws PlatenError `form_xfa` for a form that consists only of XFA; `pdf_too_complex`
 */
export function readForm(objects: PdfFile): FormField[] {
  const fields = fieldsOf(objects);
  refuseXfa(objects, fields.length);
  const geometry = new Geometries(objects);
  const told = Map.groupBy(
    fields.map((field) => described(objects, field, geometry)),
    ({ name, kind }) => `${kind} ${name}`,
  );
  return [...told.values()].map(united);
}

/** Fields with the same name are one field (12.7.4.2), even if a document contains several objects for it. */
function united([first, ...others]: FormField[]): FormField {
  if (first === undefined) throw new Error('no field is no field');
  if (others.length === 0) return first;
  const all = [first, ...others];
  const places = all.flatMap(({ places: several, page, x, y, w, h }) => several ?? [{ page, x, y, w, h }]);
  const value = all.find((field) => field.value !== null && field.value !== false)?.value ?? first.value;
  const { labels: _, ...rest } = first;
  const isSame = all.every(({ options }) => options.join('\0') === first.options.join('\0'));
  return isSame
    ? { ...first, value, places }
    : { ...rest, value, options: [...new Set(all.flatMap(({ options }) => options))], places };
}

/** True for a form with XFA data in addition to PDF fields. */
export function hasXfa(source: FormSource): boolean {
  return source.dict(source.catalog['/AcroForm'])['/XFA'] !== undefined;
}

/**
 * @throws PlatenError `form_xfa` for a document that consists only of XFA, whose pages are created by the reader
 */
export function refuseXfa(source: FormSource, fields: number): void {
  if (!hasXfa(source)) return;
  if (fields > 0 && source.resolve(source.catalog['/NeedsRendering']) !== true) return;
  throw new PlatenError(
    'form_xfa',
    'The form is an XFA form: its fields are XML that only the program of its vendor shows, not PDF fields.',
  );
}

/** Returns the kind of a field, by its type and its flags. */
export function kindOf({ type, flags }: Pick<Field, 'type' | 'flags'>): FieldKind {
  if (type === '/Tx') return 'text';
  if (type === '/Sig') return 'signature';
  if (type === '/Ch') return (flags & FLAGS.combo) === 0 ? 'list' : 'choice';
  if ((flags & FLAGS.pushButton) !== 0) return 'button';
  return (flags & FLAGS.radio) === 0 ? 'checkbox' : 'radio';
}

/** The name of a button's on state; undefined for a button without appearances. */
export function onState(source: FormSource, { dict }: Pick<Widget, 'dict'>): string | undefined {
  const normal = source.resolve(source.dict(dict['/AP'])['/N']);
  const states = isDict(normal) ? Object.keys(normal) : [];
  return states.find((state) => state !== '/Off');
}

/** An option of a choice: its export value, and its text. */
export interface Option {
  value: string;
  label: string;
}

/** The options of a choice (12.7.5.4). */
export function choicesOf(source: FormSource, field: Field): Option[] {
  return source.array(field.attributes['/Opt']).flatMap((entry) => {
    const value = source.resolve(entry);
    if (isString(value)) return [{ value: textOf(value), label: textOf(value) }];
    const [written, shown] = source.array(value).map((part) => source.resolve(part));
    return isString(written) ? [{ value: textOf(written), label: textOf(shown ?? written) }] : [];
  });
}

/** A widget of a button with its on state, and the name of that state for people. */
export interface ButtonState {
  widget: Widget;
  /** The key in the appearance dictionary, with its slash. */
  state: string;
  option: string;
}

/** The states of check boxes and radio buttons; `/Opt` may have the names of numbered states (12.7.5.2.3). */
export function buttonStates(source: FormSource, field: Field): ButtonState[] {
  const names = source.array(field.attributes['/Opt']).map((entry) => source.resolve(entry));
  return field.widgets.map((widget, index) => {
    const state = onState(source, widget) ?? (field.widgets.length === 1 ? '/Yes' : `/${index}`);
    const named = names[index];
    return { widget, state, option: isString(named) ? textOf(named) : stateText(state) };
  });
}

/** The name of a state for people; some programs write it in UTF-16, as if it were a string. */
function stateText(state: string): string {
  const name = nameText(state);
  return name.startsWith('\u00fe\u00ff')
    ? stringText(`b:${Buffer.from(name, 'latin1').toString('hex')}`)
    : name;
}

function described(objects: PdfFile, field: Field, geometry: Geometries): FormField {
  const kind = kindOf(field);
  const places = field.widgets.map((widget) => geometry.placeOf(widget));
  const [first = { page: null, x: 0, y: 0, w: 0, h: 0 }] = places;
  const maxLength = objects.resolve(field.attributes['/MaxLen']);
  const described: FormField = {
    name: field.name,
    kind,
    ...contentOf(objects, field, kind),
    required: (field.flags & FLAGS.required) !== 0,
    readOnly: (field.flags & FLAGS.readOnly) !== 0,
    ...first,
  };
  if (kind === 'text' && (field.flags & FLAGS.multiline) !== 0) described.multiline = true;
  if (kind === 'text' && typeof maxLength === 'number' && maxLength > 0) described.maxLength = maxLength;
  if (kind === 'choice' && (field.flags & FLAGS.edit) !== 0) described.free = true;
  if (places.length > 1) described.places = places;
  return described;
}

function contentOf(
  objects: PdfFile,
  field: Field,
  kind: FieldKind,
): Pick<FormField, 'value' | 'options' | 'labels'> {
  const value = objects.resolve(field.attributes['/V']);
  switch (kind) {
    case 'text':
      return { value: isString(value) ? textOf(value) : null, options: [] };
    case 'button':
      return { value: null, options: [] };
    case 'signature':
      return { value: isDict(value), options: [] };
    case 'choice':
    case 'list':
      return chosen(objects, field, kind, value);
    default:
      return switched(objects, field, kind, value);
  }
}

function chosen(
  objects: PdfFile,
  field: Field,
  kind: 'choice' | 'list',
  value: PdfValue,
): Pick<FormField, 'value' | 'options' | 'labels'> {
  const options = choicesOf(objects, field);
  const values = (Array.isArray(value) ? value.map((entry) => objects.resolve(entry)) : [value])
    .filter(isString)
    .map(textOf);
  const several = kind === 'list' && (field.flags & FLAGS.multiSelect) !== 0;
  const labels = options.map(({ label }) => label);
  return {
    value: several ? values : (values[0] ?? null),
    options: options.map((option) => option.value),
    ...(options.some((option) => option.value !== option.label) ? { labels } : {}),
  };
}

function switched(
  objects: PdfFile,
  field: Field,
  kind: 'checkbox' | 'radio',
  value: PdfValue,
): Pick<FormField, 'value' | 'options'> {
  const states = buttonStates(objects, field);
  const on = states.find(({ widget, state }) => {
    const shown = objects.resolve(widget.dict['/AS']);
    return value === state || (typeof value !== 'string' && shown === state);
  });
  const options = [...new Set(states.map(({ option }) => option))];
  if (kind === 'checkbox' && options.length <= 1) return { value: on !== undefined, options };
  return { value: on?.option ?? null, options };
}

/** Places of widgets on pages as displayed; the geometry of a page is computed once. */
class Geometries {
  readonly #objects: PdfFile;
  readonly #pages = new Map<Ref, PageGeometry>();

  constructor(objects: PdfFile) {
    this.#objects = objects;
  }

  placeOf({ dict, page, pageRef }: Widget): FieldPlace {
    const box = rectangleOf(this.#objects, dict);
    if (pageRef === null || box === undefined) return { page, x: 0, y: 0, w: 0, h: 0 };
    let geometry = this.#pages.get(pageRef);
    if (geometry === undefined) {
      geometry = pageGeometry(this.#objects, pageRef);
      this.#pages.set(pageRef, geometry);
    }
    return { page, ...placeOf(geometry, box) };
  }
}

/** The rectangle of a widget; undefined for one without an area, which is invisible. */
export function rectangleOf(source: FormSource, dict: PdfDict): ReturnType<typeof boxOf> {
  return boxOf(source, dict['/Rect']);
}
