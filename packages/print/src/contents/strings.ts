import { pageTextStyle } from './css.ts';

/** Texts that stand in margin boxes by page: `string-set` and `string()` (CSS Generated Content for Paged Media, 3). */

/** An element that says a text from where it stands on. */
export interface Assignment {
  name: string;
  text: string;
  /** Page it stands on, from 1. */
  page: number;
}

/** Which of the texts of a page is meant. */
const WHICH = ['first', 'start', 'last', 'first-except'] as const;

/**
 * Counter styles that write a text in the place of a page's number: the only text that an engine writes in margin boxes
 * and that is another on each page.
 *
 * @param assignments in the order of the document
 * @param total pages of the document
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

/** As a string of CSS. */
function quoted(text: string): string {
  const escaped = text.replace(
    /[^\w .,;:()-]/gu,
    (character) => `\\${character.codePointAt(0)?.toString(16)} `,
  );
  return `"${escaped}"`;
}
