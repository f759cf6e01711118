import { type Element, isElement, placeOf, type Structure } from './structure.ts';
import type { Violations } from './violations.ts';

/** Rules for the nesting of elements (ISO 32000-1, 14.8.4.3; ISO 14289-1, 7.2 and 7.4.4). */

/** Elements that are transparent to these rules: their children count as children of their parent. */
const PASSED = new Set(['NonStruct', 'Div', 'Part']);

/** The required parents of an element type. */
const PARENTS: Readonly<Record<string, readonly string[]>> = {
  TR: ['Table', 'THead', 'TBody', 'TFoot'],
  THead: ['Table'],
  TBody: ['Table'],
  TFoot: ['Table'],
  TH: ['TR'],
  TD: ['TR'],
  LI: ['L'],
  LBody: ['LI'],
  TOCI: ['TOC'],
};

/** The permitted children of an element type; the children of lists are repaired. */
const KIDS: Readonly<Record<string, readonly string[]>> = {
  Table: ['TR', 'THead', 'TBody', 'TFoot', 'Caption'],
  THead: ['TR'],
  TBody: ['TR'],
  TFoot: ['TR'],
  TR: ['TH', 'TD'],
  TOC: ['TOC', 'TOCI', 'Caption'],
};

/** The children of an element; transparent elements are replaced by their children. */
export function kidsOf(element: Element): Element[] {
  const found: Element[] = [];
  const stack = element.kids.filter(isElement).toReversed();
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (PASSED.has(next.type)) stack.push(...next.kids.filter(isElement).toReversed());
    else found.push(next);
  }
  return found;
}

/** Whether all children are elements of these types. */
export function passesOnly(element: Element, types: readonly string[]): boolean {
  if (!PASSED.has(element.type)) return types.includes(element.type);
  const kids = kidsOf(element);
  return kids.length > 0 && kids.every(({ type }) => types.includes(type));
}

/** Reports elements with a wrong parent. */
export function checkNesting(structure: Structure, violations: Violations): void {
  const wrong = (element: Element, detail: string): void => {
    violations.add(
      { accessible: '7.2' },
      `${detail}: correct it in the source of the file.`,
      placeOf(element),
    );
  };
  for (const element of structure.elements) {
    const { type } = element;
    const parents = PARENTS[type];
    if (parents !== undefined && !parents.includes(parentType(element)))
      wrong(element, `An element ${type} is not in an element ${parents.join(' or ')}`);
    const allowed = KIDS[type];
    const isCaptioned = type === 'Table' || type === 'L' || type === 'TOC';
    if (allowed === undefined && !isCaptioned) continue;
    const kids = kidsOf(element).map((kid) => kid.type);
    const odd = kids.find((kid) => allowed?.includes(kid) === false);
    if (odd !== undefined) wrong(element, `An element ${odd} is in an element ${type}`);
    if (isCaptioned) checkCaption(element, kids, wrong);
    if (type === 'Table') checkGroups(element, kids, wrong);
  }
  checkHeadings(structure, violations);
}

type Wrong = (element: Element, detail: string) => void;

function checkCaption(element: Element, kids: readonly string[], wrong: Wrong): void {
  const places = kids.flatMap((kid, index) => (kid === 'Caption' ? [index] : []));
  const [first = 0] = places;
  const isLast = element.type === 'Table' && first === kids.length - 1;
  if (places.length > 1 || !(first === 0 || isLast))
    wrong(element, `A caption is inside an element ${element.type}, or it has several`);
}

function checkGroups(table: Element, kids: readonly string[], wrong: Wrong): void {
  const count = (type: string): number => kids.filter((kid) => kid === type).length;
  const [heads, feet] = [count('THead'), count('TFoot')];
  if (heads > 1 || feet > 1) wrong(table, 'A table has several heads or feet');
  if (heads + feet > 0 && count('TBody') === 0) wrong(table, 'A table has a head or a foot, and no body');
}

/** A document uses either headings with levels, or one heading without a level for each part. */
function checkHeadings({ elements }: Structure, violations: Violations): void {
  const headings = elements.filter(({ type }) => type === 'H');
  const counts = new Map<Element, number>();
  for (const heading of headings) {
    let at = heading.parent;
    for (; at !== null; at = PASSED.has(at.type) ? at.parent : null) {
      const count = (counts.get(at) ?? 0) + 1;
      if (count > 2) break;
      counts.set(at, count);
      if (count < 2) continue;
      const detail =
        'An element has several headings without a level: put each into its own part, or use levels.';
      violations.add({ accessible: '7.4.4' }, detail, placeOf(at));
    }
  }
  const [heading] = headings;
  if (heading === undefined || !elements.some(({ type }) => /^H[1-6]$/.test(type))) return;
  const detail = 'Some headings have a level and some do not: use levels for all of them, or for none.';
  violations.add({ accessible: '7.4.4' }, detail, placeOf(heading));
}

function parentType({ parent }: Element): string {
  let at = parent;
  while (at !== null && PASSED.has(at.type)) at = at.parent;
  return at?.type ?? '';
}
