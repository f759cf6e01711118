import MiniSearch from 'minisearch';
import { anchorOf } from './markdown.ts';
import { type Source, titleOf } from './sources.ts';

/** The search index of the site: the sections of all pages. */

interface Entry {
  /** Address with the anchor, from the root of the site. */
  id: string;
  title: string;
  /** Title of the page. */
  page: string;
  text: string;
}

const OPTIONS = {
  fields: ['title', 'page', 'text'],
  storeFields: ['title', 'page'],
  searchOptions: { boost: { title: 4, page: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' as const },
};

/** @returns the index, and the options for loading it */
export function searchIndex(sources: readonly Source[]): {
  index: MiniSearch<Entry>;
  options: typeof OPTIONS;
} {
  const index = new MiniSearch<Entry>(OPTIONS);
  const entries = sources.flatMap(entriesOf);
  // If two headings of a page are equal, the search leads to the first one.
  index.addAll([...new Map(entries.toReversed().map((entry) => [entry.id, entry])).values()]);
  return { index, options: OPTIONS };
}

function entriesOf({ address, text }: Source): Entry[] {
  const page = titleOf(text);
  const [first = '', ...others] = text.replaceAll(/^```\w*$/gm, '').split(/^#{2,4} /m);
  const sections = others.map((section): Entry => {
    const [heading = '', ...lines] = section.split('\n');
    const title = heading.replaceAll('`', '');
    return { id: `${address}#${anchorOf(title)}`, title, page, text: plain(lines.join('\n')) };
  });
  return [{ id: address, title: page, page, text: plain(first.replace(/^# .+$/m, '')) }, ...sections];
}

/** Removes the syntax of Markdown, which is not useful in a search. */
function plain(text: string): string {
  return (
    text
      // bounded: a page of our own documentation
      .replaceAll(/\]\([^)]*\)/g, ' ')
      .replaceAll(/[`*|[\]]|-{3,}/g, ' ')
      .replaceAll(/\s+/g, ' ')
  );
}
