import { FileSource, MemorySource } from './bytes.ts';
import { PdfFile } from './file.ts';

/** Opens intact documents from memory and from disk. */

export interface OpenOptions {
  signal?: AbortSignal | undefined;
  /** Maximum size of a document on disk that is read into memory as a whole. Default: 8 MiB. */
  held?: number | undefined;
}

/**
 * Opens a PDF that is neither damaged nor encrypted. Its objects are read on demand, so that damage within them
 * shows only then; `openReadable` (readable.ts) opens all other files too.
 *
 * @throws PlatenError `pdf_damaged`, `pdf_too_complex`, `pdf_password_required`; the signal's reason when it is
 * aborted
 */
export function openPdf(bytes: Uint8Array, { signal }: OpenOptions = {}): Promise<PdfFile> {
  // A promise, as for its siblings: the slow part of reading happens when objects are requested.
  return new Promise((resolve) => {
    resolve(PdfFile.read(new MemorySource(bytes), signal));
  });
}

/**
 * Opens a PDF from disk as `openPdf` does. For a large one, only the requested objects are in memory; the data of
 * its streams stays on disk, and the file must not change until the document has been written.
 *
 * @throws as `openPdf`, and the error of a file that cannot be read
 */
export function openPdfFile(path: string, { signal, held = HELD }: OpenOptions = {}): Promise<PdfFile> {
  return new Promise((resolve) => {
    const source = new FileSource(path);
    const { length } = source;
    resolve(PdfFile.read(length > held ? source : new MemorySource(source.data(0, length).raw), signal));
  });
}

/** Default maximum size of a document on disk that is read into memory as a whole. */
const HELD = 8 << 20;
