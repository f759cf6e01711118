import { join } from 'node:path';
import { isPlatenError } from '../shared/errors.ts';
import type { PdfInput } from '../shared/pdf/engine.ts';
import { inspectPdf } from '../shared/pdf/index.ts';
import { runTask, type CallOptions } from '../shared/pdf/thread.ts';
import { compilePdfium } from './pdfium-binary.ts';
import { OPERATIONS } from './tasks.ts';

/**
 * Does some work on PDFs and, where qpdf cannot read one of them, once more on what PDFium makes of it: it finds the
 * objects of a document whose cross-references are lost (decision 33).
 * @param scratch A directory of the request.
 * @throws PlatenError what the work throws; `pdf_damaged` where neither can read it.
 */
export async function withRepair<T>(
  inputs: readonly PdfInput[],
  scratch: string,
  options: CallOptions,
  work: (inputs: readonly PdfInput[]) => Promise<T>,
): Promise<T> {
  try {
    return await work(inputs);
  } catch (error) {
    if (!isRepairable(error)) throw error;
    const repaired: PdfInput[] = [];
    let any = false;
    for (const [index, input] of inputs.entries()) {
      const broken = inputs.length === 1 || !(await opens(input, options));
      const path = join(scratch, `repaired-${index}.pdf`);
      repaired.push(broken ? { ...(await repair(input, path, error, options)), name: input.name } : input);
      any ||= broken;
    }
    if (!any) throw error;
    return await work(repaired);
  }
}

/** Also what does not begin like a PDF may be one, with something before it. */
const REPAIRABLE: readonly string[] = ['pdf_damaged', 'pdf_invalid', 'pdf_too_complex'];

function isRepairable(error: unknown): boolean {
  return isPlatenError(error) && REPAIRABLE.includes(error.code);
}

async function opens(input: PdfInput, options: CallOptions): Promise<boolean> {
  try {
    const { pages } = await inspectPdf(input.path, { ...options, password: input.password });
    return pages > 0;
  } catch (error) {
    if (isRepairable(error)) return false;
    throw error;
  }
}

/** @throws the error that made it necessary, where it does not succeed. */
async function repair(
  input: PdfInput,
  path: string,
  reason: unknown,
  options: CallOptions,
): Promise<PdfInput> {
  const pdfium = await compilePdfium();
  try {
    await runTask(OPERATIONS, 'repair', { pdfium, input, output: path }, options);
  } catch (error) {
    if (isRepairable(error)) throw reason;
    throw error;
  }
  return { path };
}
