import * as z from 'zod';
import { PlatenError } from '@platen/core/errors';
import type { EncryptOptions } from '@platen/pdf/options';
import { passwordText } from './option-values.ts';

/** The fields of `POST /v1/pdf/encrypt` and the members of the step `encrypt` (I-32, I-46). */

const password = (): z.ZodString => passwordText().meta({ format: 'password' });

const permissions = {
  print: z.boolean(),
  copy: z.boolean(),
  modify: z.boolean(),
  annotate: z.boolean(),
  fill_forms: z.boolean(),
  assemble: z.boolean(),
};

const KNOWN = Object.keys(permissions);

export const encryptionFields = {
  password: password().optional().meta({
    description: 'Opens the document. Without it, anybody can open it, and `owner_password` is required.',
    format: 'password',
  }),
  owner_password: password().optional().meta({
    description: 'Opens it with all permissions. Default: a random one that is not stored.',
    format: 'password',
  }),
  permissions: z
    .looseObject(permissions)
    .partial()
    .superRefine((given, context) => {
      // What somebody means to forbid or to allow is not ignored.
      const unknown = Object.keys(given).find((name) => !KNOWN.includes(name));
      if (unknown === undefined) return;
      const message = `an object of ${KNOWN.join(', ')}: \`${unknown.slice(0, 40)}\` is no permission`;
      context.addIssue({ code: 'custom', message, params: { code: 'invalid_option' } });
    })
    .meta({
      id: 'Permissions',
      description: 'Permissions of readers without the owner password. Default: view and print.',
      additionalProperties: false,
    })
    .optional(),
};

type Encryption = z.infer<z.ZodObject<typeof encryptionFields>>;

/**
 * Returns the protection that fields describe.
 *
 * @param place prefix of the fields in errors, such as `steps[1].encrypt.`
 * @throws PlatenError `missing_field` without any password; `invalid_field` for an owner password that every reader
 * would have
 */
export function encryptOptions(
  { password: opening, owner_password: ownerPassword, permissions: allowed }: Encryption,
  place = '',
): EncryptOptions {
  if (opening === undefined && ownerPassword === undefined) {
    const message = `${place}password is missing, or else ${place}owner_password: give one of them to encrypt with`;
    throw new PlatenError('missing_field', `${message}.`, {
      faults: [{ field: `${place}password`, message }],
    });
  }
  if (opening === ownerPassword) {
    const message = `${place}owner_password must differ from ${place}password, which would have all permissions`;
    throw new PlatenError('invalid_field', `${message}.`, {
      faults: [{ field: `${place}owner_password`, message }],
    });
  }
  const { fill_forms: fillForms, ...others } = allowed ?? {};
  return { password: opening, ownerPassword, permissions: { ...others, fillForms } };
}
