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

/** Which of the texts of a page is selected. */
const WHICH = ['first', 'start', 'last', 'first-except'] as const;

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
  const byPage = new Map<number, string[]>();
  for (const { name: own, text, page } of assignments) {
    if (own === name) byPage.set(page, [...(byPage.get(page) ?? []), text]);
  }
  const texts = { first: [''], start: [''], last: [''], 'first-except': [''] };
  let carried = '';
  for (let page = 1; page <= total; page++) {
    const own = byPage.get(page) ?? [];
    texts.first[page - 1] = own[0] ?? carried;
    texts.start[page - 1] = carried;
    texts.last[page - 1] = own.at(-1) ?? carried;
    texts['first-except'][page - 1] = own.length > 0 ? '' : carried;
    carried = own.at(-1) ?? carried;
  }
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
