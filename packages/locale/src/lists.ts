import { fail } from './fault.ts';

/** Formats lists as Babel's `format_list` does. */

const STYLES: Readonly<Record<string, Intl.ListFormatOptions>> = {
  standard: { type: 'conjunction', style: 'long' },
  'standard-short': { type: 'conjunction', style: 'short' },
  'standard-narrow': { type: 'conjunction', style: 'narrow' },
  or: { type: 'disjunction', style: 'long' },
  'or-short': { type: 'disjunction', style: 'short' },
  'or-narrow': { type: 'disjunction', style: 'narrow' },
  unit: { type: 'unit', style: 'long' },
  'unit-short': { type: 'unit', style: 'short' },
  'unit-narrow': { type: 'unit', style: 'narrow' },
};

/** Maximum elements of a list. */
const MAX_ELEMENTS = 10_000;

/**
 * Formats a list as a phrase.
 *
 * @param locale language tag (BCP 47)
 * @throws LocaleError for an unknown style
 */
export function formatList(elements: readonly string[], style: string, locale: string): string {
  const options = Object.hasOwn(STYLES, style) ? STYLES[style] : undefined;
  if (options === undefined) {
    return fail(`'${style.slice(0, 20)}' is no style of a list: ${Object.keys(STYLES).join(', ')}`);
  }
  if (elements.length > MAX_ELEMENTS)
    return fail(`a list of more than ${MAX_ELEMENTS} elements is no sentence`);
  return new Intl.ListFormat(locale, options).format(elements);
}
