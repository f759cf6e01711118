import * as z from 'zod';
import { CERTIFICATIONS, CHANGES, LEVELS, TRUST_FAULTS } from '@platen/signatures/levels';

/**
 * The facts about a PDF that the service returns. Lengths are in centimetres; positions count from the top
 * left of a page as displayed.
 */

const centimetres = z.number();
const page = z
  .number()
  .int()
  .nullable()
  .meta({ description: 'Page, counted from 1; null if there is none.' });

const placeFields = { page, x: centimetres, y: centimetres, w: centimetres, h: centimetres };
const placeSchema = z.object(placeFields).meta({ id: 'FormFieldPlace' });

export const formFieldSchema = z
  .object({
    name: z
      .string()
      .meta({ description: 'Full name of the field, with the names of its parents separated by dots.' }),
    kind: z.enum(['text', 'checkbox', 'radio', 'choice', 'list', 'button', 'signature']),
    value: z.union([z.string(), z.boolean(), z.array(z.string())]).nullable(),
    options: z.array(z.string()).meta({ description: 'Values that can be chosen.' }),
    labels: z.array(z.string()).optional().meta({ description: 'Labels that readers show for the options.' }),
    required: z.boolean(),
    read_only: z.boolean(),
    multiline: z.boolean().optional(),
    max_length: z.number().int().optional(),
    ...placeFields,
    places: z
      .array(placeSchema)
      .optional()
      .meta({ description: 'All positions of a field that has several.' }),
  })
  .meta({ id: 'FormField' });

export const formSchema = z.object({ fields: z.array(formFieldSchema) }).meta({ id: 'PdfForm' });

export interface OutlineItem {
  title: string;
  page: number | null;
  items: OutlineItem[];
}

export const outlineItemSchema: z.ZodType<OutlineItem> = z
  .object({
    title: z.string(),
    page,
    get items(): z.ZodType<OutlineItem[]> {
      return z.array(outlineItemSchema);
    },
  })
  .meta({ id: 'OutlineItem' });

const pageInfoSchema = z
  .object({
    number: z.number().int(),
    width: centimetres,
    height: centimetres,
    rotation: z.number().int(),
    label: z.string().nullable().meta({ description: 'Page label; null if the document has no labels.' }),
  })
  .meta({ id: 'PdfPage' });

const encryptionInfoSchema = z
  .object({ method: z.string(), permissions: z.record(z.string(), z.boolean()) })
  .meta({ id: 'PdfEncryption' });

const attachmentSchema = z
  .object({
    name: z.string(),
    bytes: z.number().int().nullable(),
    mime: z.string().nullable(),
    relationship: z.string().nullable(),
    description: z.string().nullable(),
  })
  .meta({ id: 'PdfAttachment' });

const fontInfoSchema = z
  .object({ name: z.string(), embedded: z.boolean(), subset: z.boolean() })
  .meta({ id: 'PdfFont' });

const imageInfoSchema = z
  .object({
    page: z.number().int(),
    width: z.number().int(),
    height: z.number().int(),
    dpi: z.number(),
  })
  .meta({ id: 'PdfImage' });

const signatureInfoSchema = z
  .object({
    field: z.string(),
    name: z.string().nullable(),
    reason: z.string().nullable(),
    location: z.string().nullable(),
    time: z.string().nullable(),
    subfilter: z.string().nullable(),
    page,
  })
  .meta({ id: 'PdfSignature' });

export const documentInfoSchema = z
  .object({
    version: z.string(),
    pages: z.array(pageInfoSchema),
    metadata: z.record(z.string(), z.string()),
    xmp: z.string().nullable(),
    language: z.string().nullable(),
    tagged: z.boolean(),
    conformance: z
      .array(z.string())
      .meta({ description: 'Standards that the document claims, such as `pdf/a-3a`.' }),
    encryption: encryptionInfoSchema.nullable(),
    outline: z.array(outlineItemSchema),
    attachments: z.array(attachmentSchema),
    fonts: z.array(fontInfoSchema),
    images: z.array(imageInfoSchema),
    fields: z.array(formFieldSchema),
    signatures: z.array(signatureInfoSchema),
  })
  .meta({ id: 'PdfInfo' });

const certificateFields = {
  subject: z.string(),
  issuer: z.string(),
  serial: z.string().meta({ description: 'Hexadecimal.' }),
  valid_from: z.string(),
  valid_to: z.string(),
  fingerprint: z.string().meta({ description: 'SHA-256 of the certificate, hexadecimal.' }),
};

const certificateSchema = z.object(certificateFields).meta({ id: 'Certificate' });

export const keySchema = z
  .object({ name: z.string(), kind: z.enum(['pkcs12', 'kms', 'anchor']), ...certificateFields })
  .meta({
    id: 'Key',
    description: 'A signing key or a trusted certificate. Secrets are never returned.',
  });

export const signatureSchema = z
  .object({
    field: z.string(),
    signer: z.string().nullable(),
    time: z.string().nullable(),
    time_source: z.enum(['timestamp', 'signer']).nullable(),
    level: z.enum(LEVELS).nullable(),
    subfilter: z.string().nullable(),
    reason: z.string().nullable(),
    location: z.string().nullable(),
    contact: z.string().nullable(),
    certify: z.enum(CERTIFICATIONS),
    intact: z.boolean(),
    covers_whole_file: z.boolean(),
    changes_since: z.array(z.enum(CHANGES)),
    changes_allowed: z.boolean(),
    trusted: z.boolean(),
    trust_fault: z.enum(TRUST_FAULTS).nullable(),
    certificate_chain: z.array(certificateSchema),
  })
  .meta({ id: 'Signature', description: 'The verification of one signature; see docs/signatures.md.' });

export const verificationSchema = z
  .object({ signatures: z.array(signatureSchema) })
  .meta({ id: 'Verification' });
