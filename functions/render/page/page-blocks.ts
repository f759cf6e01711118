import { PIXELS_OF_INCH } from '../../shared/page-rules.ts';
import { paperInches } from '../../shared/paper.ts';
import type { SheetChoice } from '../../shared/sheet.ts';

/** `@page` rules as text, where engines get them: what has to be known before a document is loaded, or cannot be after. */

/** Papers that `size` has no name for in CSS, though the interface and other programs do: portrait, in millimetres. */
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

/** Whether a text may hold an `@page` rule. */
export function mayRulePages(text: string): boolean {
  return text.includes('@') && /@page/i.test(text);
}

/** A rule with its boxes in the margins; each alternative begins with another character, so nothing is read twice. */
const RULE = /(@page(?![\w-])[^{};<]{0,300}\{)((?:[^{}<]|\{[^{}<]*\})*)\}/gi;
const SIZE = /((?:^|[;\s}])size\s*:)([^;!}]*)/gi;

/** The text with lengths in its `@page` rules instead of names of papers that CSS has not. Nothing else is changed. */
export function withLengthsOfPapers(text: string): string {
  if (!mayRulePages(text)) return text;
  return text.replace(
    RULE,
    (_, head: string, block: string) =>
      `${head}${block.replace(SIZE, (__, name: string, value: string) => name + lengthsOf(value))}}`,
  );
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
 * A style sheet with those `@page` rules that hold, for one that no script can read. Where paper or orientation are those
 * of the options, the whole sheet is.
 */
export function editedPageBlocks(css: string, { author, ...options }: SheetChoice): string {
  if (!mayRulePages(css)) return css;
  const pixels = (length: number): string => `${length * PIXELS_OF_INCH}px`;
  const sheet = paperInches(options.paper, options.landscape);
  const size = `${pixels(sheet.width)} ${pixels(sheet.height)}`;
  return css.replace(RULE, (rule: string, head: string, block: string) => {
    if (author === null) return '';
    const sides = (['top', 'right', 'bottom', 'left'] as const).filter((side) => !author.margins[side]);
    const instead = [
      ...(author.paper && author.orientation ? [] : [`size:${size} !important`]),
      ...sides.map((side) => `margin-${side}:${options.margins[side]}cm !important`),
    ];
    return instead.length === 0 ? rule : `${head}${block};${instead.join(';')}}`;
  });
}
