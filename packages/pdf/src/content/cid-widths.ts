import { PlatenError } from '@platen/core/errors';
import type { PdfFile } from '../model/index.ts';
import type { PdfValue } from '../model/values.ts';

/** Maximum number of widths in all ranges together: a font has at most 65,536. */
const MAX_WIDTHS = 1 << 20;

/**
 * Widths of a CID font (ISO 32000-2, 9.7.4.3) by CID: `c [w1 w2 …]` and `first last w`.
 *
 * @throws PlatenError `pdf_too_complex` for ranges that give more widths than fonts can have
 */
export function cidWidths(file: PdfFile, value: PdfValue | undefined): Map<number, number> {
  const widths = new Map<number, number>();
  const entries = file.array(value).map((entry) => file.resolve(entry));
  let given = 0;
  for (let at = 0; at + 1 < entries.length;) {
    const first = Number(entries[at]);
    const next = entries[at + 1];
    if (Array.isArray(next)) {
      for (const [index, width] of next.entries()) widths.set(first + index, Number(file.resolve(width)));
      at += 2;
    } else {
      const last = Math.min(Number(next), first + 0xffff);
      given += Math.max(0, last - first);
      if (given > MAX_WIDTHS)
        throw new PlatenError('pdf_too_complex', 'A font of the PDF has too many widths.');
      for (let cid = first; cid <= last; cid++) widths.set(cid, Number(entries[at + 2]));
      at += 3;
    }
  }
  return widths;
}
