import * as z from 'zod';
import { BLANK_PAGE, KEPT } from './css.ts';

/**
 * Left and right pages that content begins on (`break-before` and `break-after`, CSS Fragmentation 3, 3.1). Engines only
 * begin the next page, so elements that make a blank page are put before what would be on the wrong side.
 */

/** The schema of content that begins on a side: where it is, and whether that is a page with an odd number. */
export const sidesSchema = z.array(z.object({ place: z.string(), isOdd: z.boolean() }));
type Sides = z.infer<typeof sidesSchema>;

/** The element that makes a blank page. */
const BLANK = 'platen-blank-page';

/** Statements of the script that finds references: they leave the content in `sides`, and its elements in `sided`. */
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

/** Returns statements that put blank pages before these places, and remove others. `sided` has the elements. */
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
 * Finds the places that need a blank page before them.
 *
 * @param pages by place, counted from 1, as they were printed with blank pages before the places `blanks`
 * @returns the places, and what becomes of the number of a page of that printing
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
    // What begins the document has no break before it.
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
