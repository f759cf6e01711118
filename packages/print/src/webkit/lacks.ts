import type { Bundle } from '../bundle.ts';

/** What style sheets ask for, and WebKit does not do: whoever asked for it is told (docs/rendering.md, "The engines"). */
const LACKS: readonly { asked: RegExp; told: string }[] = [
  {
    asked: /@(?:top|bottom)-(?:left|center|right)|@(?:left|right)-(?:top|middle|bottom)/i,
    told: 'webkit draws no boxes in the margins of pages (@bottom-right and others)',
  },
  {
    asked: /@page ?[\w-]{0,40}:(?:first|left|right|blank)\b|@page [a-z]/i,
    told: 'webkit lays all pages out alike (@page :first, :left, :right and named ones)',
  },
  {
    asked: /@page[^{}]{0,40}\{[^{}]{0,400}\bbackground\b/i,
    told: 'webkit draws no background of pages (@page)',
  },
  {
    asked:
      /(?:^|[\s;{])(?:-webkit-)?column(?:s|-count|-width) ?:(?! ?(?:auto|none|inherit|initial|unset|revert|1 ?[;}!]))/i,
    told: 'webkit prints one column (columns)',
  },
  {
    asked: /position ?: ?fixed/i,
    told: 'webkit shows what is fixed on the first page alone (position: fixed)',
  },
  {
    asked: /writing-mode ?: ?(?:vertical|sideways|tb)/i,
    told: 'webkit prints vertical text in part (writing-mode)',
  },
];

/** Tells what the styles of a document, and those it loads, ask for and do not get. */
export function tellLacks({ html, files }: Bundle, warn: (text: string) => void): void {
  const sheets = [stylesOf(html)];
  for (const { contentType, bytes } of files.values())
    if (/^text\/css\b/i.test(contentType)) sheets.push(plain(Buffer.from(bytes).toString()));
  for (const { asked, told } of LACKS)
    if (sheets.some((css) => asked.test(css))) warn(`${told}: rendering_engine chrome does`);
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
