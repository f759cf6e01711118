import type { PdfFormAnswer } from '@platen/client';

/** Converts fields of a form between the controls of a page and the request. */

export type FormField = PdfFormAnswer['fields'][number];
/** null clears a field. */
export type FormValue = string | boolean | null;

/** Returns whether a person can fill in the field: buttons take images, and signatures are made elsewhere. */
export function isFillable({ kind, read_only: isReadOnly }: FormField): boolean {
  return !isReadOnly && kind !== 'button' && kind !== 'signature';
}

/** Returns the control's value for a field; for a list, the first selected one. */
export function shownOf(value: FormField['value']): string {
  if (Array.isArray(value)) return value[0] ?? '';
  return value === null ? '' : String(value);
}

/** Returns the field's value for the value of its control. */
export function valueOf({ kind, options }: FormField, shown: string): FormValue {
  if (kind === 'checkbox' && options.length < 2) return shown === 'true';
  return shown === '' ? null : shown;
}
