import * as z from 'zod';
import { FONT_FORMATS } from '@platen/print/fonts/sfnt';
import type { FieldFault } from '@platen/core/errors';
import { PROFILES } from '@platen/factur-x/profiles';
import { tagsSchema, templateFieldsSchema } from './options.ts';
import { SCOPES } from './route.ts';

/** What the service answers with: the resources, as JSON. */

const id = z.string().meta({ description: 'Opaque and URL-safe.' });
const timestamp = z.iso.datetime().meta({ description: 'ISO 8601, UTC.' });
const fileReference = z.object({ id });

export const styleFileSchema = z
  .object({
    id,
    template_id: id,
    format: z.string(),
    filename: z.string().nullable(),
    description: z.string().nullable(),
    timestamp,
  })
  .meta({ id: 'StyleFile' });
export type StyleFileJson = z.infer<typeof styleFileSchema>;

export const imageFileSchema = z
  .object({
    ...styleFileSchema.shape,
    uri: z.string().meta({ description: 'Name of the variable that holds the address of the image.' }),
  })
  .meta({ id: 'ImageFile' });
export type ImageFileJson = z.infer<typeof imageFileSchema>;

export const sampleSchema = z
  .object({ name: z.string(), bytes: z.number().int(), timestamp })
  .meta({ id: 'Sample' });
export type SampleJson = z.infer<typeof sampleSchema>;

export const partialSchema = z
  .object({
    name: z.string().meta({ description: 'As templates name it: `letters/footer.html`.' }),
    format: z.enum(['text', 'docx']),
    bytes: z.number().int(),
    hash: z.string().meta({ description: 'SHA-256 of the bytes, hexadecimal.' }),
    timestamp,
  })
  .meta({ id: 'Partial' });
export type PartialJson = z.infer<typeof partialSchema>;

export const fontSchema = z
  .object({
    filename: z.string(),
    format: z.enum(FONT_FORMATS),
    bytes: z.number().int(),
    faces: z.array(
      z.object({
        family: z.string(),
        style: z.string().meta({ description: 'As the font calls it: `Bold Italic`.' }),
        weight: z
          .tuple([z.number().int(), z.number().int()])
          .meta({ description: 'From where to where; the same number twice for a font that does not vary.' }),
        italic: z.boolean(),
        scripts: z.array(z.string()).meta({ description: 'Scripts whose basic letters it has.' }),
      }),
    ),
    timestamp,
  })
  .meta({ id: 'Font' });
export type FontJson = z.infer<typeof fontSchema>;

const version = z.number().int().min(1);

export const templateSchema = z
  .object({
    id,
    ...templateFieldsSchema.required().shape,
    description: z.string().nullable(),
    tags: tagsSchema,
    css_page: z.boolean().nullable(),
    locale: z.string().nullable(),
    paper_width: z.union([z.number(), z.string()]).nullable(),
    paper_height: z.union([z.number(), z.string()]).nullable(),
    page_range: z.string().nullable(),
    filename: z.string().nullable(),
    template_file: fileReference,
    header_file: fileReference.nullable(),
    footer_file: fileReference.nullable(),
    style_files: z.array(styleFileSchema),
    image_files: z.array(imageFileSchema),
    partials: z
      .array(z.string())
      .meta({ description: 'Names of the partials that this version keeps, as they were.' }),
    fonts: z
      .array(z.string())
      .meta({ description: 'Files of the fonts that this version keeps, as they were.' }),
    samples: z.array(sampleSchema).meta({ description: 'Data to try the template with, by name.' }),
    version: version.meta({ description: 'Number of the version that this is.' }),
    published_version: version.meta({ description: 'Number of the version that renderings use.' }),
    latest_version: version.meta({ description: 'Number of the newest version.' }),
    note: z.string().nullable().meta({ description: 'Why this version was written.' }),
    data_schema: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: 'JSON Schema that render data have to fit.' }),
    timestamp: timestamp.meta({ description: 'When the template was added: ISO 8601, UTC.' }),
  })
  .meta({ id: 'Template' });
export type TemplateJson = z.infer<typeof templateSchema>;

export const templateVersionSchema = z
  .object({
    version,
    timestamp: timestamp.meta({ description: 'When the version was written: ISO 8601, UTC.' }),
    note: z.string().nullable(),
    published: z.boolean().meta({ description: 'Renderings use it.' }),
    changes: z
      .array(z.string())
      .meta({ description: 'Names of what differs from the version before, as the template has them.' }),
  })
  .meta({ id: 'TemplateVersion' });
export type TemplateVersionJson = z.infer<typeof templateVersionSchema>;

/** What became of something that was imported. */
const imported = z.enum(['added', 'changed', 'published', 'unchanged']);
const importedFile = z.object({ name: z.string(), result: imported });

export const importSchema = z
  .object({
    templates: z.array(
      z.object({
        folder: z.string().meta({ description: 'In the ZIP.' }),
        id,
        name: z.string(),
        version: version.meta({ description: 'The newest one now.' }),
        result: imported,
        files: z
          .record(z.string(), id)
          .meta({ description: 'Ids of the files, by their paths in the folder.' }),
      }),
    ),
    partials: z.array(importedFile),
    fonts: z.array(importedFile),
    translations: z.array(importedFile),
  })
  .meta({ id: 'Import' });
export type ImportJson = z.infer<typeof importSchema>;

export const tokenSchema = z
  .object({ tenant: z.string(), scopes: z.array(z.string()), expires_at: timestamp.nullable() })
  .meta({ id: 'Token' });

const limit = z.number().int().min(1);

export const issuedTokenSchema = z
  .object({
    id: z.string().meta({ description: 'Names the token without giving it away: 12 hexadecimal digits.' }),
    name: z.string().nullable().meta({ description: 'What it is for, as whoever made it said.' }),
    scopes: z.array(z.enum(SCOPES)),
    created_at: timestamp,
    created_by: z
      .string()
      .nullable()
      .meta({ description: 'Id of the token that it was made with; null: on the command line.' }),
    expires_at: timestamp.nullable(),
    revoked_at: timestamp.nullable(),
    rate: limit.nullable().meta({ description: 'Requests in a minute.' }),
    quota: limit.nullable().meta({ description: 'Requests in a calendar month, UTC.' }),
    current: z.boolean().meta({ description: 'The request at hand was sent with it.' }),
  })
  .meta({ id: 'IssuedToken' });
export type IssuedTokenJson = z.infer<typeof issuedTokenSchema>;

export const newTokenSchema = z
  .object({
    ...issuedTokenSchema.shape,
    token: z.string().meta({ description: 'The token itself. Nobody can find it out again later.' }),
  })
  .meta({ id: 'NewToken' });

/** JSON Schema, which describes itself. */
export const fieldsSchema = z.looseObject({
  $schema: z.string(),
  type: z.string(),
  properties: z.record(z.string(), z.unknown()).optional(),
});

/** RFC 9457, I-4. */
/** Members that every fault may have; the value at fault and those that are allowed are of any kind. */
const faultSchema = z.looseObject({
  field: z.string(),
  message: z.string(),
  file: z.string().optional().meta({
    description: 'Of a template: `template`, `header`, `footer`, or the part of an office document.',
  }),
  cell: z.string().optional().meta({ description: 'Of a spreadsheet: `Sheet1!B7`.' }),
  line: z.number().int().optional().meta({ description: 'From 1.' }),
  column: z.number().int().optional().meta({ description: 'From 1.' }),
  source: z.string().optional().meta({ description: 'The line that the fault is in.' }),
  record: z.number().int().optional().meta({ description: 'Of a batch, from 0.' }),
  rule: z.string().optional().meta({ description: 'Id of a rule of a standard, or a clause.' }),
  detail: z.string().optional().meta({ description: 'What is wrong with the document, and what to do.' }),
  element: z.string().nullable().optional().meta({ description: 'Where in the document.' }),
  page: z.number().int().nullable().optional().meta({ description: 'Of the document, from 1.' }),
  pointer: z.string().optional().meta({ description: 'JSON pointer into the data (RFC 6901).' }),
} satisfies Record<Exclude<keyof FieldFault, 'value' | 'allowed'>, z.ZodType>);

export const problemSchema = z
  .object({
    type: z.string().meta({ description: 'A URI reference that names the kind of problem.' }),
    title: z.string(),
    status: z.number().int(),
    detail: z.string().meta({ description: 'A sentence for a person.' }),
    code: z.string().meta({ description: 'Stable, snake_case: for a program.' }),
    request_id: z.string(),
    errors: z.array(faultSchema).optional().meta({ description: 'The fields at fault.' }),
  })
  .meta({ id: 'Problem' });
export type ProblemJson = z.infer<typeof problemSchema>;

export const invoiceReportSchema = z
  .object({
    profile: z.enum(PROFILES).meta({ description: 'What the specification identifier (BT-24) names.' }),
    rule_set: z
      .string()
      .meta({ description: 'Schema and business rules it was checked by, with their versions.' }),
    warnings: z
      .array(
        z.object({
          rule: z.string(),
          detail: z.string(),
          line: z.number().int().optional(),
          element: z.string().optional(),
        }),
      )
      .meta({ description: 'Rules that ask for what may be left undone.' }),
  })
  .meta({ id: 'InvoiceReport' });
export type InvoiceReportJson = z.infer<typeof invoiceReportSchema>;

export const JOB_STATES = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;
export type JobState = (typeof JOB_STATES)[number];

const callbackSchema = z.object({
  url: z.string(),
  state: z
    .enum(['pending', 'delivered', 'failed'])
    .meta({ description: '`failed`: given up; the receiver never answered with 2XX.' }),
  attempts: z
    .array(
      z.object({
        at: timestamp,
        status: z.number().int().nullable().meta({ description: 'What the receiver answered.' }),
        error: z.string().nullable().meta({ description: 'Why it could not be reached.' }),
      }),
    )
    .meta({ description: 'Oldest first.' }),
});

export const jobSchema = z
  .object({
    id,
    operation: z.string().meta({ description: 'The operation that was asked for, as in this document.' }),
    state: z.enum(JOB_STATES),
    created: timestamp,
    started: timestamp.nullable(),
    finished: timestamp.nullable(),
    expires: timestamp.meta({ description: 'When the job and its result are deleted.' }),
    total: z
      .number()
      .int()
      .nullable()
      .meta({ description: 'Documents to make; null until the records have been counted.' }),
    done: z.number().int().meta({ description: 'Documents made so far.' }),
    failed: z.number().int().meta({ description: 'Records that cannot be rendered.' }),
    errors: z
      .array(z.looseObject({ record: z.number().int(), code: z.string(), message: z.string() }))
      .meta({ description: 'What is wrong with which record, once the job has ended; the first 100.' }),
    problem: problemSchema
      .nullable()
      .meta({ description: 'Of a job that failed: what the request would have been answered with.' }),
    result: z.string().nullable().meta({ description: 'Address of the result, once there is one.' }),
    callback: callbackSchema.nullable().meta({ description: 'Of a job with a `callback_url`.' }),
  })
  .meta({ id: 'Job' });
export type JobJson = z.infer<typeof jobSchema>;

export const webhookSchema = z
  .object({
    secret: z.string().meta({
      description:
        'Secret of Standard Webhooks: `whsec_` and the key of `webhook-signature` in base64. As a text, key of `Platen-Signature`.',
    }),
  })
  .meta({ id: 'Webhook' });

export const uploadSchema = z
  .object({
    id,
    reference: z.string().meta({ description: '`upload:<id>`: the text for any file field of a request.' }),
    url: z.string().meta({ description: 'Where to post a multipart/form-data form to.' }),
    fields: z
      .record(z.string(), z.string())
      .meta({ description: 'Fields of the form, all of them; the field `file` comes last.' }),
    max_bytes: z.number().int().meta({ description: 'A larger file is refused by the storage.' }),
    expires_at: timestamp.meta({ description: 'Until when the file can be sent.' }),
    usable_until: timestamp.meta({ description: 'Until when requests can refer to it.' }),
  })
  .meta({ id: 'Upload' });
