import { inches, paperInches, type PaperSize } from '../../shared/paper.ts';
import type { PrintOptions } from '../print.ts';

export { inches, paperInches, paperPoints, type PaperSize } from '../../shared/paper.ts';

/** CSS pixels of an inch. */
const PIXELS = 96;

/** The printable area in CSS pixels, as a document sees it: what fills it on screen fills the page. */
export function printableArea({ paper, landscape, margins, scale }: PrintOptions): PaperSize {
  const { width, height } = paperInches(paper, landscape);
  const pixels = (length: number): number => Math.max(1, Math.round((length * PIXELS) / scale));
  return {
    width: pixels(width - inches(margins.left + margins.right)),
    height: pixels(height - inches(margins.top + margins.bottom)),
  };
}
