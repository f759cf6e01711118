import * as z from 'zod';

/** What a report says of a rendering (I-54). What an engine cannot tell is null. */

const record = z
  .number()
  .int()
  .optional()
  .meta({ description: 'Of a batch: the first record that it was found in, counted from 0.' });
const records = z.number().int().optional().meta({ description: 'Of a batch: in how many records.' });
const found = { record, records };
const page = z
  .number()
  .int()
  .nullable()
  .meta({ description: 'Counted from 1, of all pages that are printed.' });

export const reportSchema = z
  .object({
    records: z.number().int().optional().meta({ description: 'Of a batch: documents that were made.' }),
    pages: z.number().int(),
    bytes: z.number().int(),
    timings: z
      .record(z.string(), z.number())
      .meta({ description: 'Milliseconds by stage: fill, prepare, print, convert, finish and total.' }),
    resources: z
      .array(
        z.object({
          address: z.string(),
          status: z.number().int().nullable(),
          bytes: z.number().int().nullable(),
          error: z.string().nullable(),
          ...found,
        }),
      )
      .meta({ description: 'What the document names and is loaded; `error`: why nothing of it is shown.' }),
    console: z
      .array(z.object({ level: z.string(), text: z.string(), ...found }))
      .nullable()
      .meta({ description: 'What scripts write to the console, and what they fail with.' }),
    fonts: z.object({
      requested: z.array(z.string()).nullable(),
      used: z.array(z.string()),
      substituted: z
        .array(z.object({ requested: z.string(), used: z.string().nullable(), ...found }))
        .nullable()
        .meta({ description: 'Fonts that are not there, and what text is set in instead.' }),
    }),
    missing_glyphs: z
      .array(z.object({ character: z.string(), code: z.string(), page, ...found }))
      .nullable()
      .meta({ description: 'Characters that are printed as empty boxes; `code` as in `U+0378`.' }),
    overflow: z
      .array(
        z.object({
          element: z.string(),
          page,
          by: z.number().meta({ description: 'Centimetres on paper.' }),
          ...found,
        }),
      )
      .nullable()
      .meta({
        description: 'Elements that stick out of the page or of their box, or whose box cuts something off.',
      }),
    images: z
      .array(z.object({ element: z.string().nullable(), page, dpi: z.number(), ...found }))
      .meta({ description: 'Images of less than 150 dots to the inch.' }),
    violations: z
      .array(
        z.object({
          rule: z.string(),
          page: z.number().int().nullable(),
          element: z.string().nullable(),
          detail: z.string(),
          ...found,
        }),
      )
      .meta({ description: 'What stands against the levels of `conformance`.' }),
  })
  .meta({ id: 'RenderReport' });
export type ReportJson = z.infer<typeof reportSchema>;
