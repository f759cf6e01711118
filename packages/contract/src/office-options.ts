import * as z from 'zod';

/** The options for the pages of an office document that becomes a PDF (I-20). */

const choice = (description: string): z.ZodOptional<z.ZodBoolean> =>
  z
    .boolean()
    .optional()
    .meta({ description: `${description} Default false.` });

export const officeOptionsSchema = z
  .object({
    landscape: choice('Pages of texts and spreadsheets that are upright are turned to landscape.'),
    single_page_sheets: choice('Each sheet of a spreadsheet is one page, as large as its cells.'),
    comments: choice('Comments become annotations of the PDF.'),
    notes_pages: choice('The notes of a presentation follow its slides, as pages.'),
    hidden_slides: choice('Slides that the presentation hides are pages as well.'),
    empty_pages: choice(
      'Empty pages before a section that begins on an odd or even page are pages of the PDF.',
    ),
    keep_indexes: choice('Tables of contents and other indexes stay as they were saved.'),
  })
  .meta({
    id: 'OfficeOptions',
    description: 'Pages and content of the PDF of an office document, which has its own page set-up.',
  });
export type OfficeOptions = z.infer<typeof officeOptionsSchema>;
