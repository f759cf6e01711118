import type { PdfInfoAnswer } from '@platen/client';
import type { Form } from './form.ts';
import { RequestError } from './request-error.ts';
import type { Step } from './steps.ts';

/** Outlines, as Gotenberg has them: a list for the document, or a list for each file by its name. */

export interface Bookmark {
  title: string;
  /** null where it leads to no page. */
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

/** Levels that an outline may have. */
const LEVELS = 8;

/** @param before number of pages before those of the file @throws RequestError for an invalid list of bookmarks */
export function entries(bookmarks: readonly Bookmark[], before = 0, levels = LEVELS): OutlineEntry[] {
  return bookmarks.map((bookmark) => {
    const { title, page, children } = bookmark ?? {};
    const inner = children ?? [];
    if (!Array.isArray(inner) || (levels === 1 && inner.length > 0))
      throw new RequestError(
        400,
        `children of bookmarks must be lists of bookmarks, ${LEVELS} levels at most`,
      );
    // What is no number is refused by the service.
    const shifted = typeof page === 'number' ? page + before : page;
    return { title, page: shifted, items: entries(inner, before, levels - 1) };
  });
}

export function outline(items: readonly OutlineEntry[]): Step {
  return { outline: { items } } as unknown as Step;
}

/** The outline that is asked for of one document. @throws RequestError */
export function bookmarking(form: Form, name: string): Step[] {
  const bookmarks = givenBookmarks(form);
  const list = Array.isArray(bookmarks) ? bookmarks : bookmarks?.get(name);
  return list === undefined ? [] : [outline(entries(list))];
}

/** The outline that a document has. */
export function bookmarksOf({ outline: items }: Pick<PdfInfoAnswer, 'outline'>): Bookmark[] {
  return items.map(({ title, page, items: children }) => ({
    title,
    page,
    children: bookmarksOf({ outline: children }),
  }));
}
