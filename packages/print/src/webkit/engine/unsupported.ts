import type { Arranged } from './arrange.ts';
import { told } from '../../losses.ts';

/** The elements of a document that WebKit does not print as its styles ask for it, by what they ask for. */
export interface Unsupported extends Partial<Arranged['unsupported']> {
  columns?: readonly string[];
  /** Fixed elements, of a document of several pages. */
  fixed?: readonly string[];
  links?: readonly string[];
  /** Headings that an outline would have. */
  outlined?: readonly string[];
  darkened?: readonly string[];
  posters?: readonly string[];
  /** Elements with words that their soft hyphens divide. */
  hyphenated?: readonly string[];
  /** Addresses that scripts asked for. */
  unloaded?: readonly string[];
  /** What `@page` rules say. */
  ofPages?: readonly string[];
}

const MESSAGES: Readonly<Record<keyof Unsupported, string>> = {
  columns: 'prints one column (columns)',
  darkened: 'prints gradients darker whose colours are transparent',
  fixed: 'shows what is fixed on the first page alone (position: fixed)',
  ofPages: 'ignores these for pages and boxes in their margins (@page)',
  links: 'prints links that lead nowhere',
  outlined: 'makes no outline, which would have headings (outline)',
  posters: 'leaves the pictures of videos out (poster)',
  unloaded: 'asks no host for what scripts load (fetch, XMLHttpRequest, elements that they make)',
  hyphenated: 'puts blanks before the hyphens of divided words, which are not found then (&shy;)',
  avoided:
    'does not avoid breaks within children of flex and grid containers, nor before some elements (break-inside, break-before, break-after)',
  connected:
    'cuts rows that a cell connects (rowspan) and that are higher than a page, and repeats no head beside them',
  cutRows: 'may cut rows of tables in flex and grid containers, floats and positioned boxes',
  heads: 'repeats no heads and feet of tables but thead and tfoot (display: table-header-group)',
  unbroken:
    'ignores forced breaks of children of flex and grid containers, floats and absolute boxes (break-before, break-after)',
  unspaced:
    'leaves out the margins above boxes with borders, corners or shadows, and above tables, behind forced breaks (margin-top)',
  vertical: 'prints vertical text in part (writing-mode)',
};

/** Returns the warnings for them, each with its elements and the engine that prints them. */
export function unsupportedWarnings(unsupported: Unsupported): string[] {
  return Object.entries(MESSAGES).flatMap(([kind, message]) =>
    told(
      unsupported[kind as keyof Unsupported] ?? [],
      (names) => `webkit ${message}: ${names}; rendering_engine chrome does better.`,
    ),
  );
}
