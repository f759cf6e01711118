import type { PdfInput } from '../files/engine.ts';
import { runTask, type CallOptions } from '../thread.ts';
import { processPdfs, type Step, type StepsDone, type StepOptions } from '../steps/index.ts';
import { OPERATIONS } from './tasks.ts';

/**
 * Embeds an invoice in a PDF of any origin, and makes it PDF/A-3.
 *
 * @returns what only the author can repair, if that is no error, and the changed claims
 * @throws PlatenError `not_conformant`; `pdf_signed`; the errors of the engine
 */
export async function embedInPdf(
  {
    input,
    output,
    breakSignatures = false,
    fonts,
    ...invoice
  }: Omit<StepOptions['factur_x'], 'field'> & {
    input: PdfInput;
    output: string;
    /** Whether signatures are removed; otherwise a signed document is refused. */
    breakSignatures?: boolean | undefined;
    /** Folder of the fonts; null if the deployment has none. */
    fonts: string | null;
  },
  options: CallOptions = {},
): Promise<StepsDone> {
  const steps: Step[] = [{ name: 'factur_x', options: { field: 'conformance', ...invoice } }];
  return await processPdfs({ inputs: [input], output, steps, breakSignatures, place: null, fonts }, options);
}

/**
 * Writes the invoice of a PDF to a file, byte for byte.
 *
 * @returns its name in the PDF
 * @throws PlatenError `factur_x_invalid` where there is none; those of the engine
 */
export async function extractFromPdf(
  input: PdfInput,
  output: string,
  options: CallOptions = {},
): Promise<string> {
  return (await runTask(OPERATIONS, 'extractInvoiceTask', { input, output }, options)) as string;
}
