import type { PaperSize } from '../paper.ts';
import { removeUnsafeLinks, keepRelativeLinks } from './links.ts';
import { removePlaceholderLanguage } from './made-up-language.ts';
import { setExactSize } from './page-size.ts';

/**
 * Corrects in place the parts that Chromium writes wrongly into every PDF.
 *
 * @param sizes possible page sizes, in points
 * @param origin the generated origin of a document, which must not appear in its links
 */
export function correct(pdf: Buffer, sizes: readonly PaperSize[], origin: string | null): void {
  setExactSize(pdf, sizes);
  removePlaceholderLanguage(pdf);
  removeUnsafeLinks(pdf);
  if (origin !== null) keepRelativeLinks(pdf, origin);
}
