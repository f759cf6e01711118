import type { Template } from '../api/types.ts';

/** Searches the list of templates. */

/** Returns the templates that have all the words in name, description, format or tags, and have all the tags. */
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

/** Returns all tags of templates, in alphabetical order. */
export function tagsOf(templates: readonly Template[]): string[] {
  return [...new Set(templates.flatMap(({ tags }) => tags))].toSorted((a, b) => a.localeCompare(b));
}
