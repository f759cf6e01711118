import type { PaperSize } from '../page/paper.ts';
import { removeUnsafeLinks, keepRelativeLinks } from './links.ts';
import { removePlaceholderLanguage } from './made-up-language.ts';
import { setExactSize } from './page-size.ts';

/**
 * Corrects in place what Chromium writes wrongly into every PDF.
 *
 * @param sizes that pages may have, in points
 * @param origin of a document that has one of its own, which is not to appear in its links
 */
export function correct(pdf: Buffer, sizes: readonly PaperSize[], origin: string | null): void {
  setExactSize(pdf, sizes);
  removePlaceholderLanguage(pdf);
  removeUnsafeLinks(pdf);
  if (origin !== null) keepRelativeLinks(pdf, origin);
}
