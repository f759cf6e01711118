import type { MarkdownIt, StateCore } from 'markdown-it';
import { frontMatter, markdownParts } from './front-matter.ts';
import { escapeHtml } from './furniture.ts';

/** Html from markdown: CommonMark with tables, footnotes, strikethrough and highlighted code. */

let renderer: Promise<MarkdownIt> | undefined;

/** Loaded on demand: few templates use it. */
async function loadRenderer(): Promise<MarkdownIt> {
  const [{ default: Markdown }, { default: footnotes }, { default: highlighter }] = await Promise.all([
    import('markdown-it'),
    import('markdown-it-footnote'),
    import('highlight.js/lib/common'),
  ]);
  const markdown = new Markdown({
    // A template belongs to its author, as an html one does.
    html: true,
    highlight: (code, language) =>
      highlighter.getLanguage(language) === undefined
        ? ''
        : highlighter.highlight(code, { language, ignoreIllegals: true }).value,
  });
  const isLink = markdown.validateLink.bind(markdown);
  markdown.validateLink = (address) => isLink(address) || /^data:image\/svg\+xml[;,]/i.test(address);
  markdown.core.ruler.push('heading_ids', addHeadingIds);
  return markdown.use(footnotes);
}

/** Gives headings the ids to which links of Markdown lead on GitHub and in editors: `## A *b* & c!` has `a-b--c`. */
function addHeadingIds({ tokens }: StateCore): void {
  const taken = new Set<string>();
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue;
    const parts = tokens[index + 1]?.children ?? [];
    const text = parts.map(({ type, content }) => (SPELLED.has(type) ? content : '')).join('');
    const plain = text.toLowerCase().replace(NOT_IN_ID, '').replaceAll(' ', '-');
    let id = plain;
    for (let number = 1; taken.has(id); number++) id = `${plain}-${number}`;
    taken.add(id);
    if (id !== '') token.attrSet('id', id);
  }
}

/** The parts of a heading whose text is in its id. */
const SPELLED: ReadonlySet<string> = new Set(['text', 'code_inline']);
/** What GitHub leaves out. */
const NOT_IN_ID = /[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu;

/**
 * Converts a filled markdown text to a document. `title` and `language` of its front matter apply to the document.
 *
 * @throws PlatenError `template_file_invalid` as `frontMatter`
 */
export async function htmlOfMarkdown(text: string): Promise<string> {
  const { front, body } = markdownParts(text);
  const { title, language } = front === null ? {} : await frontMatter(front);
  renderer ??= loadRenderer();
  const content = (await renderer).render(body);
  const lang = typeof language === 'string' ? ` lang="${escapeHtml(language.replaceAll('_', '-'))}"` : '';
  const head = typeof title === 'string' ? `<title>${escapeHtml(title)}</title>` : '';
  return `<!DOCTYPE html>\n<html${lang}><head><meta charset="utf-8">${head}<style>${STYLE}</style></head><body>\n${content}</body></html>\n`;
}

/** The default styles, which those of a template follow. */
const STYLE = `
body{margin:0;font:10.5pt/1.5 Arimo,sans-serif;color:#1c1c1e}
h1,h2,h3,h4,h5,h6{line-height:1.25;margin:1.4em 0 .5em;break-after:avoid}
h1{font-size:20pt}h2{font-size:15pt}h3{font-size:12.5pt}h4,h5,h6{font-size:10.5pt}
body>:first-child{margin-top:0}
p,ul,ol,dl,table,pre,blockquote{margin:0 0 .8em}
p{orphans:3;widows:3}
img{max-width:100%}
table{border-collapse:collapse}
th,td{border:.5pt solid #c9ccd1;padding:.25em .6em;vertical-align:top}
th{background:#f3f4f6;text-align:start}
tr{break-inside:avoid}
blockquote{margin-inline:0;padding-inline-start:1em;border-inline-start:2pt solid #c9ccd1;color:#4b4f56}
code,pre{font-family:Cousine,monospace;font-size:.9em}
pre{background:#f6f7f8;padding:.7em .9em;white-space:pre-wrap;break-inside:avoid}
hr{border:0;border-top:.5pt solid #c9ccd1;margin:1.4em 0}
.footnotes{font-size:.85em}.footnotes-sep{margin-top:2em}
.hljs-comment,.hljs-quote{color:#6a737d}
.hljs-keyword,.hljs-selector-tag,.hljs-literal,.hljs-type{color:#a626a4}
.hljs-string,.hljs-regexp,.hljs-addition{color:#2a7d34}
.hljs-number,.hljs-attr,.hljs-attribute,.hljs-variable,.hljs-template-variable{color:#986801}
.hljs-title,.hljs-section,.hljs-name{color:#2456c4}
.hljs-built_in,.hljs-meta,.hljs-symbol{color:#0c7489}
.hljs-deletion{color:#b31d28}
`;
