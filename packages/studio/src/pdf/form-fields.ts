import type { PdfFormAnswer } from '@platen/client';

/** Fields of a form, as they are shown in a page and sent to be filled. */

export type FormField = PdfFormAnswer['fields'][number];
/** Null empties a field. */
export type FormValue = string | boolean | null;

/** Whether a person may write into it: buttons take images, signatures are made elsewhere. */
export function isFillable({ kind, read_only: isReadOnly }: FormField): boolean {
  return !isReadOnly && kind !== 'button' && kind !== 'signature';
}

/** The value of a control that shows what a field has; of a list, the first that is chosen. */
export function shownOf(value: FormField['value']): string {
  if (Array.isArray(value)) return value[0] ?? '';
  return value === null ? '' : String(value);
}

/** What a field is filled with for the value of its control. */
export function valueOf({ kind, options }: FormField, shown: string): FormValue {
  if (kind === 'checkbox' && options.length < 2) return shown === 'true';
  return shown === '' ? null : shown;
}
