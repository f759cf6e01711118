import * as z from 'zod';
import { FONT_FORMATS } from '@platen/print/fonts';
import type { FieldFault } from '@platen/core/errors';
import { PROFILES } from '@platen/factur-x/profiles';
import { TEMPLATE_ACTIONS } from './actions.ts';
import { tagsSchema, templateFieldsSchema } from './options.ts';
import { SCOPES } from './route.ts';

/** The schemas of the service's JSON responses: its resources. */

const id = z.string().meta({ description: 'An opaque, URL-safe id.' });
const timestamp = z.iso.datetime().meta({ description: 'ISO 8601, UTC.' });
const fileReference = z.object({ id }).meta({ id: 'FileReference' });

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
    uri: z.string().meta({ description: 'Name of the variable for the address of the image.' }),
  })
  .meta({ id: 'ImageFile' });
export type ImageFileJson = z.infer<typeof imageFileSchema>;

export const sampleSchema = z
  .object({ name: z.string(), bytes: z.number().int(), timestamp })
  .meta({ id: 'Sample' });
export type SampleJson = z.infer<typeof sampleSchema>;

export const partialSchema = z
  .object({
    name: z.string().meta({ description: 'Name that templates use, such as `letters/footer.html`.' }),
    format: z.enum(['text', 'docx']),
    bytes: z.number().int(),
    hash: z.string().meta({ description: 'SHA-256 of the bytes, hexadecimal.' }),
    timestamp,
  })
  .meta({ id: 'Partial' });
export type PartialJson = z.infer<typeof partialSchema>;

const fontFaceSchema = z
  .object({
    family: z.string(),
    style: z.string().meta({ description: 'Style name in the font, such as `Bold Italic`.' }),
    weight: z
      .tuple([z.number().int(), z.number().int()])
      .meta({ description: 'Range of weights; the same number twice for a font that is not variable.' }),
    italic: z.boolean(),
    scripts: z.array(z.string()).meta({ description: 'Scripts whose basic letters the font has.' }),
  })
  .meta({ id: 'FontFace' });

export const fontSchema = z
  .object({
    filename: z.string(),
    format: z.enum(FONT_FORMATS),
    bytes: z.number().int(),
    faces: z.array(fontFaceSchema),
    timestamp,
  })
  .meta({ id: 'Font' });
export type FontJson = z.infer<typeof fontSchema>;

export const translationSchema = z
  .object({
    locale: z.string().meta({ description: 'Locale in BCP 47 form, such as `de-AT`.' }),
    messages: z.number().int().meta({ description: 'Number of translated messages.' }),
    timestamp: z.iso.datetime().meta({ description: 'When the translations were stored: ISO 8601, UTC.' }),
  })
  .meta({ id: 'Translation', description: 'Description of the translations of a locale.' });

const version = z.number().int().min(1);
const by = z.string().nullable().meta({
  description:
    'Who did it: name of the token or of the person, or id of a token without a name; null if it is not known.',
});

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
    autoescape: z.boolean().nullable(),
    template_file: fileReference,
    header_file: fileReference.nullable(),
    footer_file: fileReference.nullable(),
    style_files: z.array(styleFileSchema),
    image_files: z.array(imageFileSchema),
    partials: z
      .array(z.string())
      .meta({ description: 'Names of the partials that are stored with this version.' }),
    fonts: z.array(z.string()).meta({ description: 'Files of the fonts that are stored with this version.' }),
    samples: z.array(sampleSchema).meta({ description: 'Data for testing the template, by name.' }),
    version: version.meta({ description: 'Number of this version.' }),
    published_version: version.meta({ description: 'Number of the version that renderings use.' }),
    latest_version: version.meta({ description: 'Number of the newest version.' }),
    note: z.string().nullable().meta({ description: 'Reason for this version.' }),
    data_schema: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: 'JSON Schema that render data must match.' }),
    timestamp: timestamp.meta({ description: 'When the template was added: ISO 8601, UTC.' }),
  })
  .meta({ id: 'Template' });
export type TemplateJson = z.infer<typeof templateSchema>;

export const deletedTemplateSchema = z
  .object({
    id,
    ...templateSchema.pick({ name: true, format: true, tags: true, timestamp: true }).shape,
    deleted: timestamp.meta({ description: 'When it was deleted: ISO 8601, UTC.' }),
    by,
    expires: timestamp.meta({ description: 'Until when it can be restored: ISO 8601, UTC.' }),
  })
  .meta({ id: 'DeletedTemplate' });
export type DeletedTemplateJson = z.infer<typeof deletedTemplateSchema>;

export const templateVersionSchema = z
  .object({
    version,
    timestamp: timestamp.meta({ description: 'When the version was written: ISO 8601, UTC.' }),
    by,
    note: z.string().nullable(),
    published: z.boolean().meta({ description: 'Whether renderings use this version.' }),
    changes: z
      .array(z.string())
      .meta({ description: 'Names of the members of the template that differ from the previous version.' }),
  })
  .meta({ id: 'TemplateVersion' });
export type TemplateVersionJson = z.infer<typeof templateVersionSchema>;

export const templateEventSchema = z
  .object({
    action: z.enum(TEMPLATE_ACTIONS).meta({
      description:
        '`added`: the template; `changed`: a new version, published at once; `drafted`: a new version that is not ' +
        'published; `published`: an existing version; `deleted` and `restored`: the template.',
    }),
    version: version.meta({
      description: 'Number of the version that was written or published; else the published one.',
    }),
    by,
    timestamp,
  })
  .meta({ id: 'TemplateEvent' });
export type TemplateEventJson = z.infer<typeof templateEventSchema>;

/** The outcome for an imported resource. */
const imported = z.enum(['added', 'changed', 'published', 'unchanged']);
const importedFile = z.object({ name: z.string(), result: imported }).meta({ id: 'ImportedFile' });
const importedTemplate = z
  .object({
    folder: z.string().meta({ description: 'Folder in the ZIP.' }),
    id,
    name: z.string(),
    version: version.meta({ description: 'Number of the newest version.' }),
    result: imported,
    files: z.record(z.string(), id).meta({ description: 'Ids of the files, by their paths in the folder.' }),
  })
  .meta({ id: 'ImportedTemplate' });

export const importSchema = z
  .object({
    templates: z.array(importedTemplate),
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
    id: z.string().meta({
      description: 'Id of the token, which does not reveal the token itself: 12 hexadecimal digits.',
    }),
    name: z.string().nullable().meta({ description: 'Purpose of the token, as its creator described it.' }),
    scopes: z.array(z.enum(SCOPES)),
    created_at: timestamp,
    created_by: z.string().nullable().meta({
      description: 'Id of the token, or name of the person, that created it; null for the command line.',
    }),
    expires_at: timestamp.nullable(),
    revoked_at: timestamp.nullable(),
    rate: limit.nullable().meta({ description: 'Requests per minute.' }),
    quota: limit.nullable().meta({ description: 'Requests per calendar month, UTC.' }),
    current: z.boolean().meta({ description: 'Whether this token sent the request.' }),
  })
  .meta({ id: 'IssuedToken' });
export type IssuedTokenJson = z.infer<typeof issuedTokenSchema>;

export const newTokenSchema = z
  .object({
    ...issuedTokenSchema.shape,
    token: z.string().meta({ description: 'The token itself, which is never shown again.' }),
  })
  .meta({ id: 'NewToken' });

/** A JSON Schema as a value; any keyword is accepted. */
export const fieldsSchema = z
  .looseObject({
    $schema: z.string(),
    type: z.string(),
    properties: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'DataSchema', description: 'A JSON Schema (2020-12) of the data that a template uses.' });

/** Members that any fault may have; the refused value and the allowed values may be of any type. */
const faultSchema = z
  .looseObject({
    field: z.string(),
    message: z.string(),
    file: z.string().optional().meta({
      description: 'For a template: `template`, `header`, `footer`, or the part of an office document.',
    }),
    cell: z.string().optional().meta({ description: 'For a spreadsheet: the cell, such as `Sheet1!B7`.' }),
    line: z.number().int().optional().meta({ description: 'Counted from 1.' }),
    column: z.number().int().optional().meta({ description: 'Counted from 1.' }),
    source: z.string().optional().meta({ description: 'The line with the fault.' }),
    record: z.number().int().optional().meta({ description: 'For a batch: the record, counted from 0.' }),
    code: z.string().optional().meta({ description: 'For a batch: the error code of the record.' }),
    rule: z.string().optional().meta({ description: 'Rule or clause of a standard.' }),
    detail: z.string().optional().meta({ description: 'Description of the fault, and how to fix it.' }),
    element: z.string().nullable().optional().meta({ description: 'Element of the document.' }),
    page: z
      .number()
      .int()
      .nullable()
      .optional()
      .meta({ description: 'Page of the document, counted from 1.' }),
    pointer: z.string().optional().meta({ description: 'JSON Pointer into the data (RFC 6901).' }),
  } satisfies Record<Exclude<keyof FieldFault, 'value' | 'allowed'>, z.ZodType>)
  .meta({ id: 'Fault', description: 'A fault of a request, by field, record or line.' });

/** The schema of problem documents (RFC 9457, I-4). */
export const problemSchema = z
  .object({
    type: z.string().meta({ description: 'A URI reference that identifies the type of problem.' }),
    title: z.string(),
    status: z.number().int(),
    detail: z.string().meta({ description: 'A sentence for people.' }),
    code: z.string().meta({ description: 'A stable code in snake_case, for programs.' }),
    request_id: z.string(),
    errors: z.array(faultSchema).optional().meta({ description: 'The invalid fields.' }),
  })
  .meta({ id: 'Problem' });
export type ProblemJson = z.infer<typeof problemSchema>;

const invoiceWarningSchema = z
  .object({
    rule: z.string(),
    detail: z.string(),
    line: z.number().int().optional(),
    element: z.string().optional(),
  })
  .meta({ id: 'InvoiceWarning' });

export const invoiceReportSchema = z
  .object({
    profile: z
      .enum(PROFILES)
      .meta({ description: 'Profile that the specification identifier (BT-24) names.' }),
    rule_set: z
      .string()
      .meta({ description: 'Schema and business rules that were checked, with their versions.' }),
    warnings: z.array(invoiceWarningSchema).meta({ description: 'Violations of recommended rules.' }),
  })
  .meta({ id: 'InvoiceReport' });
export type InvoiceReportJson = z.infer<typeof invoiceReportSchema>;

export const JOB_STATES = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;
export type JobState = (typeof JOB_STATES)[number];

const callbackAttemptSchema = z
  .object({
    at: timestamp,
    status: z.number().int().nullable().meta({ description: 'Status that the receiver answered with.' }),
    error: z.string().nullable().meta({ description: 'Why the receiver could not be reached.' }),
  })
  .meta({ id: 'CallbackAttempt' });

const callbackSchema = z
  .object({
    url: z.string(),
    state: z
      .enum(['pending', 'delivered', 'failed'])
      .meta({ description: '`failed`: the service stopped retrying; the receiver never answered with 2XX.' }),
    attempts: z.array(callbackAttemptSchema).meta({ description: 'Oldest first.' }),
  })
  .meta({ id: 'JobCallback' });

const recordFaultSchema = z
  .looseObject({ record: z.number().int(), code: z.string(), message: z.string() })
  .meta({ id: 'RecordFault' });

export const jobSchema = z
  .object({
    id,
    operation: z.string().meta({ description: 'The requested operation, as named in this document.' }),
    template_id: id
      .nullable()
      .meta({ description: 'The stored template that is rendered, if there is one.' }),
    by,
    state: z.enum(JOB_STATES),
    created: timestamp,
    started: timestamp.nullable(),
    finished: timestamp.nullable(),
    expires: timestamp.meta({ description: 'When the job and its result are deleted.' }),
    total: z
      .number()
      .int()
      .nullable()
      .meta({ description: 'Number of documents; null until the records have been counted.' }),
    done: z.number().int().meta({ description: 'Number of finished documents.' }),
    failed: z.number().int().meta({ description: 'Number of records that cannot be rendered.' }),
    errors: z
      .array(recordFaultSchema)
      .meta({ description: 'The first 100 faults of records, after the job has ended.' }),
    problem: problemSchema
      .nullable()
      .meta({ description: 'For a failed job: the problem document of the request.' }),
    result: z
      .string()
      .nullable()
      .meta({ description: 'Address of the result, after the job has succeeded.' }),
    callback: callbackSchema.nullable().meta({ description: 'For a job with a `callback_url`.' }),
  })
  .meta({ id: 'Job' });
export type JobJson = z.infer<typeof jobSchema>;

export const webhookSchema = z
  .object({
    secret: z.string().meta({
      description:
        'Secret for Standard Webhooks: `whsec_` and the key of `webhook-signature` in base64. The whole text is the key of `Platen-Signature`.',
    }),
  })
  .meta({ id: 'Webhook' });

export const uploadSchema = z
  .object({
    id,
    reference: z
      .string()
      .meta({ description: '`upload:<id>`, to send as text in any file field of a request.' }),
    url: z.string().meta({ description: 'Address to post the multipart/form-data form to.' }),
    fields: z
      .record(z.string(), z.string())
      .meta({ description: 'Fields of the form. Send all of them, followed by the field `file`.' }),
    max_bytes: z.number().int().meta({ description: 'Maximum size; the storage refuses larger files.' }),
    expires_at: timestamp.meta({ description: 'The file must be sent before this time.' }),
    usable_until: timestamp.meta({ description: 'Requests can refer to the upload until this time.' }),
  })
  .meta({ id: 'Upload' });
