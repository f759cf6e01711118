import { stat } from 'node:fs/promises';
import { isPlatenError } from '@platen/core/errors';
import { inputArguments, type Engine, type PdfInput } from '../engine.ts';
import type { PdfFile } from './file.ts';
import { type OpenOptions, openPdfFile } from './open.ts';

/** Maximum size of documents in memory; larger ones stay on disk and are read by qpdf. */
export const MAX_IN_MEMORY = 64 << 20;

/** The faults of a file that is not read directly. */
const REPAIRABLE = /^pdf_(?:damaged|password_required|too_complex)$/;

/**
 * Opens any readable PDF: qpdf repairs damaged files and decrypts encrypted ones first. All objects of the
 * document are read, so that no damage shows later.
 *
 * @throws PlatenError `pdf_password_required`, `pdf_password_wrong`, `pdf_invalid`, `pdf_damaged`,
 * `pdf_too_complex`; the signal's reason when it is aborted
 */
export async function openReadable(
  input: PdfInput,
  engine: Engine,
  options: OpenOptions = {},
): Promise<PdfFile> {
  try {
    return await openWhole(input.path, options);
  } catch (error) {
    if (!isPlatenError(error) || !REPAIRABLE.test(error.code)) throw error;
  }
  await engine.boundPages(input);
  const path = engine.temporary('pdf');
  await engine.write(input, [...inputArguments(input), '--decrypt', '--object-streams=preserve', { path }]);
  return await openWhole(path, options);
}

/**
 * Opens a PDF that needs no repair, and reads all of its objects.
 *
 * @returns undefined for a file that qpdf has to read: damaged, encrypted, or too large for memory
 * @throws the signal's reason when it is aborted
 */
export async function openIntact(path: string, options: OpenOptions = {}): Promise<PdfFile | undefined> {
  if ((await stat(path)).size > MAX_IN_MEMORY) return undefined;
  try {
    const file = await openWhole(path, options);
    // An unreadable page tree would lose its pages, so qpdf reads the file.
    return file.pages().length === 0 ? undefined : file;
  } catch (error) {
    if (isPlatenError(error) && REPAIRABLE.test(error.code)) return undefined;
    throw error;
  }
}

async function openWhole(path: string, options: OpenOptions): Promise<PdfFile> {
  const file = await openPdfFile(path, options);
  file.found(options.signal);
  file.pages();
  return file;
}
