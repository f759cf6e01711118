import * as z from 'zod';
import { CERTIFICATIONS, LEVELS } from '@platen/signatures/levels';
import { lengthInCm } from './option-values.ts';

/** The fields of a signature, as a form and as `render_options.sign` (I-45). */

/** Name of a key, which is part of a DynamoDB key and of paths. */
export const KEY_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

const sentence = z.string().max(1000);
const coordinate = lengthInCm(z.number().min(-500).max(500));
const extent = lengthInCm(z.number().min(0.1).max(500));

export const signFields = {
  key: z.string().regex(KEY_NAME, 'is not a valid name of a key').meta({ description: 'Name of the key.' }),
  level: z.enum(LEVELS).optional().meta({
    description: 'PAdES level: `b-b`, `b-t` with a timestamp, `b-lt` for long-term validation. Default b-b.',
  }),
  reason: sentence.optional().meta({ description: 'Reason for the signature.' }),
  location: sentence.optional().meta({ description: 'Place of the signature.' }),
  contact: sentence.optional().meta({ description: 'Contact of the signer.' }),
  certify: z.enum(CERTIFICATIONS).optional().meta({
    description:
      'Changes that are allowed afterwards, for the first signature of a document. Default none (no certification).',
  }),
  field: z.string().min(1).max(1000).optional().meta({
    description: 'Name of an empty signature field of the document. Default: a new field.',
  }),
  appearance: z
    .strictObject({
      page: z.number().int().min(1).optional().meta({ description: 'Page of the signature. Default 1.' }),
      x: coordinate.optional().meta({
        description:
          'Left edge on the page as readers see it: centimetres, or `20mm`, `1in`, `72pt`, `96px`.',
      }),
      y: coordinate.optional().meta({ description: 'Top edge, with the same units.' }),
      w: extent.optional().meta({ description: 'Width, with the same units.' }),
      h: extent.optional().meta({ description: 'Height, with the same units.' }),
      image: z.string().min(1).max(255).optional().meta({ description: 'The part with the image.' }),
      text: z.string().min(1).max(1000).optional().meta({ description: 'Text, as large as the box allows.' }),
    })
    .superRefine((value, context) => {
      const sides = ['x', 'y', 'w', 'h'] as const;
      const missing = sides.filter((side) => value[side] === undefined);
      const hasPlace = missing.length < sides.length || value.page !== undefined;
      for (const side of hasPlace ? missing : []) {
        context.addIssue({
          code: 'custom',
          path: [side],
          message: 'is missing: a position has x, y, w and h',
          params: { code: 'missing_field' },
        });
      }
    })
    .meta({ id: 'SignatureAppearance' })
    .optional()
    .meta({
      description:
        'Content of a visible signature, and its position (x, y, w, h) unless `field` has one. Default: invisible, or as the field is.',
    }),
};

/** The schema of `render_options.sign`. */
export const signOptionsSchema = z
  .strictObject(signFields)
  .meta({ id: 'SignOptions', description: 'Signs the document (PAdES).' });
export type SignOptions = z.infer<typeof signOptionsSchema>;
