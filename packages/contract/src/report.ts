import * as z from 'zod';

/** The schema of a report on a rendering (I-54). Values that an engine cannot report are null. */

const record = z
  .number()
  .int()
  .optional()
  .meta({ description: 'For a batch: the first record with this entry, counted from 0.' });
const records = z
  .number()
  .int()
  .optional()
  .meta({ description: 'For a batch: the number of records with this entry.' });
const found = { record, records };
const page = z.number().int().nullable().meta({ description: 'Printed page, counted from 1.' });

const templatePlace = {
  file: z.string().meta({ description: '`template`, `header`, `footer`, `filename`, a partial, or a part.' }),
  line: z
    .number()
    .int()
    .optional()
    .meta({ description: 'Counted from 1; in office documents, the paragraph.' }),
  cell: z.string().optional(),
  source: z.string(),
};

const resource = z
  .object({
    address: z.string(),
    status: z.number().int().nullable(),
    bytes: z.number().int().nullable(),
    error: z.string().nullable(),
    ...found,
  })
  .meta({ id: 'ReportedResource' });

const consoleMessage = z
  .object({ level: z.string(), text: z.string(), ...found })
  .meta({ id: 'ConsoleMessage' });

const substitutedFont = z
  .object({ requested: z.string(), used: z.string().nullable(), ...found })
  .meta({ id: 'SubstitutedFont' });

const reportedFonts = z
  .object({
    requested: z.array(z.string()).nullable(),
    used: z.array(z.string()),
    substituted: z
      .array(substitutedFont)
      .nullable()
      .meta({ description: 'Missing fonts, and the fonts that replace them.' }),
  })
  .meta({ id: 'ReportedFonts' });

const missingGlyph = z
  .object({ character: z.string(), code: z.string(), page, ...found })
  .meta({ id: 'MissingGlyph' });

const overflow = z
  .object({
    element: z.string(),
    page,
    by: z.number().meta({ description: 'Centimetres on paper.' }),
    ...found,
  })
  .meta({ id: 'Overflow' });

const lowResolutionImage = z
  .object({ element: z.string().nullable(), page, dpi: z.number(), ...found })
  .meta({ id: 'LowResolutionImage' });

const undefinedName = z
  .object({ name: z.string(), near: z.string().nullable(), ...templatePlace, ...found })
  .meta({ id: 'UndefinedName' });

const printedMarkup = z
  .object({ name: z.string().nullable(), tag: z.string(), ...templatePlace, ...found })
  .meta({ id: 'PrintedMarkup' });

const violation = z
  .object({
    rule: z.string(),
    page: z.number().int().nullable(),
    element: z.string().nullable(),
    detail: z.string(),
    ...found,
  })
  .meta({ id: 'Violation' });

export const reportSchema = z
  .object({
    records: z.number().int().optional().meta({ description: 'For a batch: the number of documents.' }),
    pages: z.number().int(),
    bytes: z.number().int(),
    timings: z
      .record(z.string(), z.number())
      .meta({ description: 'Milliseconds by stage: fill, prepare, print, convert, finish and total.' }),
    resources: z
      .array(resource)
      .meta({ description: 'Resources of the document; `error` says why a resource is not shown.' }),
    console: z
      .array(consoleMessage)
      .nullable()
      .meta({ description: 'Console output and errors of scripts.' }),
    fonts: reportedFonts,
    missing_glyphs: z
      .array(missingGlyph)
      .nullable()
      .meta({ description: 'Characters that are printed as empty boxes; `code` is such as `U+0378`.' }),
    overflow: z.array(overflow).nullable().meta({
      description: 'Elements that overflow the page or their box, or whose box clips content.',
    }),
    images: z.array(lowResolutionImage).meta({ description: 'Images with a resolution below 150 dpi.' }),
    undefined_names: z.array(undefinedName).meta({
      description:
        'Undefined names that the template prints, loops over or counts, with the nearest known name.',
    }),
    printed_markup: z.array(printedMarkup).meta({
      description: 'Values of the data that look like markup and are printed without being escaped.',
    }),
    violations: z.array(violation).meta({ description: 'Violations of the levels of `conformance`.' }),
  })
  .meta({ id: 'RenderReport' });
export type ReportJson = z.infer<typeof reportSchema>;
