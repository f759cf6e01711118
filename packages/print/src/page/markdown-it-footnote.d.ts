declare module 'markdown-it-footnote' {
  import type { MarkdownIt } from 'markdown-it';

  /** Notes as Pandoc writes them: `[^1]` and `^[a note]`. */
  export default function footnotes(markdown: MarkdownIt): void;
}
