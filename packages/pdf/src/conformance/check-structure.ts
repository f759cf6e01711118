import { checkNesting } from './nesting.ts';
import { isGroup } from './repair-structure.ts';
import { type Element, hasAlternate, placeOf, type Structure } from './structure.ts';
import type { Violations } from './violations.ts';

/** Checks the parts that only the author can provide: alternate texts of images, the order of headings. */
export function checkStructure(structure: Structure, violations: Violations): void {
  for (const parent of structure.unread) {
    violations.add(UNREAD.rule, UNREAD.detail, parent === null ? {} : placeOf(parent));
  }
  checkNesting(structure, violations);
  let heading = 0;
  for (const element of structure.elements) {
    const level = HEADINGS.indexOf(element.type) + 1;
    if (level > 0) {
      checkHeading(element, level, heading, violations);
      heading = level;
    } else if (element.type === 'Figure') checkAlternate(element, FIGURE, violations);
    else if (element.type === 'Formula') checkAlternate(element, FORMULA, violations);
  }
}

const HEADINGS = ['H1', 'H2', 'H3', 'H4', 'H5', 'H6'];

const UNREAD = {
  rule: { archive: '6.7.3.4', of: 'tagged', accessible: '7.1' },
  detail:
    'The tags contain an object that is not an element with a type, or that occurs twice: create the file again from its source.',
} as const;

function checkHeading(element: Element, level: number, before: number, violations: Violations): void {
  if (level <= before + 1) return;
  const detail =
    before === 0
      ? `The first heading has level ${level}: begin with a heading of level 1 (h1).`
      : `A heading of level ${level} follows one of level ${before}: do not skip a level (h${before + 1}).`;
  violations.add({ accessible: '7.4.2' }, detail, placeOf(element));
}

const FIGURE = {
  clause: '7.3',
  detail:
    'A picture has no alternate text: add one (`alt`, or `aria-label` for svg and canvas), or an empty `alt` if it is decoration.',
};
const FORMULA = { clause: '7.7', detail: 'A formula has no alternate text: add one.' };

function checkAlternate(
  element: Element,
  { clause, detail }: { clause: string; detail: string },
  violations: Violations,
): void {
  if (hasAlternate(element) || (element.type === 'Figure' && isGroup(element))) return;
  violations.add({ accessible: clause }, detail, placeOf(element));
}
