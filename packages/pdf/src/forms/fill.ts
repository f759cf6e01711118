import type { PdfFile } from '../model/index.ts';
import type { TextSetter } from '../text/index.ts';
import { isDict, pdfText } from '../model/values.ts';
import type { PdfDict, PdfValue } from '../model/values.ts';
import { switchButtons } from './buttons.ts';
import { type Field, fieldsOf } from './fields.ts';
import { flattenAnnotations, isWidget } from '../steps/flatten.ts';
import { type ImageParts, showImage } from './image-button.ts';
import { needsAppearances, drawField, drawFields, shownChoice, shownValue } from './missing.ts';
import { choicesOf, hasXfa, kindOf, type Option, refuseXfa } from './read.ts';
import { signed } from './refused.ts';
import { forbidsFilling } from './signed.ts';
import { edit } from './style.ts';
import { fillingsOf, type Filling, type FormData } from './values.ts';

export interface FillOptions {
  data: FormData;
  /** Whether the fields become part of the page content. */
  flatten: boolean;
  /** Images for buttons: paths by part name. */
  images: ImageParts;
  /** Whether the changes are appended to a signed document, whose signatures may forbid them. */
  appends?: boolean | undefined;
}

/** A note about a form that has been filled. */
export type FillNote = 'xfa_removed' | 'calculations_left';

/** Values that are not shown in the format of their fields. */
export interface FormatNote {
  /** The full names of the fields. */
  unformatted: string[];
}

/**
 * Fills a form: sets the values, draws the fields, and removes data that would contradict them.
 *
 * @param setter sets the text of the fields; it is finished here
 * @throws PlatenError `pdf_signed`, `form_field_unknown`, `form_value_invalid`, `form_xfa`; `invalid_field` for a character that
 * no font has
 */
export async function fillForm(
  file: PdfFile,
  setter: TextSetter,
  options: FillOptions,
): Promise<(FillNote | FormatNote)[]> {
  const fields = fieldsOf(file);
  refuseXfa(file, fields.length);
  const fillings = fillingsOf(file, fields, options.data);
  const names = fillings.map(({ field }) => field.name);
  if (options.appends === true && forbidsFilling(file, names)) throw signed({});
  const filled = new Set<Field>();
  const unformatted: string[] = [];
  for (const filling of fillings) {
    if (!(await fill(file, setter, filling, options.images))) unformatted.push(filling.field.name);
    filled.add(filling.field);
  }
  // All other fields that readers would have to draw, because they have no appearance.
  const others = fields.filter((field) => !filled.has(field) && kindOf(field) !== 'signature');
  let undrawn: Field[] = [];
  if (needsAppearances(file)) {
    const drawn = await drawFields(file, setter, others);
    undrawn = drawn.undrawn;
    unformatted.push(...drawn.unformatted);
  } else {
    for (const field of others) {
      if (!(await drawMissing(file, setter, field))) unformatted.push(field.name);
    }
  }
  const notes: (FillNote | FormatNote)[] = settle(file, undrawn.length > 0);
  if (unformatted.length > 0) notes.push({ unformatted });
  await setter.finish();
  if (options.flatten) flattenAnnotations(file, isWidget);
  return notes;
}

/** @returns as `drawField` */
async function fill(
  file: PdfFile,
  setter: TextSetter,
  filling: Filling,
  images: ImageParts,
): Promise<boolean> {
  const { field } = filling;
  switch (filling.kind) {
    case 'switch':
      switchButtons(file, field, filling.on);
      return true;
    case 'image':
      await showImage(file, field, filling.image, images);
      return true;
    case 'text':
      edit(file, field.ref, { '/V': filling.text === null ? null : pdfText(filling.text), '/RV': null });
      hideInherited(file, field, filling.text === null);
      return await drawField(file, setter, field, { text: filling.text ?? '' });
    case 'choice':
      choose(file, field, filling.chosen);
      return await drawField(file, setter, field, shownChoice(file, field, filling.chosen));
  }
}

/** A cleared field must not inherit a value. */
function hideInherited(file: PdfFile, field: Field, isEmpty: boolean): void {
  if (isEmpty && file.resolve(field.attributes['/V']) !== null && field.dict['/V'] === undefined) {
    edit(file, field.ref, { '/V': pdfText('') });
  }
}

function choose(file: PdfFile, field: Field, chosen: readonly Option[]): void {
  const values: PdfValue[] = chosen.map(({ value }) => pdfText(value));
  const isList = kindOf(field) === 'list';
  const places = choicesOf(file, field).flatMap(({ value }, index) =>
    chosen.some((option) => option.value === value) ? [index] : [],
  );
  edit(file, field.ref, {
    '/V': values.length > 1 ? values : (values[0] ?? null),
    // The indices of the selected options (table 234).
    '/I': isList && places.length > 0 ? places : null,
    '/RV': null,
  });
  hideInherited(file, field, values.length === 0);
}

/** Fields with a value and without an appearance. @returns as `drawField` */
async function drawMissing(file: PdfFile, setter: TextSetter, field: Field): Promise<boolean> {
  const kind = kindOf(field);
  if (kind !== 'text' && kind !== 'choice' && kind !== 'list') return true;
  const isDrawn = field.widgets.every(({ ref }) => isDict(file.resolve(file.dict(ref)['/AP'])));
  if (isDrawn || file.resolve(field.attributes['/V']) === null) return true;
  return await drawField(file, setter, field, shownValue(file, field));
}

/**
 * Removes data that contradicts the fields, and instructions for readers to draw them again.
 *
 * @param needsReaders whether readers have to draw a field whose characters no font of the service has
 */
function settle(file: PdfFile, needsReaders: boolean): FillNote[] {
  const notes: FillNote[] = [];
  const form = file.catalog['/AcroForm'];
  const dict = file.dict(form);
  if (hasXfa(file)) notes.push('xfa_removed');
  if (file.array(dict['/CO']).length > 0) notes.push('calculations_left');
  const { '/XFA': _xfa, '/NeedAppearances': asked = null, ...rest } = dict;
  const kept: PdfDict = needsReaders ? { ...rest, '/NeedAppearances': asked } : rest;
  if (typeof form === 'string') file.set(form, kept);
  else if (form !== undefined) edit(file, file.catalogRef, { '/AcroForm': kept });
  return notes;
}
