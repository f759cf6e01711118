import type { PdfInput } from '../engine.ts';
import type { EmbeddedInvoice } from '../factur-x/index.ts';
import type { PdfNote } from '../notes.ts';
import { runTask, type CallOptions } from '../thread.ts';
import type { ChangeOptions } from '../unsigned.ts';
import { OPERATIONS } from './tasks.ts';

/**
 * Embeds an invoice in a PDF of any origin.
 *
 * @returns the notes about the result
 * @throws PlatenError `pdf_signed`; the errors of the engine
 */
export async function embedInPdf(
  input: PdfInput,
  invoice: EmbeddedInvoice,
  output: string,
  { breakSignatures, ...options }: ChangeOptions = {},
): Promise<PdfNote[]> {
  const task = { input, output, invoice, breakSignatures };
  return (await runTask(OPERATIONS, 'embedInvoiceTask', task, options)) as PdfNote[];
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
