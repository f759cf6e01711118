import * as z from 'zod';
import { BLANK_PAGE, KEPT } from './css.ts';

/**
 * Left and right pages on which content begins (`break-before` and `break-after`, CSS Fragmentation 3, 3.1).
 * Engines only begin the next page, so elements that create a blank page are inserted before content that would be
 * on the wrong side.
 */

/**
 * The schema of content that begins on a given side: its position, and whether the page must have an odd number.
 */
export const sidesSchema = z.array(z.object({ place: z.string(), isOdd: z.boolean() }));
type Sides = z.infer<typeof sidesSchema>;

/** The element that creates a blank page. */
const BLANK = 'platen-blank-page';

/**
 * Statements of the script that finds references: they store the content in `sides`, and its elements in `sided`.
 */
export const FINDING_SIDES = `
  const sides = [], sided = new Map();
  {
    const onSide = /^(?:left|right|recto|verso)$/;
    const isShown = (element) => element.getClientRects().length > 0;
    // Only what is in the flow of blocks begins a page.
    const isInFlow = (element) => {
      const { position, float } = getComputedStyle(element);
      if (/^(?:absolute|fixed)$/.test(position) || float !== 'none') return false;
      for (let at = element.parentElement; at !== null && at !== document.documentElement; at = at.parentElement)
        if (!/^(?:block|flow-root|list-item)$/.test(getComputedStyle(at).display)) return false;
      return true;
    };
    const behind = (element) => {
      for (let at = element; at !== null && at !== document.body; at = at.parentElement)
        for (let next = at.nextElementSibling; next !== null; next = next.nextElementSibling) if (isShown(next)) return next;
      return null;
    };
    const isLeftFirst = getComputedStyle(document.documentElement).direction === 'rtl';
    const wanted = new Map();
    for (const element of elementsOf('${KEPT.side}')) {
      if (!isShown(element)) continue;
      const { breakBefore, breakAfter } = getComputedStyle(element);
      if (onSide.test(breakBefore)) wanted.set(element, breakBefore);
      const next = onSide.test(breakAfter) ? behind(element) : null;
      if (next !== null && !wanted.has(next)) wanted.set(next, breakAfter);
    }
    for (const element of inOrder(wanted.keys())) {
      if (!isInFlow(element)) continue;
      const side = wanted.get(element), place = markOf(element);
      sides.push({ place, isOdd: side === 'recto' || side === (isLeftFirst ? 'left' : 'right') });
      sided.set(place, element);
    }
  }`;

/**
 * Returns statements that insert blank pages before these positions, and remove others. `sided` has the elements.
 */
export function blankPagesScript(places: readonly string[]): string {
  return `
  for (const blank of document.querySelectorAll('${BLANK}')) blank.remove();
  for (const place of ${JSON.stringify(places)}) {
    const blank = document.createElement('${BLANK}');
    blank.style.cssText = 'all:initial !important;display:block !important;height:0 !important;break-before:page !important;page:${BLANK_PAGE} !important';
    sided.get(place)?.before(blank);
  }`;
}

/**
 * Finds the positions that need a blank page before them.
 *
 * @param pages by position, 1-based, as they were printed with blank pages before the positions `blanks`
 * @returns the positions, and a function from page numbers of that print to the final ones
 */
export function blankPages(
  sides: Sides,
  pages: ReadonlyMap<string, { page: number }>,
  blanks: readonly string[],
): { blanks: string[]; moved(page: number): number; added: number } {
  const before = new Set(blanks);
  const wanted: string[] = [];
  const steps: { page: number; by: number }[] = [];
  let by = 0;
  for (const { place, isOdd } of sides) {
    const page = pages.get(place)?.page;
    if (page === undefined) continue;
    if (before.has(place)) by -= 1;
    // The content at the beginning of the document has no break before it.
    if (page + by > 1 && ((page + by) % 2 === 1) !== isOdd) {
      wanted.push(place);
      by += 1;
    }
    steps.push({ page, by });
  }
  return {
    blanks: wanted,
    moved: (page) => page + (steps.findLast((step) => step.page <= page)?.by ?? 0),
    added: by,
  };
}
