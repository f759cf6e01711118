import { isPlatenError, PlatenError } from '@platen/core/errors';
import { ofOwner } from '@platen/core/turns';
import type { HtmlStamps } from '@platen/pdf/steps';
import { STAMPS_PAGE, stampsHtml, DEFAULT_LOCALE } from '@platen/print';
import { transferResult } from '../../shared/hand-over/result.ts';
import type { StampsRequest } from '../../shared/html-stamps/client.ts';
import type { StampsAnswer, StampsOrder } from '../../shared/html-stamps/protocol.ts';
import { log } from '../../shared/log.ts';
import type { RenderDependencies } from '../dependencies.ts';
import { startFonts } from '../fonts.ts';
import { openPrinting } from '../printing.ts';
import { furnitureFiles } from './compose.ts';
import { withTenantFonts } from './fonts.ts';

/**
 * Prints html that is stamped on the pages of a document, by the rules for headers and footers: without
 * scripts, with resources loaded by the guarded fetcher, in a browser page of the tenant's own.
 *
 * @returns a PDF with a page for each sheet
 * @throws PlatenError as `Preparer.compose` and `PrintSession.print`
 */
export async function printStamps(
  { html, title, sheets }: HtmlStamps,
  request: StampsRequest,
  dependencies: RenderDependencies,
): Promise<Uint8Array> {
  await using printing = openPrinting(request, 'chrome', dependencies);
  const { session, preparer, today, missing, signal } = printing;
  const fonts = await startFonts(request.tenant, dependencies.tenantFonts);
  const set = await withTenantFonts({ html, styles: [], header: null, footer: null }, fonts, printing);
  const pieces = await preparer.stamp({ html: set.html, title, locale: DEFAULT_LOCALE, today }, signal);
  const files = furnitureFiles(set.resources, printing, undefined, (address, why) => missing(address, why));
  const part = await files.inlined(pieces);
  const { styles, resources } = set;
  const document = { html: stampsHtml(part, sheets), styles, title };
  const whole = await preparer.compose({ document, furniture: null }, signal);
  printing.withoutGlyph(whole.withoutGlyph);
  return await session.print({ ...whole, resources }, STAMPS_PAGE, signal);
}

/** Executes the order of a function that has no browser. Never throws: errors are part of the answer. */
export async function serveStamps(
  { tenant, stamps, timeout, resultUrl }: StampsOrder,
  dependencies: RenderDependencies,
): Promise<StampsAnswer> {
  const warnings: string[] = [];
  const signal = AbortSignal.timeout(timeout);
  try {
    const pdf = await ofOwner(tenant, () => printStamps(stamps, { tenant, signal, warnings }, dependencies));
    log.info('stamps printed', { sheets: stamps.sheets.length, result: pdf.length });
    return { ok: true, warnings, ...(await transferResult(pdf, resultUrl)) };
  } catch (error) {
    const { code, message } = asStampError(error, signal);
    const level = code === 'internal_error' ? 'error' : 'warn';
    log[level]('stamps not printed', { error });
    return { ok: false, code, message };
  }
}

function asStampError(error: unknown, signal: AbortSignal): PlatenError {
  if (isPlatenError(error)) return error;
  return signal.aborted
    ? new PlatenError('deadline_exceeded', 'Printing the html took too long.')
    : new PlatenError('internal_error', 'The html cannot be printed.');
}
