import type { Platen } from '@platen/client';
import {
  type Bookmark,
  bookmarksOf,
  entries,
  givenBookmarks,
  outline,
  type OutlineEntry,
} from './bookmarks.ts';
import type { Form } from './form.ts';
import { type OutputFile, pdfNamed, received, SIGNED, stem } from './result.ts';

/**
 * Merges PDFs. Their outlines are preserved unless the form has other bookmarks for them. `titleBookmarks`
 * puts an entry with the title of the document above each outline.
 *
 * @throws RequestError, PlatenError
 */
export async function joined(platen: Platen, form: Form, pdfs: readonly OutputFile[]): Promise<OutputFile[]> {
  const [first, ...more] = pdfs;
  if (first === undefined) return [];
  const single = more.length === 0;
  const bytes = single ? first.bytes : await received(form, platen.pdf.merge(pdfs.map((pdf) => pdf.bytes)));
  const merged = pdfNamed(single ? first.name : 'merged.pdf', bytes);
  const bookmarks = givenBookmarks(form);
  const withTitles = form.flag('titleBookmarks') === true;
  // The outlines are always preserved, so the field has no effect and causes no warning.
  form.flag('autoIndexBookmarks');
  if (!withTitles && !(bookmarks instanceof Map)) return [merged];
  const items: OutlineEntry[] = [];
  let before = 0;
  for (const pdf of pdfs) {
    const info = await platen.pdf.info(pdf.bytes);
    const list = bookmarks instanceof Map ? bookmarks.get(pdf.name) : undefined;
    const own = entries(list ?? placed(bookmarksOf(info)), before);
    const title = info.metadata['Title']?.trim() ?? '';
    if (withTitles)
      items.push({ title: title === '' ? stem(pdf.name) : title, page: before + 1, items: own });
    else items.push(...own);
    before += info.pages.length;
  }
  const work = platen.pdf.process(bytes, [outline(items)], { fields: SIGNED });
  return [{ ...merged, bytes: await received(form, work) }];
}

/** Assigns the first page to entries without a target page. */
function placed(bookmarks: readonly Bookmark[]): Bookmark[] {
  return bookmarks.map((bookmark) => ({
    ...bookmark,
    page: bookmark.page ?? 1,
    children: placed(bookmark.children ?? []),
  }));
}
