import * as z from 'zod';
import type { FileField } from '../route.ts';

/** Fields that several PDF routes share. */

export const inputPassword = z.string().meta({ description: 'Opens a password-protected input.' });

/** The password that opens a protected input, under either of its names. */
export const openedWith = {
  input_password: inputPassword.optional(),
  password: z.string().optional().meta({ description: 'The same as `input_password`.' }),
};

export const pageSelection = z
  .string()
  .optional()
  .meta({ description: 'Pages such as `1-3,5,8-`. Default: all.' });

export const pdfFile: FileField = { required: true, description: 'A PDF.' };

export const breakSignatures = z.boolean().meta({
  description:
    'Change a signed file although this breaks its signatures, which are removed. Default false: 422 `pdf_signed`.',
});

/** For routes whose results are new documents. */
export const removeSignatures = z.boolean().meta({
  description: 'Remove the signatures of signed files; false refuses such files. Default true.',
});
