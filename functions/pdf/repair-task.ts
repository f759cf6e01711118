import { readFile, stat, writeFile } from 'node:fs/promises';
import { isPlatenError, PlatenError } from '../shared/errors.ts';
import type { Engine, PdfInput } from '../shared/pdf/engine.ts';
import { PdfiumDocument } from '../shared/pdfium/document.ts';

export interface RepairTask {
  /** PDFium, compiled. */
  pdfium: WebAssembly.Module;
  input: PdfInput;
  output: string;
}

/** Larger documents are not read into memory, which pdf-lib needs. */
const MAX_BYTES = 64 << 20;

/**
 * In its thread: writes what can be read of a damaged document as a sound one, without encryption.
 * @throws PlatenError `pdf_damaged` where nothing makes a document of it that qpdf reads.
 */
export async function repair(engine: Engine, task: RepairTask): Promise<void> {
  try {
    await withPdfium(task);
    await read(engine, task.output);
  } catch (error) {
    if (!isPlatenError(error) || error.code !== 'pdf_damaged') throw error;
    await withPdfLib(task, error);
    await read(engine, task.output);
  }
}

/** Finds the objects of a document whose cross-references are lost. */
async function withPdfium({ pdfium, input, output }: RepairTask): Promise<void> {
  const document = await PdfiumDocument.open(pdfium, input);
  try {
    if (document.pages === 0) throw damaged();
    document.save(output);
  } finally {
    document.close();
  }
}

/** Passes over objects that cannot be read. */
async function withPdfLib({ input, output }: RepairTask, reason: PlatenError): Promise<void> {
  if ((await stat(input.path)).size > MAX_BYTES) throw reason;
  const { PDFDocument } = await import('pdf-lib');
  // It reports every object it passes over; the console is this thread's own.
  console.warn = () => undefined;
  try {
    const document = await PDFDocument.load(await readFile(input.path), { updateMetadata: false });
    if (document.getPageCount() === 0) throw reason;
    await writeFile(output, await document.save({ useObjectStreams: false }));
  } catch (error) {
    // It throws whatever comes up in a document it cannot read: an encrypted one, a tree without pages, garbage.
    throw damaged(error);
  }
}

async function read(engine: Engine, path: string): Promise<void> {
  const objects = await engine.objects({ path });
  objects.close();
  if ((await engine.pages({ path })).length === 0) throw damaged();
}

function damaged(cause?: unknown): PlatenError {
  return new PlatenError('pdf_damaged', 'The PDF is damaged and cannot be repaired.', { cause });
}
