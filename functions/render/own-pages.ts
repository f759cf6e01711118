import type { Embedding } from '@platen/factur-x';
import { selectPages } from '@platen/pdf';
import { finishPdf, type FinishingPlace } from '@platen/pdf/finish';
import { inspectPrinted, type PrintedInspection } from './report/printed.ts';
import type { Rendering } from './rendering.ts';
import { timed } from './report/recorder.ts';
import { throughFiles } from './through-files.ts';

/** PDFs that define their own page set-up (I-20): only the options for any PDF apply to them. */

/**
 * Applies the options to such a PDF: `page_range`, the invoice, `steps`, `compress`, claims,
 * `encrypt_password` and `sign`.
 *
 * @param look the content that a report inspects
 * @throws PlatenError as `selectPages` and `finishPdf`
 */
export async function finishOwnPages(
  pdf: Uint8Array,
  invoice: Embedding | null,
  look: () => Promise<PrintedInspection>,
  { plan: { settings }, fonts, scratch, finishing, recorder, signal }: Rendering,
): Promise<Uint8Array> {
  const { pageRange } = settings.page;
  const selected = pageRange === null ? pdf : await pagesOf(pdf, pageRange, finishing);
  if (recorder !== null) recorder.printed = await inspectPrinted(selected, await look(), { scratch, signal });
  return await timed(recorder, 'finish', () =>
    finishPdf(selected, { ...settings, fonts, invoice }, finishing),
  );
}

/** Returns the pages of a PDF that a range names (I-21). */
async function pagesOf(
  pdf: Uint8Array,
  range: string,
  { scratch, signal, noted }: Pick<FinishingPlace, 'scratch' | 'signal' | 'noted'>,
): Promise<Uint8Array> {
  return await throughFiles(pdf, scratch, async (printed, selected) => {
    noted(await selectPages(printed, selected, range, { signal }));
    return true;
  });
}
