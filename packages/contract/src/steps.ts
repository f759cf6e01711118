import * as z from 'zod';
import { orderFaults, POSITIONS, type StepName } from '@platen/pdf/steps';
import { PAPER_FORMATS } from '@platen/print';
import { PROFILES } from '@platen/factur-x/profiles';
import { encryptionFields } from './encryption.ts';
import {
  conformanceLevels,
  invoiceConformance,
  languageText,
  lengthInCm,
  metadataFields,
  pageRangeText,
  passwordText,
} from './option-values.ts';
import { signOptionsSchema } from './signatures.ts';

/**
 * The schemas of the steps in `POST /v1/pdf/process` and `render_options.steps` (I-46), and the form fields
 * of the steps' own routes.
 */

/** Returns the schema of the members of a step, under the name that the OpenAPI document has for it. */
function named<T extends z.core.$ZodLooseShape>(id: string, members: T): z.ZodObject<T> {
  return z.object(members).meta({ id });
}

const somePages = pageRangeText().meta({ description: 'Pages such as `1-3,5,8-`. Default: all.' });

/** The name of a part of the request that carries a file. */
const part = z.string().min(1).max(255);
/** Centimetres on the page. */
const coordinate = lengthInCm(z.number().min(-500).max(500));
/** Centimetres; PDF does not support larger sheets without a unit of their own. */
const paperLength = lengthInCm(z.number().min(0.1).max(508));
const position = z.enum(POSITIONS);
const colour = z
  .string()
  .regex(/^#[\da-f]{6}$/i, { error: 'a colour such as #c00000' })
  .meta({ description: 'Such as `#c00000`. Default black.' });

/** The size of a sheet: one of the formats, or a width and a height. */
const sheet = {
  paper_format: z
    .enum(PAPER_FORMATS)
    .optional()
    .meta({ description: 'Paper; it gets the orientation of the pages.' }),
  paper_width: paperLength.optional().meta({
    description: 'Width of the sheet: centimetres, or `62mm`, `4in`, `300pt`, `400px`; with `paper_height`.',
  }),
  paper_height: paperLength
    .optional()
    .meta({ description: 'Height of the sheet, with the same units; with `paper_width`.' }),
};

const cells = z.number().int().min(1).max(50);
const redactedExtent = lengthInCm(z.number().min(0.01).max(1000));
const distanceBetween = lengthInCm(z.number().min(0).max(100));

/**
 * The content of a stamp. The service checks together with the parts of the request that there is exactly
 * one content.
 */
const stamped = named('StampStep', {
  text: z
    .string()
    .min(1)
    .max(10_000)
    .optional()
    .meta({ description: 'Text; its lines are centred. Alternatives: `image`, `pdf` or `html`.' }),
  image: part.optional().meta({ description: 'The part with the image.' }),
  html: z.string().min(1).max(100_000).optional().meta({
    description:
      'Html, or the part that contains it. Chrome prints it in its natural size; elements of the classes `pageNumber`, `totalPages`, `title` and `date` are filled.',
  }),
  pdf: part.optional().meta({ description: 'The part with a PDF, whose first page is stamped.' }),
  pdf_pages: z.enum(['first', 'each']).optional().meta({
    description:
      'Which pages of `pdf` are stamped: the first one on every page (the default), or each of them on its own page; its last one is on all further pages.',
  }),
  position: position
    .optional()
    .meta({ description: 'Position, a centimetre from the edges. Default center.' }),
  x: coordinate.optional().meta({ description: 'Left edge: centimetres, or `20mm`, `1in`, `72pt`, `96px`.' }),
  y: coordinate.optional().meta({ description: 'Top edge, with the same units.' }),
  angle: z
    .number()
    .min(-360)
    .max(360)
    .optional()
    .meta({ description: 'Degrees counter-clockwise. Default 0.' }),
  opacity: z.number().min(0).max(1).optional().meta({ description: 'Opacity. Default 1.' }),
  font: z.string().min(1).max(100).optional().meta({ description: 'Font family. Default Arimo.' }),
  size: z.number().min(1).max(1000).optional().meta({ description: 'Font size in points. Default 24.' }),
  color: colour.optional(),
  scale: z.number().min(0.01).max(100).optional().meta({ description: 'Scale factor. Default 1.' }),
  pages: somePages.optional(),
});

export interface WireOutlineEntry {
  title: string;
  page: number;
  items?: WireOutlineEntry[] | undefined;
}

/** Maximum levels of an outline: no reader shows more. */
const OUTLINE_LEVELS = 8;

function outlineEntry(levels: number): z.ZodType<WireOutlineEntry> {
  const entry: z.ZodType<WireOutlineEntry> = levels > 1 ? outlineEntry(levels - 1) : z.never();
  const title = z.string().min(1).max(1000);
  const items = z.array(entry).max(10_000).optional();
  return z.object({ title, page: z.number().int().min(1), items });
}

/** An entry with entries below it, to `OUTLINE_LEVELS`; the OpenAPI document describes it by itself. */
export const outlineEntrySchema = outlineEntry(OUTLINE_LEVELS).meta({ id: 'OutlineEntry' });

/** A step without members. */
const noMembers = z.object({});

const RELATIONSHIPS = [
  'Source', 'Data', 'Alternative', 'Supplement', 'EncryptedPayload', 'FormData', 'Schema', 'Unspecified',
] as const; // prettier-ignore

/** Members of each step. */
export const stepMembers = {
  merge: noMembers,
  pages: named('PagesStep', {
    pages: pageRangeText().meta({
      description: 'Pages in the resulting order; a page may occur more than once: `3,1,5-`.',
    }),
  }),
  rotate: named('RotateStep', {
    angle: z.literal([90, 180, 270]).meta({ description: 'Clockwise.' }),
    pages: somePages.optional(),
  }),
  scale: named('ScaleStep', {
    ...sheet,
    fit: z.enum(['contain', 'cover', 'fill', 'none']).optional().meta({
      description:
        'How pages fill the sheet: `contain` fits them, `cover` fills the sheet, `fill` stretches them, `none` keeps their size. Default contain.',
    }),
  }),
  impose: named('ImposeStep', {
    columns: cells
      .optional()
      .meta({ description: 'Columns of pages on a sheet. Default 1; always 2 for a booklet.' }),
    rows: cells.optional().meta({ description: 'Rows of pages on a sheet. Default 1.' }),
    ...sheet,
    margin: distanceBetween
      .optional()
      .meta({ description: 'Margin around all pages: centimetres, or `5mm`, `0.2in`, `14pt`. Default 0.' }),
    gap: distanceBetween
      .optional()
      .meta({ description: 'Gap between pages, with the same units. Default 0.' }),
    order: z
      .enum(['rows', 'columns'])
      .optional()
      .meta({ description: 'Fill the sheet by rows or by columns. Default rows.' }),
    booklet: z.boolean().optional().meta({
      description: 'Two pages per side, in the order of a folded booklet. Default false.',
    }),
  }),
  stamp: stamped,
  watermark: stamped,
  page_numbers: named('PageNumbersStep', {
    format: z.string().min(1).max(200).optional().meta({
      description: 'Text with `{page}` and `{pages}`; `{page:6}` has six digits. Default `{page} / {pages}`.',
    }),
    position: position.optional().meta({ description: 'Position. Default bottom-center.' }),
    first: z
      .number()
      .int()
      .min(0)
      .max(1e9)
      .optional()
      .meta({ description: 'Number of the first page. Default 1.' }),
    pages: somePages.optional(),
  }),
  letterhead: named('LetterheadStep', {
    pdf: part.meta({ description: 'The part with the PDF whose first page is put under every page.' }),
    first: part.optional().meta({ description: 'The part with the letterhead of the first page.' }),
  }),
  attach: named('AttachStep', {
    files: z
      .array(
        named('AttachedFile', {
          file: part.meta({ description: 'The part with the file.' }),
          name: z.string().min(1).max(255),
          description: z.string().max(1000).optional(),
          mime: z
            .string()
            .max(255)
            .regex(/^[\w.+-]+\/[\w.+-]+$/, { error: 'a media type such as text/csv' })
            .optional(),
          relationship: z.enum(RELATIONSHIPS).optional(),
        }),
      )
      .min(1)
      .max(1000),
  }),
  outline: named('OutlineStep', { items: z.array(outlineEntrySchema).max(10_000) }),
  metadata: metadataFields,
  fill: named('FillStep', {
    data: z.record(z.string(), z.unknown()).meta({
      description:
        'Values by field name, or in nested objects by the parts of the names; `null` clears a field. The value of a button is the part with its image.',
    }),
  }),
  flatten: noMembers,
  redact: named('RedactStep', {
    areas: z
      .array(
        named('RedactedArea', {
          page: z.number().int().min(1),
          x: coordinate.meta({ description: 'Left edge: centimetres, or `20mm`, `1in`, `72pt`, `96px`.' }),
          y: coordinate.meta({ description: 'Top edge, with the same units.' }),
          w: redactedExtent,
          h: redactedExtent,
        }),
      )
      .min(1)
      .max(1000)
      .optional()
      .meta({ description: 'Areas whose text, pictures, lines and annotations are removed from the file.' }),
    words: z.array(z.string().trim().min(1).max(200)).min(1).max(1000).optional().meta({
      description: 'Words to remove everywhere in the file, ignoring case, also as parts of longer words.',
    }),
  }),
  compress: named('CompressStep', { quality: z.enum(['lossless', 'high', 'medium', 'low']).optional() }),
  conform: named('ConformStep', {
    conformance: conformanceLevels().meta({
      description: 'A list: one level of PDF/A, `pdf/ua-1`, or one of each.',
    }),
    on_violation: z.enum(['error', 'warn']).optional().meta({
      description:
        'Handling of violations that only the author can fix: `error`, or `warn` for Warnings. Default error.',
    }),
    language: languageText().optional().meta({ description: 'Language of the document, such as `de`.' }),
    title: z.string().min(1).max(1000).optional().meta({ description: 'Title of the document.' }),
  }),
  factur_x: named('FacturXStep', {
    ...invoiceConformance,
    xml: part.meta({ description: 'The part with the invoice: XML in UN/CEFACT CII.' }),
    profile: z
      .enum(PROFILES)
      .optional()
      .meta({ description: 'Required profile of the XML. Default: the profile that it names.' }),
  }),
  sign: signOptionsSchema,
  decrypt: named('DecryptStep', { password: passwordText().meta({ format: 'password' }).optional() }),
  encrypt: named('EncryptStep', encryptionFields),
  linearize: noMembers,
} as const satisfies Record<StepName, z.ZodObject>;

type StepMembers = { [N in keyof typeof stepMembers]: z.infer<(typeof stepMembers)[N]> };

/** One parsed step of a request: a single name with its members. */
export type WireStep = {
  [N in keyof StepMembers]: { name: N; members: StepMembers[N] };
}[keyof StepMembers];

const KNOWN = Object.keys(stepMembers) as (keyof StepMembers)[];

/**
 * Unknown names pass the schema and are refused later: skipping a step silently would produce a wrong
 * document.
 */
const step = z
  .looseObject(stepMembers)
  .partial()
  .superRefine((value, context) => {
    const names = Object.keys(value);
    const unknown = names.find((name) => !Object.hasOwn(stepMembers, name));
    const message =
      unknown === undefined ? 'one step: an object with a single name' : unknownStep(unknown.slice(0, 40));
    if (unknown === undefined && names.length === 1) return;
    context.addIssue({ code: 'custom', message, params: { code: 'steps_invalid' } });
  })
  .meta({
    id: 'Step',
    description: 'One step: an object with a single name.',
    additionalProperties: false,
    minProperties: 1,
    maxProperties: 1,
  });

function unknownStep(name: string): string {
  return `one of ${KNOWN.join(', ')}: \`${name}\` is not a step`;
}

/** Maximum steps of one request. */
const MAX_STEPS = 50;

export const stepsSchema = z
  .array(step)
  .min(1)
  .max(MAX_STEPS)
  .superRefine((steps, context) => {
    const names = steps.map((value) => Object.keys(value)[0] as StepName);
    // When a list contains an unknown step, that error is reported first.
    if (names.some((name) => !Object.hasOwn(stepMembers, name))) return;
    for (const { step: place, message } of orderFaults(names)) {
      context.addIssue({ code: 'custom', path: [place], message, params: { code: 'steps_invalid' } });
    }
  });

/** Returns the steps of a list, each with its name. */
export function wireSteps(steps: z.infer<typeof stepsSchema>): WireStep[] {
  return steps.map((value) => {
    const [[name, members] = ['', {}]] = Object.entries(value);
    return { name, members } as WireStep;
  });
}
