import * as z from 'zod';
import { CONFORMANCE_LEVELS } from '@platen/pdf/options';
import { IMAGE_MODES } from '@platen/imaging/mode-names';
import { DEFAULT_LOCALE, PAPER_FORMATS } from '@platen/print';
import { UNDEFINED_MODES } from '@platen/templating/undefined-modes';
import { browserOptions, pictureOptions } from './browser-options.ts';
import { facturXOptionsSchema } from './factur-x-options.ts';
import { officeOptionsSchema } from './office-options.ts';
import { signOptionsSchema } from './signatures.ts';
import { stepsSchema } from './steps.ts';
import { viewSchema } from './view-options.ts';
import {
  CONTENT_HEIGHT,
  conformanceLevels,
  formatLocaleText,
  furnitureByPage,
  languageText,
  lengthInCm,
  localeText,
  pageRangeText,
  passwordText,
  refusedText,
  writtenLength,
} from './option-values.ts';

/** The schemas of the options of a template and of a rendering, and their values. */

export const TEMPLATE_FORMATS = [
  'docx',
  'html',
  'markdown',
  'odt',
  'ods',
  'odp',
  'pdf',
  'pptx',
  'xlsx',
] as const;
export type TemplateFormat = (typeof TEMPLATE_FORMATS)[number];

export const TEMPLATING_ENGINES = ['jinja2', 'flask', 'liquid', 'none'] as const;
export type TemplatingEngine = (typeof TEMPLATING_ENGINES)[number];

export const RENDERING_ENGINES = ['chrome', 'webkit'] as const;
export type RenderingEngine = (typeof RENDERING_ENGINES)[number];

/** Centimetres. A sheet is at most A0, so a larger margin cannot be meant. */
const margin = writtenLength(z.number().min(0).max(100));
/** Centimetres: a PDF page can be at most this long, and no label is shorter. */
const sheetLength = z.number().min(0.5).max(508);
/** Centimetres on the page. */
const coordinate = lengthInCm(z.number().min(0).max(200));
const extent = lengthInCm(z.number().positive().max(200));
const channel = z.number().int().min(0).max(255);

/** Options that a template stores and a rendering may override, under the same names (I-7). */
const pageOptions = {
  paper_format: z.enum(PAPER_FORMATS).meta({ description: 'Paper of the document. Default A4.' }),
  landscape: z.boolean().meta({ description: 'Landscape instead of portrait. Default false.' }),
  paper_width: writtenLength(sheetLength).meta({
    description:
      'Width of the sheet: centimetres, or `62mm`, `4in`, `300pt`, `400px`. Default: that of `paper_format`.',
  }),
  paper_height: writtenLength(sheetLength, CONTENT_HEIGHT).meta({
    description:
      'Height of the sheet, with the same units; `content` makes one page as long as its content. Default: that of `paper_format`.',
  }),
  margin_top: margin.meta({
    description: 'Top margin: centimetres, or `20mm`, `1in`, `72pt`, `96px`. Default 2.',
  }),
  margin_bottom: margin.meta({
    description: 'Bottom margin: centimetres, or `20mm`, `1in`, `72pt`, `96px`. Default 2.',
  }),
  margin_left: margin.meta({
    description: 'Left margin: centimetres, or `20mm`, `1in`, `72pt`, `96px`. Default 1.',
  }),
  margin_right: margin.meta({
    description: 'Right margin: centimetres, or `20mm`, `1in`, `72pt`, `96px`. Default 1.',
  }),
  css_page: z.boolean().meta({
    description:
      "Whether the document's `@page` rules apply: `true` overrides every option, `false` ignores the rules. By default they apply unless an option is set.",
  }),
  scale: z.number().min(0.1).max(2).meta({ description: 'Scale of the content. Default 1.' }),
  print_background: z.boolean().meta({ description: 'Print CSS backgrounds. Default true.' }),
  page_range: pageRangeText().meta({
    description: 'Pages to keep, such as `1-3,5,8-` or `-3`. Default: all.',
  }),
  page_number_footer_enabled: z
    .boolean()
    .meta({ description: 'Page number in the default footer. Default true.' }),
  date_header_enabled: z.boolean().meta({ description: "Today's date in the default header. Default true." }),
  date_locale: localeText().meta({
    description:
      'Language of the date: any ICU locale, such as `de_AT` or `pt-BR`. Default: the language of the document, else en_US.',
  }),
  locale: formatLocaleText().meta({
    description:
      'Locale of filters and translations, and of a document without a language, such as `de_AT` or `ar-EG-u-nu-arab`. Default English.',
  }),
  title_header_enabled: z.boolean().meta({ description: 'Title in the default header. Default true.' }),
  display_header_footer: z.boolean().meta({ description: 'Print header and footer. Default true.' }),
  rendering_engine: z
    .enum(RENDERING_ENGINES)
    .meta({ description: 'Engine that prints html. Default chrome.' }),
  compress: z.boolean().meta({ description: 'Compress the PDF, as `/v1/pdf/compress` does. Default false.' }),
  first_page_number: z
    .number()
    .int()
    .min(0)
    .max(1_000_000)
    .meta({ description: 'Number of the first page in headers, footers and contents. Default 1.' }),
  disable_header_footer_first_page: z
    .boolean()
    .meta({ description: 'No header and footer on page 1. Default false.' }),
  filename: z
    .string()
    .max(1000)
    .meta({
      description:
        'Name of the document: a template such as `{{ number }}`, in the dialect of the template. ' +
        "Default: the template's name.",
    }),
  undefined: z.enum(UNDEFINED_MODES).meta({
    description:
      'Handling of undefined names that the template prints, loops over or counts: `warn` for a Warning that names them, `strict` for an error `template_render` with all of them, `silent` for neither. Default warn.',
  }),
  autoescape: z.boolean().meta({
    description:
      'Whether values are escaped in html: `true` in any dialect, `false` in none. By default `flask` escapes, and `jinja2` and `liquid` do not.',
  }),
};

/**
 * Returns the schema of a header or footer: HTML or plain text, its base64, or an object of these by page
 * (I-50).
 */
function furnitureValue(
  name: 'Header' | 'Footer',
): z.ZodUnion<readonly [z.ZodString, typeof furnitureByPage]> {
  return z.union([z.string(), furnitureByPage]).meta({
    description: `${name} for this rendering: HTML or plain text, or its base64; or an object of these by page: default, first, last, odd, even, or a range such as \`2-3\`.`,
  });
}

/** Options that only a rendering takes. Positions count from the top left corner of the page. */
const renderOnlyOptions = {
  ...browserOptions,
  ...pictureOptions,
  header_file: furnitureValue('Header'),
  footer_file: furnitureValue('Footer'),
  x: coordinate.meta({
    description: 'Left edge of the image or barcode: centimetres, or `20mm`, `1in`, `72pt`, `96px`.',
  }),
  y: coordinate.meta({
    description: 'Top edge of the image or barcode: centimetres, or `20mm`, `1in`, `72pt`, `96px`.',
  }),
  w: extent.meta({
    description: 'Width of the image or barcode: centimetres, or `20mm`, `1in`, `72pt`, `96px`.',
  }),
  h: extent.meta({
    description: 'Height of the image or barcode: centimetres, or `20mm`, `1in`, `72pt`, `96px`.',
  }),
  keep_ratio: z.boolean().meta({ description: 'Keep the aspect ratio. Default true.' }),
  alt: z.string().min(1).max(1000).meta({
    description: 'Alternate text that describes the image or barcode. The PDF is tagged if it is given.',
  }),
  text_enabled: z.boolean().meta({ description: 'Text under a barcode. Default true.' }),
  image_mode: z.enum(IMAGE_MODES).meta({ description: 'Colour mode to convert the image to.' }),
  transparency_enabled: z.boolean().meta({
    description: 'Keep transparency instead of flattening it onto `background_color`. Default true.',
  }),
  background_color: z
    .tuple([channel, channel, channel])
    .meta({ description: 'Red, green, blue, 0 to 255. Default white.' }),
  factur_x: facturXOptionsSchema,
  conformance: conformanceLevels(0).meta({
    description: `Standards that the PDF must meet and claim, as a list: one of ${CONFORMANCE_LEVELS.slice(
      0,
      -1,
    )
      .map((level) => `\`${level}\``)
      .join(
        ', ',
      )}, and \`pdf/ua-1\`. Violations that only the author can fix are an error \`not_conformant\`. Default: none, as an empty list.`,
  }),
  on_violation: z.enum(['error', 'warn']).meta({
    description:
      'Handling of violations of `conformance` that only the author can fix: `error`, or `warn` for the document without the claim and a Warning for each violation. Default error.',
  }),
  language: languageText().meta({
    description: 'Language of the PDF, such as `de` or `pt-BR`. Default: that of the document.',
  }),
  title: z
    .string()
    .min(1)
    .max(1000)
    .meta({ description: 'Title of the PDF. Default: that of the document.' }),
  outline: z.boolean().meta({ description: 'Headings as bookmarks. Default true.' }),
  view: viewSchema,
  form_fields: z.boolean().meta({
    description:
      'Form controls of an html or office document become fields of the PDF, which can be filled. Default false: the PDF shows their values.',
  }),
  office: officeOptionsSchema,
  templating_engine: z.enum(TEMPLATING_ENGINES).meta({
    description: 'Dialect of the placeholders; `none` for a document without placeholders. Default jinja2.',
  }),
  steps: stepsSchema.meta({
    description: 'What is done to the PDF when it is made, as by `POST /v1/pdf/process`.',
  }),
  sign: signOptionsSchema,
  encrypt_password: passwordText().meta({
    description: 'Encrypt the PDF with this password (AES-256). At most 127 bytes of UTF-8.',
    format: 'password',
  }),
};

/** The schema of `render_options` in a request. */
export const renderOptionsSchema = z
  .object({ ...pageOptions, ...renderOnlyOptions })
  .partial()
  .meta({
    id: 'RenderOptions',
    description: "Options of one call. They override the template's own; unknown ones are ignored.",
  });
export type RenderOptions = z.infer<typeof renderOptionsSchema>;

export const pageOptionsSchema = z.object(pageOptions).partial();

/** Options in the front matter of a markdown template (I-53). */
export const frontMatterSchema = z.object({ front_matter: pageOptionsSchema.optional() });
export type FrontMatter = NonNullable<z.infer<typeof frontMatterSchema>['front_matter']>;

/** The fields of a template that are not options. */
export const templateFieldsSchema = z.object({
  name: z.string().min(1).max(255).meta({ description: 'Name of the template, and of the rendered file.' }),
  format: z.enum(TEMPLATE_FORMATS).meta({ description: 'Format of the template file.' }),
  description: z.string().max(4000).optional().meta({ description: 'Free text.' }),
  templating_engine: z.enum(TEMPLATING_ENGINES).optional().meta({
    description: 'Dialect of the template; `none` for a finished document. Default jinja2.',
  }),
  ...pageOptionsSchema.shape,
});
export type TemplateData = z.infer<typeof templateFieldsSchema>;

/** The schema of `template_data` when a template is added or sent along with a rendering. */
export const templateDataSchema = templateFieldsSchema.extend({
  data_schema: z
    .record(z.string(), z.unknown())
    .optional()
    .meta({ description: 'JSON Schema (2020-12) that render data must match. At most 64 KB.' }),
  header_file: furnitureByPage.optional().meta({
    description:
      'Header by page, instead of `header_data`: default, first, last, odd, even, or a range of pages.',
  }),
  footer_file: furnitureByPage.optional().meta({
    description:
      'Footer by page, instead of `footer_data`: default, first, last, odd, even, or a range of pages.',
  }),
  // A client that ignores warnings would believe an unprotected document to be encrypted.
  encrypt_password: refusedText(
    'a template stores no password; send it with each rendering, as render_options.encrypt_password',
  )
    .meta({
      description: 'Refused: send the password with each rendering, in `render_options`.',
      format: 'password',
    })
    .optional(),
});

export type SentTemplateData = z.infer<typeof templateDataSchema>;

/** The schema of `template_data` when a template is sent along with its rendering. */
export const sentTemplateSchema = templateDataSchema.partial().meta({ id: 'SentTemplateData' });

/** The reason for a new version of a template. */
const note = z.string().max(1000).meta({ description: 'Reason for this version: free text.' });

/** Tags for finding templates. */
export const tagsSchema = z
  .array(z.string().min(1).max(50))
  .max(20)
  .meta({ description: 'Tags to filter the list of templates by, such as `invoices`. At most 20.' });

/** The schema of `template_data` when a template is added. */
export const newTemplateSchema = templateDataSchema
  .extend({ tags: tagsSchema.optional(), note: note.optional() })
  .meta({ id: 'TemplateData' });
export type NewTemplateData = z.infer<typeof newTemplateSchema>;

/** The options without a default value, which the next version of a template may remove. */
export const REMOVABLE_OPTIONS = [
  'page_range',
  'filename',
  'css_page',
  'locale',
  'paper_width',
  'paper_height',
  'autoescape',
] as const;

/** The parts that the next version of a template may remove. */
export const REMOVABLE = ['header', 'footer', 'description', 'data_schema', ...REMOVABLE_OPTIONS] as const;
export type Removable = (typeof REMOVABLE)[number];

/** The schema of `template_data` when the next version of a template is written. */
export const templateChangeSchema = newTemplateSchema
  .partial()
  .extend({
    remove: z.array(z.enum(REMOVABLE)).optional().meta({
      description: 'Parts to remove from the template. Parts that are only left out stay unchanged.',
    }),
  })
  .meta({ id: 'TemplateChange' });
export type TemplateChange = z.infer<typeof templateChangeSchema>;

/** Fields of the `template_data` of a style or image file, including the reason for the change. */
export const attachedFields = {
  filename: z.string().max(255).optional(),
  description: z.string().max(4000).optional(),
  note: note.optional(),
};

/** Alternative option names and the names they stand for (I-7), for templates and renderings alike. */
export const OPTION_ALIASES: Readonly<Record<string, string>> = {
  background: 'print_background',
  width: 'w',
  height: 'h',
};

/** Fields in `template_data` that clients send and the service ignores without a warning. */
export const IGNORED_TEMPLATE_FIELDS: readonly string[] = [
  'id',
  'number',
  'timestamp',
  'template_name',
  'template_id',
  'template_file',
  'header_file',
  'footer_file',
  'style_files',
  'image_files',
  'active',
  'version',
  'published_version',
  'latest_version',
  'note',
  'samples',
  'tags',
];

/** Fields of `template_data` that only refer to files; the content comes in a field of its own. */
export const FILES_SENT_APART: Readonly<Record<string, string>> = {
  template_file: 'file_data',
  header_file: 'header_data',
  footer_file: 'footer_data',
};

/** Values that apply when neither the call nor the template sets them. */
export const PAGE_DEFAULTS = {
  paper_format: 'A4',
  landscape: false,
  paper_width: null,
  paper_height: null,
  margin_top: 2,
  margin_bottom: 2,
  margin_left: 1,
  margin_right: 1,
  css_page: null,
  scale: 1,
  print_background: true,
  page_range: null,
  page_number_footer_enabled: true,
  date_header_enabled: true,
  date_locale: DEFAULT_LOCALE,
  locale: null,
  title_header_enabled: true,
  display_header_footer: true,
  rendering_engine: 'chrome',
  compress: false,
  first_page_number: 1,
  disable_header_footer_first_page: false,
  filename: null,
  undefined: 'warn',
  autoescape: null,
} as const satisfies { [K in keyof typeof pageOptions]: unknown };
