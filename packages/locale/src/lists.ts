import { fail } from './fault.ts';

/** Lists in a sentence, as Babel's `format_list` writes them. */

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

/** Elements of the longest list that is put into one sentence. */
const MAX_ELEMENTS = 10_000;

/** @param locale tag of BCP 47 @throws LocaleError for a style that there is not */
export function formatList(elements: readonly string[], style: string, locale: string): string {
  const options = Object.hasOwn(STYLES, style) ? STYLES[style] : undefined;
  if (options === undefined) {
    return fail(`'${style.slice(0, 20)}' is no style of a list: ${Object.keys(STYLES).join(', ')}`);
  }
  if (elements.length > MAX_ELEMENTS)
    return fail(`a list of more than ${MAX_ELEMENTS} elements is no sentence`);
  return new Intl.ListFormat(locale, options).format(elements);
}
