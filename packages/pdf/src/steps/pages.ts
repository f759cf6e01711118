import { openReadable } from '../files/open.ts';
import { composeTo } from '../graft/compose.ts';
import type { Draft } from './draft.ts';
import type { PdfNote } from '../notes.ts';
import { namedPages } from './page-spans.ts';

/**
 * Selects, reorders, repeats and removes pages; document-level objects stay.
 *
 * @returns the notes about the result
 * @throws PlatenError `page_range_invalid`, `page_range_outside_document`
 */
export async function selectPages(
  draft: Draft,
  { pages }: { pages: string },
  place: string,
): Promise<PdfNote[]> {
  const source = await openReadable(await draft.file(), draft.engine);
  const total = source.pages().length;
  const wanted = namedPages(pages, total, `${place}.pages`);
  if (wanted.length === total && wanted.every((page, index) => page === index + 1)) return [];
  const { notes } = await draft.rewrite((_input, output) =>
    composeTo([{ source, pages: wanted, keepsDocument: true }], output),
  );
  return notes;
}
