import { isPlatenError } from '@platen/core/errors';
import type { PdfFile } from '../model/index.ts';
import type { TextSetter } from '../text/index.ts';
import { isString, type PdfDict, textOf } from '../model/values.ts';
import { drawStates } from './buttons.ts';
import { type Field, fieldsOf, type Widget } from './fields.ts';
import { formattedValue } from './formats.ts';
import { buttonStates, choicesOf, kindOf, type Option } from './read.ts';
import { edit, styleOf } from './style.ts';
import { drawText, type Shown } from './text-field.ts';

/** Draws fields without an appearance: readers draw them differently, or not at all. */

/**
 * Draws widgets of a field that shows text.
 *
 * @param shrinks whether the text is reduced until it fits, even if the form sets its size
 * @returns whether the value is shown in the field's format, if it has one
 * @throws PlatenError as `drawText`
 */
export async function drawField(
  file: PdfFile,
  setter: TextSetter,
  field: Field,
  shown: Shown,
  widgets: readonly Widget[] = field.widgets,
  shrinks = false,
): Promise<boolean> {
  const isValue = 'text' in shown && ['text', 'choice'].includes(kindOf(field));
  const formatted = isValue ? formattedValue(file, field, shown.text) : undefined;
  for (const widget of widgets) {
    const style = styleOf(file, field, widget);
    if (style === undefined) continue;
    const { colour = style.text.colour } = formatted ?? {};
    const text = { ...style.text, colour, shrinks: shrinks || style.text.shrinks };
    const normal = await drawText(file, setter, field, { ...style, text }, formatted ?? shown);
    edit(file, widget.ref, { '/AP': { '/N': normal }, '/AS': null });
  }
  return !isValue || formatted !== undefined;
}

/** Returns the text that a choice shows for its selected value. */
export function shownChoice(file: PdfFile, field: Field, chosen: readonly Option[]): Shown {
  if (kindOf(field) === 'choice') return { text: chosen[0]?.label ?? '' };
  const top = file.resolve(file.dict(field.ref)['/TI']);
  return {
    options: choicesOf(file, field),
    chosen: new Set(chosen.map(({ value }) => value)),
    top: typeof top === 'number' && top > 0 ? Math.floor(top) : 0,
  };
}

/** Returns the text that a text field or a choice shows for its value. */
export function shownValue(file: PdfFile, field: Field): Shown {
  const value = file.resolve(field.attributes['/V']);
  const values = (Array.isArray(value) ? value.map((entry) => file.resolve(entry)) : [value])
    .filter(isString)
    .map(textOf);
  if (kindOf(field) === 'text') return { text: values[0] ?? '' };
  const options = choicesOf(file, field);
  const chosen = values.map(
    (one) => options.find((option) => option.value === one) ?? { value: one, label: one },
  );
  return shownChoice(file, field, chosen);
}

/** Returns whether a form has fields that readers would draw. */
export function hasFieldsToDraw(file: PdfFile): boolean {
  if (file.catalog['/AcroForm'] === undefined) return false;
  const isAsked = needsAppearances(file);
  return fieldsOf(file).some((field) => widgetsToDraw(file, field, isAsked).length > 0);
}

/** Returns whether a form asks readers to draw its fields (`/NeedAppearances`), because appearances may be outdated. */
export function needsAppearances(file: PdfFile): boolean {
  return file.resolve(file.dict(file.catalog['/AcroForm'])['/NeedAppearances']) === true;
}

/**
 * Returns the places of a field that readers draw: those without an appearance, and all of a text or choice in a form
 * that asks readers. LibreOffice writes such forms, with empty appearances.
 */
function widgetsToDraw(file: PdfFile, field: Field, isAsked: boolean): readonly Widget[] {
  const isText = ['text', 'choice', 'list'].includes(kindOf(field));
  return isAsked && isText ? field.widgets : bareWidgets(file, field);
}

/** Places of a field that have an area and no appearance. */
function bareWidgets(file: PdfFile, field: Field): Widget[] {
  return field.widgets.filter(
    (widget) =>
      file.resolve(file.dict(file.dict(widget.ref)['/AP'])['/N']) === null &&
      styleOf(file, field, widget) !== undefined,
  );
}

/**
 * Draws fields as readers would: text fields and choices with their values, boxes in their current state, buttons
 * with their caption, empty signature fields. A field with a character that no font has stays unchanged.
 *
 * @param fields except those that are already drawn
 * @param shrinks as in `drawField`
 * @returns the fields that stay unchanged, and the names of those whose values are not shown in their format
 */
export async function drawFields(
  file: PdfFile,
  setter: TextSetter,
  fields: readonly Field[],
  shrinks = false,
): Promise<{ undrawn: Field[]; unformatted: string[] }> {
  const isAsked = needsAppearances(file);
  const undrawn: Field[] = [];
  const unformatted: string[] = [];
  for (const field of fields) {
    const widgets = widgetsToDraw(file, field, isAsked);
    if (widgets.length === 0) continue;
    try {
      if (!(await drawBare(file, setter, field, widgets, shrinks))) unformatted.push(field.name);
    } catch (error) {
      if (!isPlatenError(error) || error.code !== 'invalid_field') throw error;
      undrawn.push(field);
    }
  }
  return { undrawn, unformatted };
}

/**
 * Draws fields as readers would, as `drawFields` does.
 *
 * @param texts sets their text; called only if there is one to draw
 * @param isSeen returns whether a widget is considered
 * @returns the names of fields whose values are not shown in their format
 * @throws PlatenError `invalid_field` for a character that no font has
 */
export async function drawForReaders(
  file: PdfFile,
  texts: () => TextSetter,
  isSeen: (file: PdfFile, widget: PdfDict) => boolean,
): Promise<string[]> {
  const unformatted: string[] = [];
  const isAsked = needsAppearances(file);
  for (const field of fieldsOf(file)) {
    const widgets = widgetsToDraw(file, field, isAsked);
    const seen = widgets.filter(({ ref }) => isSeen(file, file.dict(ref)));
    if (seen.length > 0 && !(await drawBare(file, texts(), field, seen))) unformatted.push(field.name);
  }
  return unformatted;
}

/** @returns as `drawField` */
async function drawBare(
  file: PdfFile,
  setter: TextSetter,
  field: Field,
  widgets: readonly Widget[],
  shrinks = false,
): Promise<boolean> {
  switch (kindOf(field)) {
    case 'text':
    case 'choice':
    case 'list':
      return await drawField(file, setter, field, shownValue(file, field), widgets, shrinks);
    case 'signature':
      return await drawField(file, setter, field, { text: '' }, widgets);
    case 'button':
      await drawPushButton(file, setter, field, widgets);
      return true;
    default:
      drawSwitches(file, field, widgets);
      return true;
  }
}

/** Push buttons with a centred caption. */
async function drawPushButton(
  file: PdfFile,
  setter: TextSetter,
  field: Field,
  widgets: readonly Widget[],
): Promise<void> {
  for (const widget of widgets) {
    const style = styleOf(file, field, widget);
    const caption = file.resolve(file.dict(file.dict(widget.ref)['/MK'])['/CA']);
    if (style === undefined) continue;
    const text = isString(caption) ? textOf(caption) : '';
    const normal = await drawText(file, setter, field, { ...style, alignment: 1 }, { text });
    edit(file, widget.ref, { '/AP': { '/N': { '/Off': normal } }, '/AS': '/Off' });
  }
}

/** Check boxes and radio buttons, each in its current state. */
function drawSwitches(file: PdfFile, field: Field, widgets: readonly Widget[]): void {
  const value = file.resolve(field.attributes['/V']);
  const bare = new Set(widgets);
  for (const { widget, state } of buttonStates(file, field)) {
    if (!bare.has(widget)) continue;
    drawStates(file, field, widget, state);
    const shown = typeof value === 'string' ? value : file.resolve(widget.dict['/AS']);
    edit(file, widget.ref, { '/AS': shown === state ? state : '/Off' });
  }
}
