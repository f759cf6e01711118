import { lazily } from '../lazy.ts';

/** Markdown as html: CommonMark with tables and struck out text. */

/** Characters of one text. */
const MAX_TEXT = 2_000_000;

const library = lazily(async () => {
  const { default: MarkdownIt } = await import('markdown-it');
  // What looks like html is text: what comes out is safe wherever it stands.
  return new MarkdownIt({ html: false, linkify: false, typographer: false });
});

/** @throws RangeError for a text that is too long */
export function markdownHtml(text: string): string {
  if (text.length > MAX_TEXT)
    throw new RangeError(`a text of markdown is at most ${MAX_TEXT} characters long`);
  return library().render(text);
}
