import type { PdfInfo } from '@platen/client';
import type { Form } from './form.ts';
import { RequestError } from './request-error.ts';
import type { Step } from './steps.ts';

/**
 * Outlines as Gotenberg takes them: one list for a single document, or a list for each file, by file name.
 */

export interface Bookmark {
  title: string;
  /** null for an entry without a target page. */
  page: number | null;
  children?: Bookmark[];
}

export interface OutlineEntry {
  title: string;
  page: number | null;
  items: OutlineEntry[];
}

/** Returns the bookmarks of each document, or of files by their names; null if `bookmarks` is empty. @throws RequestError */
export function givenBookmarks(form: Form): Bookmark[] | ReadonlyMap<string, Bookmark[]> | null {
  const bookmarks = form.json('bookmarks') ?? null;
  if (bookmarks === null || Array.isArray(bookmarks)) return bookmarks;
  if (typeof bookmarks !== 'object')
    throw new RequestError(400, 'bookmarks must be a list, or lists by names of files');
  const lists = new Map<string, Bookmark[]>();
  for (const [name, list] of Object.entries(bookmarks as Record<string, unknown>)) {
    if (!form.files.some((file) => file.name === name))
      throw new RequestError(400, `bookmarks are given for '${name}', which was not sent`);
    if (!Array.isArray(list)) throw new RequestError(400, `bookmarks of '${name}' must be a list`);
    lists.set(name, list as Bookmark[]);
  }
  return lists;
}

/** Maximum levels of an outline. */
const LEVELS = 8;

/**
 * Returns the outline entries for a list of bookmarks.
 *
 * @param before number of pages that precede those of the file
 * @throws RequestError for an invalid list of bookmarks
 */
export function entries(bookmarks: readonly Bookmark[], before = 0, levels = LEVELS): OutlineEntry[] {
  return bookmarks.map((bookmark) => {
    const { title, page, children } = bookmark ?? {};
    const inner = children ?? [];
    if (!Array.isArray(inner) || (levels === 1 && inner.length > 0))
      throw new RequestError(
        400,
        `children of bookmarks must be lists of bookmarks, ${LEVELS} levels at most`,
      );
    // The service refuses values that are not numbers.
    const shifted = typeof page === 'number' ? page + before : page;
    return { title, page: shifted, items: entries(inner, before, levels - 1) };
  });
}

export function outline(items: readonly OutlineEntry[]): Step {
  return { outline: { items } } as unknown as Step;
}

/** Returns the steps that set the outline the form requests for a document. @throws RequestError */
export function bookmarking(form: Form, name: string): Step[] {
  const bookmarks = givenBookmarks(form);
  const list = Array.isArray(bookmarks) ? bookmarks : bookmarks?.get(name);
  return list === undefined ? [] : [outline(entries(list))];
}

/** Returns the existing outline of a document as bookmarks. */
export function bookmarksOf({ outline: items }: Pick<PdfInfo, 'outline'>): Bookmark[] {
  return items.map(({ title, page, items: children }) => ({
    title,
    page,
    children: bookmarksOf({ outline: children }),
  }));
}
