import * as z from 'zod';
import { CERTIFICATIONS, LEVELS } from '@platen/signatures/levels';

/** What is said of a signature, as a form of its own and as `render_options.sign` (I-45). */

/** Part of a key in DynamoDB, and of addresses. */
export const KEY_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

const sentence = z.string().max(1000);

export const signFields = {
  key: z.string().regex(KEY_NAME, 'is not the name of a key').meta({ description: 'Name of the key.' }),
  level: z.enum(LEVELS).optional().meta({
    description: 'Of PAdES: `b-b` plain, `b-t` with a timestamp, `b-lt` for the long term. Default b-b.',
  }),
  reason: sentence.optional().meta({ description: 'Why it is signed.' }),
  location: sentence.optional().meta({ description: 'Where it is signed.' }),
  contact: sentence.optional().meta({ description: 'How to reach who signs.' }),
  certify: z.enum(CERTIFICATIONS).optional().meta({
    description: 'What may be changed afterwards, for the first signature of a document. Default none.',
  }),
  appearance: z
    .strictObject({
      page: z.number().int().min(1).optional().meta({ description: 'Default 1.' }),
      x: z.number().min(-500).max(500).meta({ description: 'Left edge, cm, as the page is seen.' }),
      y: z.number().min(-500).max(500).meta({ description: 'Top edge, cm.' }),
      w: z.number().min(0.1).max(500),
      h: z.number().min(0.1).max(500),
      image: z.string().min(1).max(255).optional().meta({ description: 'The part with an image.' }),
      text: z.string().min(1).max(1000).optional().meta({ description: 'As large as there is room.' }),
    })
    .optional()
    .meta({ description: 'Where the signature is seen, and what is. Default: it is invisible.' }),
};

/** `render_options.sign`. */
export const signOptionsSchema = z
  .strictObject(signFields)
  .meta({ id: 'SignOptions', description: 'Signs the document (PAdES).' });
export type SignOptions = z.infer<typeof signOptionsSchema>;
