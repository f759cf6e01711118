import { blankPages, sidesSchema } from '@platen/print/contents/blank-pages';
import { BLANK_PAGE, KEPT, REGISTERED } from '@platen/print/contents/css';
import { findingScript, writingScript } from '@platen/print/contents/script';
import { type Assignment, pageTextRules } from '@platen/print/contents/strings';
import { type Bundle, someStyles } from '@platen/print/bundle';
import { type Colour, markElements, textsOfPages } from '@platen/print/sections';
import { EACH_RULE } from '@platen/print/page-rules';
import { mayHaveOtherRooms } from '@platen/print/webkit/lacks';
import * as z from 'zod';
import type { Segment } from './rooms.ts';

/**
 * Contents, references and page names with WebKit, which does not report where on paper an element is. Marks of a
 * unique colour are printed into a copy of the document, and located in it (sections.ts).
 */

/** Most rounds of printings with marks. */
export const MAX_PASSES = 3;

/**
 * Returns whether styles of a document refer to pages, name them, or give them different rooms for text.
 *
 * @param styles as `plainStyles` returns them
 */
export function mayRefer(document: Bundle, styles: readonly string[]): boolean {
  const meant = new RegExp(`${KEPT.content}|${KEPT.strings}|${KEPT.side}|[\\s;{"']page\\s*:`);
  return someStyles(document, (text) => meant.test(text)) || mayHaveOtherRooms(styles);
}

/** The schema of a document's page references, which its scripts may have changed. */
const foundSchema = z.object({
  generated: z.number(),
  places: z.array(z.string()),
  strings: z.array(z.object({ name: z.string().max(100), text: z.string().max(500), place: z.string() })),
  sides: sidesSchema,
  lost: z.array(z.string()),
  unsupported: z.array(z.string()),
  names: z.array(
    z.object({ name: z.string().max(100), at: z.number(), before: z.number(), isFirst: z.boolean() }),
  ),
});
export type References = z.infer<typeof foundSchema>;

/** Returns null if there are none, or if the document's scripts have made the result invalid. */
export function referencesOf(found: unknown): References | null {
  const references = foundSchema.safeParse(found).data ?? null;
  if (references === null) return null;
  const { generated, strings, sides, names } = references;
  return generated + strings.length + sides.length + names.length === 0 ? null : references;
}

/** Page numbers by the requested places; -1 for a place that is on no page. */
export type PageNumbers = Readonly<Record<string, number>>;

/** The facts about the pages of a document that are written into it. */
export interface KnownPages {
  numbers: PageNumbers;
  /** Places with a blank page before them. */
  blanks: readonly string[];
}
export const NOTHING_KNOWN: KnownPages = { numbers: {}, blanks: [] };

/**
 * Statements that write the known page numbers and blank pages into a loaded document, and leave its references in
 * `references`. A change of the page name begins a new page (CSS Paged Media 3, 8). They read the page rules in `rules`.
 *
 * @param signature colour of the marks; null for no marks
 */
export function referencesScript({ numbers, blanks }: KnownPages, signature: Colour | null): string {
  return `
  let references = null;
  {
  const registered = document.createElement('style');
  registered.textContent = ${JSON.stringify(REGISTERED)};
  document.head?.append(registered);
  let lastMark = 0;
  ${signature === null ? 'const mark = () => null;' : markElements(signature)}
  const isReplaced = (element) => element.matches('img,svg,canvas,video,hr,input,br,object,embed,iframe');
  const markAt = (element, place) => {
    lastMark += 1;
    const own = mark(lastMark);
    if (own !== null && isReplaced(element)) element.before(own);
    else if (own !== null) element[place](own);
    return lastMark;
  };
  const markOf = (element) => String(markAt(element, 'prepend'));
  ${NAMES}
  const found = (() => {${findingScript('', true)}})();
  (() => {${writingScript(numbers, '', blanks)}})();
  // WebKit makes no page for an element without a height, and no break where the name of the page changes.
  for (const blank of document.querySelectorAll('platen-blank-page')) {
    blank.style.setProperty('height', '1px', 'important');
    const next = blank.nextElementSibling;
    if (next !== null && !isForced(getComputedStyle(next).breakBefore)) next.style.setProperty('break-before', 'page', 'important');
  }
  references = { ...found, names };
  }`;
}

const NAME_OF_PAGE = '--platen-page';

const NAMES = `
  const names = [], namesOf = new Map();
  // No script is told what an element has of it: it is said once more, by a property that they are.
  const said = ['@property ${NAME_OF_PAGE}{syntax:"*";inherits:false}'];
  ${EACH_RULE}
  eachRule((rule, _, applies) => {
    const name = rule.style?.getPropertyValue('page') ?? '';
    if (!applies || !rule.selectorText || name === '') return;
    const rank = rule.style.getPropertyPriority('page') === '' ? '' : ' !important';
    said.push(rule.selectorText + '{${NAME_OF_PAGE}:' + name + rank + '}');
  });
  registered.textContent += said.join('');
  const ownName = (element) => {
    const page = element.style?.getPropertyValue('page') || getComputedStyle(element).getPropertyValue('${NAME_OF_PAGE}').trim();
    return page === '' || page === 'auto' ? null : page;
  };
  namesOf.set(document.body, document.body === null ? '' : ownName(document.body) ?? '');
  let lastContent = null, nameOfPage = '', lastShown = null;
  // Content behind the first forced break is of interest if the first page is another one than the others.
  let isOnFirst = (rules?.kinds ?? []).some(({ first, left, right }) =>
    new Set([first, left, right].map((kind) => JSON.stringify(kind))).size > 1);
  const isForced = (value) => /^(?:always|page|left|right|recto|verso)$/.test(value);
  const isBroken = (node) => {
    for (let at = node instanceof Text ? node.parentElement : node; at !== null && !at.contains(lastShown); at = at.parentElement)
      if (isForced(getComputedStyle(at).breakBefore)) return true;
    for (let at = lastShown instanceof Text ? lastShown.parentElement : lastShown; at !== null && !at.contains(node); at = at.parentElement)
      if (isForced(getComputedStyle(at).breakAfter)) return true;
    return false;
  };
  const isEmptyBox = (node) => node instanceof Element && node.children.length === 0 && node.textContent.trim() === '' && node.getClientRects().length > 0 &&
    (node.getBoundingClientRect().height > 0 || isForced(getComputedStyle(node).breakAfter));
  const shown = (node) => (node instanceof Text ? node.parentElement : node).getClientRects().length > 0;
  const changes = [], placed = new Set(), undivided = new Map(), nameWithin = new Map();
  const content = document.createTreeWalker(document.body ?? document, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  while (content.nextNode()) {
    const node = content.currentNode, owner = node instanceof Text ? node.parentElement : node;
    // What is positioned outside of the flow begins no page, and has that of what it is in.
    if (node === owner && (placed.has(node.parentElement) || /^(?:absolute|fixed)$/.test(getComputedStyle(node).position))) placed.add(node);
    if (placed.has(owner)) continue;
    if (node === owner) {
      const within = undivided.get(node.parentElement) ?? (/flex|grid/.test(getComputedStyle(node).display) ? node : undefined);
      if (within !== undefined) undivided.set(node, within);
    }
    if (node === owner) namesOf.set(node, ownName(node) ?? namesOf.get(node.parentElement) ?? '');
    if (!(node instanceof Text ? node.data.trim() !== '' : isReplaced(node)) || !shown(node)) {
      if (isOnFirst && isEmptyBox(node)) lastShown = node;
      continue;
    }
    // No page begins in a flex container or a grid.
    const whole = undivided.get(owner);
    if (whole !== undefined && !nameWithin.has(whole)) nameWithin.set(whole, namesOf.get(owner) ?? '');
    const name = (whole === undefined ? namesOf.get(owner) : nameWithin.get(whole)) ?? '';
    if (name !== nameOfPage) {
      let begin = owner;
      while (begin.parentElement !== null && begin.parentElement !== document.body && !begin.parentElement.contains(lastContent))
        begin = begin.parentElement;
      changes.push({ begin, owner, last: lastContent, name, isFirst: lastContent === null });
      nameOfPage = name;
      if (lastContent !== null) isOnFirst = false;
    } else if (isOnFirst && lastShown !== null && isBroken(node)) {
      changes.push({ node, last: lastShown, name, isFirst: false });
      isOnFirst = false;
    }
    lastContent = lastShown = node;
  }
  for (const { begin, owner, node, last, name, isFirst } of changes) {
    let beginsAt = begin;
    if (begin && last !== null) {
      const within = [];
      for (let at = owner; at !== begin; at = at.parentElement) within.push(at);
      const valueOf = (element) => getComputedStyle(element).breakBefore;
      const forced = within.filter((element) => isForced(valueOf(element)));
      const kept = forced.find((element) => /^(?:left|right|recto|verso)$/.test(valueOf(element))) ?? (isForced(valueOf(begin)) ? begin : forced[0]);
      if (kept === undefined) begin.style.setProperty('break-before', 'page', 'important');
      else {
        beginsAt = kept;
        // Two would be breaks if there is a margin between them.
        for (const element of [begin, ...forced])
          if (element !== kept && isForced(valueOf(element))) element.style.setProperty('break-before', 'auto', 'important');
      }
    }
    const end = last === null ? 0 : (() => {
      lastMark += 1;
      const own = mark(lastMark);
      // A break behind an empty box is behind what is in it.
      if (own !== null && last instanceof Element && !isReplaced(last)) last.append(own);
      else if (own !== null) last.after(own);
      return lastMark;
    })();
    let at = lastMark + 1;
    if (beginsAt) markAt(beginsAt, 'prepend');
    else {
      lastMark = at;
      const own = mark(at);
      if (own !== null) node.before(own);
    }
    names.push({ name, at, before: end, isFirst });
  }`;

/** Content between two forced breaks, or between two changes of the name of pages. */
export function segmentsOf({ names }: References): Segment[] {
  const first = names.find(({ isFirst }) => isFirst);
  const others = names.filter(({ isFirst }) => !isFirst);
  return [{ name: first?.name ?? '', at: 0, before: 0 }, ...others];
}

/** Returns the pages, from 0, that were made blank. */
export function pagesMadeBlank(blanks: readonly string[], places: ReadonlyMap<number, number>): Set<number> {
  return new Set(blanks.map((place) => (places.get(Number(place)) ?? 0) - 1));
}

/** The pages of all places that a document refers to. */
export interface Placed {
  /** The values to be written into the document. */
  known: KnownPages;
  /** Counter styles for the texts of pages (`string()`). */
  rules: string;
  /** Names of pages, in order; `''` for a page without a name. */
  names: string[];
}

/**
 * Reads the positions of the marks.
 *
 * @param pages of a printing with the blank pages `blanks`
 * @param firstNumber number of the first page
 */
export function placed(
  { places: pages, total }: { places: ReadonlyMap<number, number>; total: number },
  { places, strings, sides, names }: References,
  blanks: readonly string[],
  firstNumber: number,
): Placed {
  const numbers = places.map((place): [string, number] => {
    const page = pages.get(Number(place));
    return [place, page === undefined ? -1 : page + firstNumber];
  });
  const assignments = strings.flatMap(({ name, text, place }): Assignment[] => {
    const page = pages.get(Number(place));
    return page === undefined ? [] : [{ name, text, page: page + 1 }];
  });
  const titles = names.map(({ name, at, before }) => ({ title: name, at, before }));
  const namesOfPages = textsOfPages(titles, pages, total);
  for (const page of pagesMadeBlank(blanks, pages)) namesOfPages[page] = BLANK_PAGE;
  const counted = new Map(sides.map(({ place }) => [place, pages.get(Number(place))]));
  const begun = new Map(
    [...counted].flatMap(([place, page]) => (page === undefined ? [] : [[place, { page: page + 1 }]])),
  );
  return {
    known: { numbers: Object.fromEntries(numbers), blanks: blankPages(sides, begun, blanks).blanks },
    rules: pageTextRules(assignments, total),
    names: namesOfPages,
  };
}
