import { type FieldFault, PlatenError } from '@platen/core/errors';
import type { Finishing } from '@platen/pdf/finish';
import { isWebFormat } from '@platen/print';
import type { Step } from '@platen/pdf/steps';
import type { CombineFields } from './dependencies.ts';
import { NAMING } from './partials.ts';
import type { OutputFormat } from './output.ts';
import { wantedFurniture } from './html/fill.ts';
import type { RenderSettings } from './settings.ts';
import type { RenderTemplate } from './template.ts';

/** One PDF of the documents of a batch (I-52). It divides the options between each document and the whole. */

/**
 * Most records of one PDF. One function writes it, in 15 minutes: 100,000 invoices of one page take about half of that
 * (docs/rendering.md).
 */
const MAX_COMBINED = 100_000;

/** Returns the most records of a job. */
export function mostJobRecords(
  { whole }: { whole: Finishing | null },
  { maxJobRecords }: { maxJobRecords: number },
): number {
  return whole === null ? maxJobRecords : Math.min(maxJobRecords, MAX_COMBINED);
}

/** The options of each document, and those of the combined file. */
export interface Combined {
  settings: RenderSettings;
  /** null if each document is a file of its own. */
  whole: Finishing | null;
}

/**
 * Divides the options of a batch between its documents and the combined file.
 *
 * @param fonts folder of the fonts for text in steps
 * @throws PlatenError `invalid_field`, `option_not_supported` for options that a combined file cannot have
 */
export function combined(
  { combine, numbering }: CombineFields,
  {
    output,
    template,
    settings,
  }: { output: OutputFormat; template: RenderTemplate; settings: RenderSettings },
  fonts: string | null,
): Combined {
  if (combine === undefined) {
    if (numbering !== undefined) throw refused('invalid_field', 'numbering', 'requires combine=pdf');
    return { settings, whole: null };
  }
  if (output !== 'pdf') {
    throw refused(
      'invalid_field',
      'combine',
      `makes one file of PDFs, not of documents of the format ${output}`,
    );
  }
  if (settings.facturX !== null) {
    const why = 'cannot be honoured with combine=pdf: one file has one invoice';
    throw refused('option_not_supported', 'render_options.factur_x', why);
  }
  const numbered = numbering === 'through' ? throughNumbers(template, settings) : null;
  const { steps, compress, encryptPassword, claims, sign } = settings;
  // Without the headings of the documents there is still an entry for each of them.
  const whole = {
    steps: numbered === null ? steps : [numbered, ...steps],
    fonts,
    compress,
    encryptPassword,
    claims: claims && { ...claims, outline: true },
    sign,
  };
  const plain = claims?.outline === false ? { ...PLAIN_CLAIMS, outline: false } : null;
  return {
    settings: {
      ...settings,
      ...(numbered && { furniture: { ...settings.furniture, pageNumber: false } }),
      steps: [],
      compress: false,
      encryptPassword: null,
      claims: plain,
      sign: undefined,
    },
    whole,
  };
}

/** Classes of elements that an engine fills with page numbers. */
const NUMBERED = ['pageNumber', 'totalPages'];
/** The CSS functions by which a document shows its page numbers (I-51). */
const REFERENCE = /target-counters?\(/i;

/**
 * Returns page numbers for the whole file. Its number of pages is known only when all documents are there, so the
 * numbers are stamped in the place of the default footer. An engine's numbers count only its own document.
 *
 * @returns null if no page numbers are requested
 * @throws PlatenError `option_not_supported` if a document writes page numbers itself
 */
function throughNumbers(template: RenderTemplate, settings: RenderSettings): Step | null {
  const why = (what: string): string =>
    `cannot be honoured: ${what}; leave them out there, and use a step page_numbers`;
  if (template.format === 'pdf') {
    throw refused('option_not_supported', 'numbering', why('a form already has page numbers'));
  }
  if (!isWebFormat(template.format)) {
    throw refused('option_not_supported', 'numbering', why('an office document numbers its pages itself'));
  }
  const { enabled, pageNumber } = settings.furniture;
  const { header, footer } = wantedFurniture(template, settings);
  const own = [header, footer].flatMap((texts) => texts?.map(({ text }) => text) ?? []);
  // Included partials are printed with them.
  const included = own.some((text) => NAMING.test(text)) ? Object.values(template.partials.texts) : [];
  if (NUMBERED.some((name) => [...own, ...included].some((text) => text.includes(name)))) {
    throw refused(
      'option_not_supported',
      'numbering',
      why('the header or footer has page numbers by record'),
    );
  }
  if (REFERENCE.test([template.text ?? '', ...template.styles].join('\n'))) {
    throw refused('option_not_supported', 'numbering', why('contents have page numbers by record'));
  }
  if (!enabled || !pageNumber || footer !== null) return null;
  if (settings.page.skipFurnitureOnFirstPage) {
    throw refused('option_not_supported', 'numbering', why('first pages have no header and footer'));
  }
  const { firstPageNumber: first } = settings.page;
  return { name: 'page_numbers', options: { format: '{page} / {pages}', position: 'bottom-center', first } };
}

const PLAIN_CLAIMS = { levels: [], title: null, language: null, onViolation: 'error' } as const;

function refused(code: 'invalid_field' | 'option_not_supported', field: string, what: string): PlatenError {
  const message = `${field} ${what}`;
  const fault: FieldFault = { field, message };
  return new PlatenError(code, `${message}.`, { faults: [fault] });
}
