import { isPlatenError } from '@platen/core/errors';
import { type Engine, inputArguments, type PdfInput } from './engine.ts';
import type { PdfFile } from '../model/file.ts';
import { type OpenOptions, openPdfFile } from '../model/open.ts';

/** The faults of a file that is not read directly. */
const REPAIRABLE = /^pdf_(?:damaged|password_required|too_complex)$/;

/** Maximum total size of documents that are in memory with all that belongs to them. */
export const MAX_IN_MEMORY = 64 << 20;

/** Maximum size of a document whose text is in memory. */
const MAX_HELD = 256 << 20;

/**
 * Bytes per object of a file that consists of objects rather than of data. Their text takes less memory than the
 * values that are parsed from it, and stays in memory; of other large files only the requested objects do.
 */
const DENSE = 1 << 10;

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
  const intact = await openIntact(input.path, options);
  if (intact !== undefined) return intact;
  await engine.boundPages(input);
  const path = engine.temporary('pdf');
  await engine.write(input, [...inputArguments(input), '--decrypt', '--object-streams=preserve', { path }]);
  return await openWhole(path, options);
}

/**
 * Opens a PDF that needs no repair, and reads all of its objects.
 *
 * @returns undefined for a file that qpdf has to read first: damaged or encrypted
 * @throws the signal's reason when it is aborted
 */
export async function openIntact(path: string, options: OpenOptions = {}): Promise<PdfFile | undefined> {
  try {
    const file = await openWhole(path, options);
    // An unreadable page tree would lose its pages.
    return file.pages().length === 0 ? undefined : file;
  } catch (error) {
    if (isPlatenError(error) && REPAIRABLE.test(error.code)) return undefined;
    throw error;
  }
}

async function openWhole(path: string, options: OpenOptions): Promise<PdfFile> {
  let file = await openPdfFile(path, options);
  const { length, count } = file;
  if (length <= MAX_HELD && length < count * DENSE)
    file = await openPdfFile(path, { ...options, held: length });
  file.found(options.signal);
  file.pages();
  return file;
}

/** Works as `Engine.isEncrypted`, without qpdf for an intact file. */
export async function isEncrypted(engine: Engine, input: PdfInput): Promise<boolean> {
  try {
    await openPdfFile(input.path);
    return false;
  } catch (error) {
    if (!isPlatenError(error)) throw error;
  }
  return await engine.isEncrypted(input);
}
