import { listed } from '@platen/core/listed';
import { composeTo } from '@platen/pdf/combine';
import { openPdfFile, type PdfFile, type PdfValue } from '@platen/pdf/model';

/** Removes hidden slides from a PDF: LibreOffice counts them when it looks for the slide that a link leads to. */

/** Most slides that a warning names. */
const MAX_NAMED = 8;

/**
 * Changes a PDF of all slides in place.
 *
 * @param hidden numbers of the slides to remove, from 1
 * @param warn called with a sentence about links that lead to them
 */
export async function removeHiddenSlides(
  path: string,
  hidden: readonly number[],
  warn: (text: string) => void = () => undefined,
): Promise<void> {
  const source = await openPdfFile(path, { held: Infinity });
  const all = new Set(hidden);
  const pages = source.pages().flatMap((_, at) => (all.has(at + 1) ? [] : [at + 1]));
  const linked = linkedFrom(source, pages).filter((page) => all.has(page));
  if (linked.length > 0)
    warn(`Links to hidden slides lead nowhere: slide ${listed(linked.map(String), MAX_NAMED)}.`);
  await composeTo([{ source, pages, keepsDocument: true }], path);
}

/** Returns the pages that links on some pages lead to, each once. */
function linkedFrom(source: PdfFile, pages: readonly number[]): number[] {
  const numbers = new Map<PdfValue | undefined, number>(source.pages().map((ref, at) => [ref, at + 1]));
  const targets = pages
    .flatMap((page) => source.array(source.pageDict(page - 1)['/Annots']))
    .map((annotation) => {
      const { '/Dest': destination, '/A': action } = source.dict(annotation);
      return numbers.get(source.array(destination ?? source.dict(action)['/D'])[0]) ?? 0;
    });
  return [...new Set(targets)].toSorted((a, b) => a - b);
}
