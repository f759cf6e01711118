import { PlatenError } from '@platen/core/errors';
import { pagesOfRange, parsePageRange } from '@platen/pdf/options';
import { countSelected, formatSpans, highestNamedPage, mergeSpans } from '../page/page-range.ts';
import type { PrintOptions } from '../print.ts';
import { LENGTH_TRIES } from '../sheet.ts';
import { ProtocolError } from './connection.ts';
import { withPlainFirstPage } from './first-page.ts';
import { withOutline } from './outline.ts';
import { countPages } from './page-count.ts';
import type { ChromePage } from './page.ts';

/**
 * Prints the loaded document of a page with the options.
 *
 * @throws PlatenError `page_range_invalid`, `page_range_outside_document`, `print_failed`; PageCrashed,
 * ConnectionLost
 */
export async function printLoaded(page: ChromePage, options: PrintOptions): Promise<Buffer> {
  await page.nameFaces();
  const { byPage, ...plain } = options;
  if (byPage === null) return await printWhole(page, options);
  const bare = { ...plain, byPage: null, header: null, footer: null };
  const body = await printWhole(page, bare);
  // Loaded on demand: few renderings need it.
  const { withFurniture } = await import('./furniture-by-page.ts');
  return await withFurniture(page, body, options, byPage);
}

async function printWhole(page: ChromePage, options: PrintOptions): Promise<Buffer> {
  const range = options.pageRange;
  const spans = range === null ? [] : mergeSpans(parsePageRange(range));
  if (options.fitsContent) await fitContent(page, options);
  const printed = await printPages(page, options, formatSpans(spans));
  const pdf =
    printed === null || !options.outline
      ? printed
      : await withOutline(printed, (body) => page.evaluate(body));
  if (range !== null && (pdf === null || countPages(pdf) < countSelected(spans, highestNamedPage(spans)))) {
    return refuseRange(page, options, range);
  }
  if (pdf === null) throw new PlatenError('print_failed', 'The document has no pages.');
  const hasFurniture = options.header !== null || options.footer !== null;
  const hasFirst = range === null || spans[0]?.first === 1;
  if (!options.skipFurnitureOnFirstPage || !hasFurniture || !hasFirst) return pdf;
  const plain = await printPages(page, { ...options, header: null, footer: null }, '1');
  return plain === null ? pdf : withPlainFirstPage(pdf, plain);
}

/** Determines the length of a document that is printed on a single page. */
async function fitContent(page: ChromePage, options: PrintOptions): Promise<void> {
  const trial = { ...options, header: null, footer: null, tagged: false, outline: false };
  for (let tries = 0; tries < LENGTH_TRIES; tries += 1) {
    await page.fitContent();
    const pdf = await printPages(page, trial, '');
    if (pdf !== null && countPages(pdf) === 1) return;
  }
  throw new PlatenError('print_failed', 'The content does not fit on one page.');
}

/** Null if the range begins after the last page; Chromium truncates a range that ends after it. */
async function printPages(page: ChromePage, options: PrintOptions, range: string): Promise<Buffer | null> {
  try {
    return await page.pdf(options, range);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    if (error.message.includes('exceeds page count')) return null;
    throw new PlatenError('print_failed', `The engine refused the document (${error.message}).`, {
      cause: error,
    });
  }
}

/** Prints everything without expensive features, to count the pages. */
async function refuseRange(page: ChromePage, options: PrintOptions, range: string): Promise<never> {
  const whole = await printPages(page, { ...options, header: null, footer: null, tagged: false }, '');
  pagesOfRange(range, whole === null ? 0 : countPages(whole));
  throw new Error(`Chromium printed other pages than ${range}`);
}
