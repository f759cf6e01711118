import { assemble } from '../graft/assemble.ts';
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
  const source = await draft.settled();
  const total = source.pages().length;
  const wanted = namedPages(pages, total, `${place}.pages`);
  if (wanted.length === total && wanted.every((page, index) => page === index + 1)) return [];
  const { notes } = await draft.rewrite((file, output) =>
    assemble(draft.engine, [{ input: file, pages: wanted, keepsDocument: true }], output),
  );
  return notes;
}
