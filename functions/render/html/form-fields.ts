import { drawPrintedForm } from '@platen/pdf/forms';
import type { Rendering } from '../rendering.ts';
import { throughFiles } from '../through-files.ts';

/** Draws the fields of a PDF of an html document in the fonts of the service; one without fields is returned as it is. */
export async function drawFields(
  pdf: Uint8Array,
  { fonts, scratch, signal }: Pick<Rendering, 'fonts' | 'scratch' | 'signal'>,
): Promise<Uint8Array> {
  // A PDF to which fields were added is not packed yet.
  if (!Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength).includes('/AcroForm')) return pdf;
  return await throughFiles(pdf, scratch, async (path, output) => {
    await drawPrintedForm({ input: { path }, output, fontFolder: fonts }, { signal });
    return true;
  });
}

const CONTROLS = /<(?:input|select|textarea)\b/i;

/** Returns whether a document has form controls. */
export function hasControls(html: string): boolean {
  return CONTROLS.test(html);
}
