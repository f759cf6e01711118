import { type FontFace, FONT_FORMATS } from '@platen/print/fonts';
import * as z from 'zod';
import type { TenantFile } from '../tenant-files.ts';
import { CorruptRecordError } from '../templates/record.ts';

/** The stored properties of a tenant's fonts, besides their bytes (I-40). */

const weight = z.number().int().min(1).max(1000);
export const fontDetails = z.object({
  format: z.enum(FONT_FORMATS),
  faces: z.array(
    z.object({
      family: z.string(),
      style: z.string(),
      weight: z.tuple([weight, weight]),
      italic: z.boolean(),
      scripts: z.array(z.string()),
    }),
  ),
});

export interface FontDetails {
  format: (typeof FONT_FORMATS)[number];
  faces: FontFace[];
}

/** Details of fonts that this process has read, by file. */
const known = new WeakMap<TenantFile, FontDetails>();

/** @throws CorruptRecordError */
export function fontDetailsOf(file: TenantFile): FontDetails {
  const found = known.get(file);
  if (found) return found;
  const { name, details } = file;
  const parsed = fontDetails.safeParse(details);
  if (parsed.success) {
    known.set(file, parsed.data);
    return parsed.data;
  }
  throw new CorruptRecordError(`The item of the font ${name} is damaged: ${z.prettifyError(parsed.error)}`);
}
