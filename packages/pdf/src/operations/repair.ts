import { join } from 'node:path';
import { isPlatenError } from '@platen/core/errors';
import type { PdfInput } from '../files/engine.ts';
import { inspectPdf } from '../index.ts';
import { runTask, type CallOptions } from '../thread.ts';
import { compilePdfium } from '../pdfium/binary.ts';
import { OPERATIONS } from './tasks.ts';

/**
 * Runs an operation on PDFs and, if one of them cannot be read, again on the repaired files (I-33).
 *
 * @param scratch scratch directory of the request
 * @throws PlatenError the errors of the operation; `pdf_damaged` if the repair fails as well.
 */
export async function withRepair<T>(
  inputs: readonly PdfInput[],
  scratch: string,
  options: CallOptions,
  work: (inputs: readonly PdfInput[]) => Promise<T>,
): Promise<T> {
  let error: unknown;
  try {
    return await work(inputs);
  } catch (failure) {
    if (!isRepairable(failure)) throw failure;
    error = failure;
  }
  const broken = await whichAreBroken(inputs, options);
  // A file that opens may still contain damage that stops qpdf later.
  const rounds =
    broken.size > 0 && broken.size < inputs.length ? [broken, new Set(inputs)] : [new Set(inputs)];
  const repaired = new Map<PdfInput, PdfInput>();
  for (const round of rounds) {
    for (const [index, input] of inputs.entries()) {
      if (!round.has(input) || repaired.has(input)) continue;
      repaired.set(input, await repair(input, join(scratch, `repaired-${index}.pdf`), error, options));
    }
    try {
      return await work(inputs.map((input) => repaired.get(input) ?? input));
    } catch (failure) {
      if (!isRepairable(failure)) throw failure;
      error = failure;
    }
  }
  throw error;
}

async function whichAreBroken(inputs: readonly PdfInput[], options: CallOptions): Promise<Set<PdfInput>> {
  const broken = new Set<PdfInput>();
  if (inputs.length === 1) return broken;
  for (const input of inputs) if (!(await opens(input, options))) broken.add(input);
  return broken;
}

/** A file that does not begin with a header may be a PDF after other data. */
const REPAIRABLE: readonly string[] = ['pdf_damaged', 'pdf_invalid'];

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

/** @throws PlatenError that names the missing part; the original error for a file without objects */
async function repair(
  input: PdfInput,
  path: string,
  reason: unknown,
  options: CallOptions,
): Promise<PdfInput> {
  const pdfium = await compilePdfium();
  try {
    const password = await runTask(OPERATIONS, 'repair', { pdfium, input, output: path }, options);
    return { path, name: input.name, password: password as string | undefined };
  } catch (error) {
    throw isPlatenError(error) && error.code === 'pdf_invalid' ? reason : error;
  }
}
