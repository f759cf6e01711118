import { type Bundle, sheetTexts } from '../bundle.ts';
import { KEPT } from '../contents/css.ts';
import { pageRulesOfSheet } from './margin-boxes.ts';

/** Style features that WebKit does not support; the caller is warned of them (docs/rendering.md, "The engines"). */
const LACKS: readonly {
  asked: RegExp;
  told: string;
}[] = [
  {
    asked: new RegExp(`${KEPT.footnote} ?: ?1`),
    told: 'webkit leaves footnotes where they are written (float: footnote)',
  },
  {
    asked: new RegExp(`${KEPT.running} ?:`),
    told: 'webkit leaves running elements where they are written (position: running())',
  },
  {
    asked: new RegExp(`(?:${KEPT.bookmarkLevel}|${KEPT.bookmarkLabel}|${KEPT.bookmarkState}) ?:`),
    told: 'webkit lists all headings in the outline, by their texts (bookmark-level, bookmark-label, bookmark-state)',
  },
  {
    asked: /position ?: ?fixed/i,
    told: 'webkit shows what is fixed on the first page alone (position: fixed)',
  },
  {
    asked: /content-visibility ?: ?auto/i,
    told: 'webkit leaves out what it has not shown yet (content-visibility: auto)',
  },
  {
    asked:
      /@page[^{}]{0,100}\{[^{}]{0,1000}(?:var\(|\dv(?:w|h|min|max)\b|margin-(?:inline|block)|[\s;{](?:width|height|page-orientation) ?:)/i,
    told: 'webkit ignores variables, window lengths, logical margins, widths, heights and orientations of pages (@page)',
  },
  {
    asked: /[^-]initial-letter ?:/i,
    told: 'webkit ignores large first letters (initial-letter)',
  },
  {
    asked: /writing-mode ?: ?(?:vertical|sideways|tb)/i,
    told: 'webkit prints vertical text in part (writing-mode)',
  },
];

/** Reports the unsupported features in the styles of a document and of its style sheets. */
export function warnOfLacks(bundle: Bundle, warn: (text: string) => void): void {
  const styles = plainStyles(bundle);
  for (const { asked, told } of LACKS)
    if (styles.some((css) => asked.test(css))) warn(`${told}: rendering_engine chrome does`);
}

/** Returns the styles of a document and of each of its style sheets, without comments and in single spaces. */
export function plainStyles({ html, files }: Bundle): string[] {
  return [stylesOf(html), ...sheetTexts(files).map(plain)];
}

const COLUMNS =
  /(?:^|[\s;{])(?:-webkit-)?column(?:s|-count|-width) ?:(?! ?(?:auto|none|inherit|initial|unset|revert|1 ?[;}!]))/i;

/** Returns whether a document may have several columns. @param styles as `plainStyles` returns them */
export function mayHaveColumns(styles: readonly string[]): boolean {
  return styles.some((css) => COLUMNS.test(css));
}

/** Returns whether pages of a kind may have a size of their own, or margins that leave another room than those of others. */
export function mayHaveOtherRooms(styles: readonly string[]): boolean {
  return styles.some(hasOtherRoom);
}

function hasOtherRoom(css: string): boolean {
  if (!/@page [\w-]|@page ?:/i.test(css)) return false;
  const mirrored = new Map<string, string>();
  for (const { prelude, declarations } of pageRulesOfSheet(css)) {
    if (prelude === '') continue;
    const said = declarations.map((declaration) => declaration.toLowerCase().split('!', 1)[0]?.trim() ?? '');
    if (said.some((declaration) => /^(?:size|page-orientation) ?:/.test(declaration))) return true;
    const margins = said.filter((declaration) => /^margin(?:-\w+)? ?:/.test(declaration));
    if (margins.length === 0) continue;
    const side = /^:(left|right)$/i.exec(prelude)?.[1]?.toLowerCase();
    if (side === undefined) return true;
    mirrored.set(side, sumsOf(margins));
  }
  return mirrored.size === 1 || mirrored.get('left') !== mirrored.get('right');
}

/** What margins leave, as a text that is the same for those of opposite sides. */
function sumsOf(margins: readonly string[]): string {
  const lengths = { top: '', right: '', bottom: '', left: '' };
  for (const declaration of margins) {
    const [name = '', value = ''] = declaration.split(/ ?: ?/);
    const [top = '', right = top, bottom = top, left = right] = value.trim().split(' ');
    if (name === 'margin') Object.assign(lengths, { top, right, bottom, left });
    else Object.assign(lengths, { [name.slice('margin-'.length)]: value.trim() });
  }
  const { top, right, bottom, left } = lengths;
  return [[top, bottom].toSorted().join(), [left, right].toSorted().join()].join(';');
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
