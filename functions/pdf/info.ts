import type * as z from 'zod';
import type { documentInfoSchema, formFieldSchema } from '@platen/contract/resources';
import type { FormField } from '@platen/pdf/forms';
import type { DocumentInfo } from '@platen/pdf/operations';

/** The information about documents and forms, with its names in the API. */

export function infoOnWire(info: DocumentInfo): z.output<typeof documentInfoSchema> {
  const { encryption, fields, ...rest } = info;
  return {
    ...rest,
    encryption:
      encryption === null
        ? null
        : { method: encryption.method, permissions: permissionsOnWire(encryption.permissions) },
    fields: fields.map(fieldOnWire),
  };
}

function permissionsOnWire({
  fillForms,
  ...others
}: NonNullable<DocumentInfo['encryption']>['permissions']): Record<string, boolean> {
  return { ...others, fill_forms: fillForms };
}

export function fieldOnWire(field: FormField): z.output<typeof formFieldSchema> {
  // The contract has no member for free choices.
  const { readOnly, maxLength, free: _, ...rest } = field;
  return {
    ...rest,
    read_only: readOnly,
    ...(maxLength === undefined ? {} : { max_length: maxLength }),
  };
}
