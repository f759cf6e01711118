import { FileSource, MemorySource } from './bytes.ts';
import { PdfFile } from './file.ts';

/** Opening documents that are as they should be, from memory and from a disk. */

export interface OpenOptions {
  signal?: AbortSignal | undefined;
  /** Bytes up to which a document on a disk is read into memory as a whole. Default: 8 MiB. */
  held?: number | undefined;
}

/**
 * Opens a PDF that is neither damaged nor encrypted. Its objects are read as they are asked for, so that damage within
 * them shows only then; `openReadable` (readable.ts) opens all others too.
 *
 * @throws PlatenError `pdf_damaged`, `pdf_too_complex`, `pdf_password_required`; the signal's reason when it is aborted
 */
export function openPdf(bytes: Uint8Array, { signal }: OpenOptions = {}): Promise<PdfFile> {
  // A promise, as its siblings give: what is slow about reading is done where the objects are asked for.
  return new Promise((resolve) => {
    resolve(PdfFile.read(new MemorySource(bytes), signal));
  });
}

/**
 * Opens a PDF as `openPdf` does, from a disk. Of one that is large no more is in memory than the objects that are asked
 * for; the data of its streams stays where it is, and the file has to stay as it is until the document has been written.
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

/** Bytes of a document that is read from a disk into memory as a whole. */
const HELD = 8 << 20;
