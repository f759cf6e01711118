import { stat } from 'node:fs/promises';
import { isPlatenError } from '@platen/core/errors';
import { inputArguments, type Engine, type PdfInput } from '../engine.ts';
import type { PdfFile } from './file.ts';
import { type OpenOptions, openPdfFile } from './open.ts';

/** Bytes of documents that are in memory together; larger ones stay on the disk, where qpdf reads them. */
export const MAX_IN_MEMORY = 64 << 20;

/** What a file is that is not read as it is. */
const REPAIRABLE = /^pdf_(?:damaged|password_required|too_complex)$/;

/**
 * Opens any PDF that can be opened: one that is damaged is repaired first, and one that is encrypted is decrypted, both by
 * qpdf. All that the document leads to has been read then, so that no damage comes to light later.
 *
 * @throws PlatenError `pdf_password_required`, `pdf_password_wrong`, `pdf_invalid`, `pdf_damaged`, `pdf_too_complex`;
 *   the signal's reason when it is aborted
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
 * Opens a PDF that needs no repair, all that it leads to read.
 *
 * @returns undefined for one that qpdf has to read: damaged, encrypted, or too large to be in memory
 * @throws the signal's reason when it is aborted
 */
export async function openSound(path: string, options: OpenOptions = {}): Promise<PdfFile | undefined> {
  if ((await stat(path)).size > MAX_IN_MEMORY) return undefined;
  try {
    const file = await openWhole(path, options);
    // Of a page tree that cannot be read nothing is left: qpdf is asked.
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
