import type { PdfInput } from '../engine.ts';
import { runTask, type CallOptions } from '../thread.ts';
import type { Embedded, EmbedTask } from './factur-x-task.ts';
import { OPERATIONS } from './tasks.ts';

/**
 * Embeds an invoice in a PDF of any origin, and makes it PDF/A-3.
 *
 * @returns what only the author can repair, if that is no error, and the changed claims
 * @throws PlatenError `not_conformant`; `pdf_signed`; the errors of the engine
 */
export async function embedInPdf(
  task: Omit<EmbedTask, 'field'>,
  options: CallOptions = {},
): Promise<Embedded> {
  return (await runTask(OPERATIONS, 'embedInvoiceTask', task, options)) as Embedded;
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
