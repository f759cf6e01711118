import { pageTextStyle } from './css.ts';

/**
 * Texts in margin boxes that differ by page: `string-set` and `string()` (CSS Generated Content for Paged Media,
 * 3).
 */

/** An element that sets a text from its position on. */
export interface Assignment {
  name: string;
  text: string;
  /** 1-based number of its page. */
  page: number;
}

/** Which of the assignments of a page is meant. */
export const WHICH = ['first', 'start', 'last', 'first-except'] as const;

/**
 * What each page shows of values that are assigned on pages.
 *
 * @param assigned in the order of the document
 * @param total pages of the document
 * @param none what is shown before the first one, and by `first-except` on a page with one
 */
export function valuesByPage<T>(
  assigned: readonly { value: T; page: number }[],
  total: number,
  none: T,
): Record<(typeof WHICH)[number], T[]> {
  const byPage = new Map<number, T[]>();
  for (const { value, page } of assigned) byPage.set(page, [...(byPage.get(page) ?? []), value]);
  const values = { first: [none], start: [none], last: [none], 'first-except': [none] };
  let carried = none;
  for (let page = 1; page <= total; page++) {
    const own = byPage.get(page) ?? [];
    values.first[page - 1] = own.length > 0 ? (own[0] as T) : carried;
    values.start[page - 1] = carried;
    values.last[page - 1] = own.length > 0 ? (own.at(-1) as T) : carried;
    values['first-except'][page - 1] = own.length > 0 ? none : carried;
    carried = values.last[page - 1] as T;
  }
  return values;
}

/**
 * Counter styles that show a text instead of a page's number: page numbers are the only content of margin boxes
 * that differs by page in engines.
 *
 * @param assignments in document order
 * @param total number of pages of the document
 */
export function pageTextRules(assignments: readonly Assignment[], total: number): string {
  const names = new Set(assignments.map(({ name }) => name));
  return [...names].flatMap((name) => rulesOf(name, assignments, total)).join('\n');
}

function rulesOf(name: string, assignments: readonly Assignment[], total: number): string[] {
  const own = assignments.filter((assignment) => assignment.name === name);
  const texts = valuesByPage(
    own.map(({ text, page }) => ({ value: text, page })),
    total,
    '',
  );
  return WHICH.map((which) => {
    const symbols = texts[which].map(quoted).join(' ');
    return `@counter-style ${pageTextStyle(name, which)}{system:fixed 1;symbols:${symbols}}`;
  });
}

/** A CSS string. */
function quoted(text: string): string {
  const escaped = text.replace(
    /[^\w .,;:()-]/gu,
    (character) => `\\${character.codePointAt(0)?.toString(16)} `,
  );
  return `"${escaped}"`;
}
