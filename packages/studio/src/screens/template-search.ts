import type { Template } from '../api/types.ts';

/** Searches the list of templates. */

/** Templates whose name, description, format or tags have all the words, and that have all the tags. */
export function matching(
  templates: readonly Template[],
  words: string,
  tags: readonly string[] = [],
): Template[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return templates.filter(({ name, description, format, tags: own }) => {
    const all = [name, description ?? '', format, ...own].join(' ').toLowerCase();
    return wanted.every((word) => all.includes(word)) && tags.every((tag) => own.includes(tag));
  });
}

/** All tags of templates, in the order of the alphabet. */
export function tagsOf(templates: readonly Template[]): string[] {
  return [...new Set(templates.flatMap(({ tags }) => tags))].toSorted((a, b) => a.localeCompare(b));
}
