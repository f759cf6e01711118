import { type Bundle, sheetTexts } from '../bundle.ts';
import { KEPT } from '../contents/css.ts';

/**
 * Features of style sheets that WebKit drops while it reads them (docs/rendering.md, "The engines"). What it reads, but does not
 * print, is found in the loaded document (convert function).
 */
const UNSUPPORTED: readonly { pattern: RegExp; message: string }[] = [
  {
    pattern: new RegExp(`${KEPT.footnote} ?: ?1`),
    message: 'webkit leaves footnotes where they are written (float: footnote)',
  },
  {
    pattern: new RegExp(`${KEPT.running} ?:`),
    message: 'webkit leaves running elements where they are written (position: running())',
  },
  {
    pattern: new RegExp(`(?:${KEPT.content}|${KEPT.strings}) ?:`),
    message:
      'webkit leaves out what depends on pages (target-counter(), target-text(), leader(), string-set)',
  },
  {
    pattern: new RegExp(`${KEPT.side} ?:`),
    message: 'webkit begins the next page, be it a left or a right one (break-before, break-after)',
  },
  {
    pattern: /(?:^|[\s;{])page ?: ?(?!auto\b|in(?:herit|itial)\b|unset\b|revert)[\w-]/i,
    message: 'webkit knows no names of pages (page)',
  },
  {
    pattern: /@page[^{}]{0,100}\{[^{}]{0,1000}var\(/i,
    message: 'webkit ignores variables of pages (@page)',
  },
  {
    pattern: /[\s;{]page-orientation ?:/i,
    message: 'webkit turns no pages (page-orientation)',
  },
  {
    pattern: /[^-]initial-letter ?:/i,
    message: 'webkit ignores large first letters (initial-letter)',
  },
  {
    pattern: /::marker ?\{[^{}]{0,500}content ?:/i,
    message: 'webkit keeps the markers of lists (::marker)',
  },
];

/** Warns of such features in the styles of a document and of its style sheets. */
export function warnOfUnsupported(bundle: Bundle, warn: (text: string) => void): void {
  const styles = [stylesOf(bundle.html), ...sheetTexts(bundle.files).map(plain)];
  for (const { pattern, message } of UNSUPPORTED)
    if (styles.some((css) => pattern.test(css))) warn(`${message}: rendering_engine chrome does better`);
}

/** The text of the style elements, and of the attributes that hold styles. */
function stylesOf(html: string): string {
  const parts: string[] = [];
  const lower = html.toLowerCase();
  for (let at = lower.indexOf('<style'); at !== -1; at = lower.indexOf('<style', at)) {
    const end = lower.indexOf('</style', at);
    parts.push(html.slice(at, end === -1 ? undefined : end));
    if (end === -1) break;
    at = end;
  }
  for (const [, , style = ''] of html.matchAll(/\sstyle=(["'])([^"'<>]{0,1000})/gi)) parts.push(style);
  return plain(parts.join('\n'));
}

/** Styles without comments, and with one blank wherever there is white space. */
function plain(css: string): string {
  const parts: string[] = [];
  let at = 0;
  for (;;) {
    const start = css.indexOf('/*', at);
    parts.push(css.slice(at, start === -1 ? undefined : start));
    if (start === -1) break;
    const end = css.indexOf('*/', start + 2);
    if (end === -1) break;
    at = end + 2;
  }
  return parts.join(' ').replace(/\s+/g, ' ');
}
