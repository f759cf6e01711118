import { lazily } from '../lazy.ts';

/** Converts Markdown to HTML: CommonMark with tables and strikethrough. */

/** Maximum characters of one text. */
const MAX_TEXT = 2_000_000;

const library = lazily(async () => {
  const { default: MarkdownIt } = await import('markdown-it');
  // HTML in the source counts as text, so the result is safe in any place.
  return new MarkdownIt({ html: false, linkify: false, typographer: false });
});

/** @throws RangeError for a text that is too long */
export function markdownHtml(text: string): string {
  if (text.length > MAX_TEXT)
    throw new RangeError(`a text of markdown is at most ${MAX_TEXT} characters long`);
  return library().render(text);
}
