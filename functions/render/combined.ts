import { type FieldFault, PlatenError } from '@platen/core/errors';
import type { Finishing } from '@platen/pdf/finish';
import type { OutputFormat } from './output.ts';
import type { RenderSettings } from './settings.ts';

/** One PDF of the documents of a batch (I-52): which options are each document's, and which those of the whole. */

/** What a request says of it. */
export interface CombineFields {
  combine?: 'pdf' | undefined;
  numbering?: 'record' | 'through' | undefined;
}

/** What is done to each document, and to the file that they become. */
export interface Combined {
  settings: RenderSettings;
  /** Null where each document is a file of its own. */
  whole: Finishing | null;
}

/**
 * Divides the options of a batch between its documents and the file that they become.
 *
 * @param fonts folder of the fonts that steps set text in
 * @throws PlatenError `invalid_field`, `option_not_supported`, naming what one file cannot have
 */
export function combined(
  { combine, numbering }: CombineFields,
  output: OutputFormat,
  settings: RenderSettings,
  fonts: string | null,
): Combined {
  if (combine === undefined) {
    if (numbering !== undefined) throw refused('invalid_field', 'numbering', 'is for combine=pdf only');
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
  if (numbering === 'through') {
    const why = 'through is not supported yet';
    throw refused('invalid_field', 'numbering', why);
  }
  const { steps, compress, encryptPassword, claims, sign } = settings;
  // Without the headings of the documents there is still an entry for each of them.
  const whole = {
    steps,
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
      steps: [],
      compress: false,
      encryptPassword: null,
      claims: plain,
      sign: undefined,
    },
    whole,
  };
}

const PLAIN_CLAIMS = { levels: [], title: null, language: null, onViolation: 'error' } as const;

function refused(code: 'invalid_field' | 'option_not_supported', field: string, what: string): PlatenError {
  const message = `${field} ${what}`;
  const fault: FieldFault = { field, message };
  return new PlatenError(code, `${message}.`, { faults: [fault] });
}
