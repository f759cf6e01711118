import { listed } from '@platen/core/listed';
import { GlyphReader } from '@platen/pdf/glyphs/reader';
import { openPdfFile } from '@platen/pdf/model';
import { contentOf } from '@platen/pdf/content';

/** LibreOffice prints ### in place of a number that is wider than its column. */

/** Most cells that a warning names. */
const MAX_NAMED = 8;

/**
 * Warns if a PDF shows ### in place of numbers.
 *
 * @param cells whose numbers may be wider than their columns, as columns.py finds them: the page tells for certain
 */
export async function warnOfNumbers(
  path: string,
  cells: readonly string[],
  warn: (text: string) => void = () => undefined,
): Promise<void> {
  const file = await openPdfFile(path, { held: Infinity });
  const reader = new GlyphReader(file);
  const isShown = file.pages().some((_, index) => {
    const page = file.pageDict(index);
    const { glyphs } = reader.read({
      data: contentOf(file, page),
      resources: file.dict(page['/Resources']),
    });
    return glyphs
      .map(({ text }) => text ?? ' ')
      .join('')
      .includes('###');
  });
  if (isShown)
    warn(
      `Numbers are wider than their columns, and printed as ###: ${listed(cells, MAX_NAMED, ' columns')}.`,
    );
}
