import { KEPT, REGISTERED } from '@platen/print/contents/css';
import { findingScript, writingScript } from '@platen/print/contents/script';
import { type Assignment, pageTextRules } from '@platen/print/contents/strings';
import { type Bundle, someStyles } from '@platen/print/bundle';
import { type Colour, markElements, placesOfMarks, textsOfPages } from '@platen/print/sections';
import { EACH_RULE } from '@platen/print/page-rules';
import * as z from 'zod';

/**
 * Contents, references and page names with WebKit, which does not report where on paper an element is. Marks
 * of a unique colour are printed into a copy of the document, and located in it (sections.ts).
 */

/** Most printings with marks. */
export const MAX_PASSES = 3;

/** Returns whether styles of a document refer to pages or name them. */
export function mayRefer(document: Bundle): boolean {
  const meant = new RegExp(`${KEPT.content}|${KEPT.strings}|[\\s;{"']page\\s*:`);
  return someStyles(document, (text) => meant.test(text));
}

/** The schema of a document's page references, which its scripts may have changed. */
const foundSchema = z.object({
  generated: z.number(),
  places: z.array(z.string()),
  strings: z.array(z.object({ name: z.string().max(100), text: z.string().max(500), place: z.string() })),
  names: z.array(z.object({ name: z.string().max(100), at: z.number(), before: z.number() })),
});
export type References = z.infer<typeof foundSchema>;

/** Returns null if there are none, or if the document's scripts have made the result invalid. */
export function referencesOf(found: unknown): References | null {
  const references = foundSchema.safeParse(found).data ?? null;
  if (references === null) return null;
  const { generated, strings, names } = references;
  return generated + strings.length + names.length === 0 ? null : references;
}

/** Page numbers by the places that were asked for; -1 for a place that is on no page. */
export type PageNumbers = Readonly<Record<string, number>>;

/**
 * Statements that write the known page numbers into a loaded document, and leave its references in
 * `references`. A change of the page name begins a new page (CSS Paged Media 3, 8).
 *
 * @param signature colour of the marks; null for no marks
 */
export function referencesScript(known: PageNumbers, signature: Colour | null): string {
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
  const found = (() => {${findingScript('')}})();
  (() => {${writingScript(known, '')}})();
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
  let lastContent = null, nameOfPage = '';
  const shown = (node) => (node instanceof Text ? node.parentElement : node).getClientRects().length > 0;
  const changes = [];
  const content = document.createTreeWalker(document.body ?? document, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  while (content.nextNode()) {
    const node = content.currentNode, owner = node instanceof Text ? node.parentElement : node;
    if (node === owner) namesOf.set(node, ownName(node) ?? namesOf.get(node.parentElement) ?? '');
    if (!(node instanceof Text ? node.data.trim() !== '' : isReplaced(node)) || !shown(node)) continue;
    const name = namesOf.get(owner) ?? '';
    if (name !== nameOfPage) {
      let begin = owner;
      while (begin.parentElement !== null && begin.parentElement !== document.body && !begin.parentElement.contains(lastContent))
        begin = begin.parentElement;
      changes.push({ begin, last: lastContent, name });
      nameOfPage = name;
    }
    lastContent = node;
  }
  for (const { begin, last, name } of changes) {
    if (last !== null && getComputedStyle(begin).breakBefore === 'auto') begin.style.setProperty('break-before', 'page', 'important');
    const end = last === null ? 0 : (() => {
      lastMark += 1;
      const own = mark(lastMark);
      if (own !== null) last.after(own);
      return lastMark;
    })();
    names.push({ name, at: markAt(begin, 'prepend'), before: end });
  }`;

/** The pages of all places that a document refers to. */
export interface Placed {
  numbers: PageNumbers;
  /** Counter styles for the texts of pages (`string()`). */
  rules: string;
  /** Names of pages, in order; `''` for a page without a name. */
  names: string[];
}

/**
 * Locates the marks.
 *
 * @param marked the document printed with its marks
 * @param firstNumber number of the first page
 */
export async function placed(
  marked: Uint8Array,
  signature: Colour,
  { places, strings, names }: References,
  firstNumber: number,
): Promise<Placed> {
  const { places: pages, total } = await placesOfMarks(marked, signature);
  const numbers = places.map((place): [string, number] => {
    const page = pages.get(Number(place));
    return [place, page === undefined ? -1 : page + firstNumber];
  });
  const assignments = strings.flatMap(({ name, text, place }): Assignment[] => {
    const page = pages.get(Number(place));
    return page === undefined ? [] : [{ name, text, page: page + 1 }];
  });
  const titles = names.map(({ name, at, before }) => ({ title: name, at, before }));
  return {
    numbers: Object.fromEntries(numbers),
    rules: pageTextRules(assignments, total),
    names: textsOfPages(titles, pages, total),
  };
}
