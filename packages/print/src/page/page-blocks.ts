import { PIXELS_OF_INCH } from '../page-rules.ts';
import { paperInches } from '../paper.ts';
import type { SheetChoice } from '../sheet.ts';

/**
 * Edits `@page` rules as text, for facts that must be known before a document is loaded, or that cannot be
 * read afterwards.
 */

/**
 * Papers without a name for `size` in CSS that the interface and other programs support: portrait, in millimetres.
 */
const OTHER_PAPERS: ReadonlyMap<string, readonly [number, number]> = new Map([
  ['a0', [841, 1189]],
  ['a1', [594, 841]],
  ['a2', [420, 594]],
  ['a6', [105, 148]],
  ['a7', [74, 105]],
  ['a8', [52, 74]],
  ['a9', [37, 52]],
  ['a10', [26, 37]],
  ['b6', [125, 176]],
  ['tabloid', [279.4, 431.8]],
]);

/** Returns whether a text may contain an `@page` rule. */
export function mayRulePages(text: string): boolean {
  return text.includes('@') && /@page/i.test(text);
}

/** The print rules of Bootstrap 4, which make every page A3. */
const BOOTSTRAPS_PAGE = /@page\s*\{\s*size\s*:\s*a3[\s;]*\}\s*body\s*\{\s*min-width\s*:\s*992px/i;

/** Returns whether a text has the page rule of Bootstrap 4. */
export function hasPageOfBootstrap(text: string): boolean {
  return text.includes('992px') && BOOTSTRAPS_PAGE.test(text);
}

/** The start of a rule. */
const HEAD = /@page(?![\w-])[^{};<]{0,300}\{/gi;
const SIZE = /((?:^|[;\s}])size\s*:)([^;!}]*)/gi;

/** Replaces paper names that CSS does not have by lengths in `@page` rules. Nothing else is changed. */
export function withLengthsOfPapers(text: string): string {
  if (!mayRulePages(text)) return text;
  return withRules(
    text,
    (head, block) =>
      `${head}${block.replace(SIZE, (_, name: string, value: string) => name + lengthsOf(value))}}`,
  );
}

/** Divides rules for several pages, such as `@page :left, cover` (CSS Paged Media 3, 4.2), which engines drop. */
export function withSinglePages(css: string): string {
  if (!mayRulePages(css)) return css;
  return withRules(
    css,
    (head, block) => {
      const pages = head.slice('@page'.length, -1).split(',');
      return pages.map((page) => `@page ${page.trim()}{${block}}`).join('');
    },
    ',',
  );
}

/** Returns a style sheet with rules for pages that engines understand. */
export function withKnownPages(css: string): string {
  return withSinglePages(withLengthsOfPapers(css));
}

/**
 * A text with replaced rules. Rules with deeper nested braces, or with tags in their blocks, are skipped.
 *
 * @param replace receives a rule up to its brace, and the content of its braces, including boxes in the margins
 * @param sign what a rule must have before its brace
 */
function withRules(text: string, replace: (head: string, block: string) => string, sign = ''): string {
  const pieces: string[] = [];
  let done = 0;
  for (const { 0: head, index } of text.matchAll(HEAD)) {
    const begin = index + head.length;
    const end = index < done || !head.includes(sign) ? -1 : endOfBlock(text, begin);
    if (end === -1) continue;
    pieces.push(text.slice(done, index), replace(head, text.slice(begin, end)));
    done = end + 1;
  }
  return pieces.join('') + text.slice(done);
}

/**
 * Position of the brace that closes the block that begins here; -1 if there is none. A regular expression would
 * need a group for each character of a block of many megabytes.
 */
function endOfBlock(text: string, begin: number): number {
  const brace = /[{}<]/g;
  brace.lastIndex = begin;
  let isInBox = false;
  for (let match = brace.exec(text); match !== null; match = brace.exec(text)) {
    if (match[0] === '}' && !isInBox) return match.index;
    if (match[0] === '<' || (match[0] === '{' && isInBox)) return -1;
    isInBox = match[0] === '{';
  }
  return -1;
}

function lengthsOf(value: string): string {
  const words = value.trim().toLowerCase().split(/\s+/);
  const size = words.map((word) => OTHER_PAPERS.get(word)).find((found) => found !== undefined);
  const others = words.filter((word) => !OTHER_PAPERS.has(word));
  const isTurned = others[0] === 'landscape';
  if (
    size === undefined ||
    others.length > 1 ||
    (others.length === 1 && !isTurned && others[0] !== 'portrait')
  )
    return value;
  const [width, height] = isTurned ? [size[1], size[0]] : size;
  return ` ${width}mm ${height}mm`;
}

/**
 * A style sheet with the `@page` rules that apply, for one that no script can read. If paper or orientation are
 * those of the options, the whole sheet is.
 */
export function editedPageBlocks(css: string, { author, ...options }: SheetChoice): string {
  if (!mayRulePages(css)) return css;
  const pixels = (length: number): string => `${length * PIXELS_OF_INCH}px`;
  const sheet = paperInches(options.paper, options.landscape);
  const size = `${pixels(sheet.width)} ${pixels(sheet.height)}`;
  return withRules(css, (head, block) => {
    if (author === null) return '';
    const sides = (['top', 'right', 'bottom', 'left'] as const).filter((side) => !author.margins[side]);
    const instead = [
      ...(author.paper && author.orientation ? [] : [`size:${size} !important`]),
      ...sides.map((side) => `margin-${side}:${options.margins[side]}cm !important`),
    ];
    return instead.length === 0 ? `${head}${block}}` : `${head}${block};${instead.join(';')}}`;
  });
}
