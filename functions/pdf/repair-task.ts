import { PlatenError } from '../shared/errors.ts';
import type { Engine, PdfInput } from '../shared/pdf/engine.ts';
import { PdfiumDocument } from './pdfium.ts';

export interface RepairTask {
  /** PDFium, compiled. */
  pdfium: WebAssembly.Module;
  input: PdfInput;
  output: string;
}

/** In its thread: writes what PDFium can read of a damaged document as a sound one, without encryption. */
export async function repair(_engine: Engine, { pdfium, input, output }: RepairTask): Promise<void> {
  const document = await PdfiumDocument.open(pdfium, input);
  try {
    if (document.pages === 0) throw new PlatenError('pdf_damaged', 'The PDF has no pages that can be read.');
    document.save(output);
  } finally {
    document.close();
  }
}
