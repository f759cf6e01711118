import { drawPrintedForm } from '@platen/pdf/forms';
import type { OwnPages } from '../own-pages.ts';
import { throughFiles } from '../through-files.ts';

/** Draws the fields of a PDF of an html document in the fonts of the service; one without fields is returned as it is. */
export type DrawFields = (pdf: Uint8Array) => Promise<Uint8Array>;

/** Returns a function that draws fields. */
export function fieldDrawer({
  fonts,
  scratch,
  signal,
}: Pick<OwnPages, 'fonts' | 'scratch' | 'signal'>): DrawFields {
  return async (pdf) => {
    // A PDF to which fields were added is not packed yet.
    if (!Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength).includes('/AcroForm')) return pdf;
    return await throughFiles(pdf, scratch, async (path, output) => {
      await drawPrintedForm({ input: { path }, output, fontFolder: fonts }, { signal });
      return true;
    });
  };
}

const CONTROLS = /<(?:input|select|textarea)\b/i;

/** Returns whether a document has form controls. */
export function hasControls(html: string): boolean {
  return CONTROLS.test(html);
}
