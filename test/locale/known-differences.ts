import type { BabelCall } from './calls.ts';

/** Where the filters and Babel 2.18 differ, and why: as `docs/languages.md` lists it. */

interface Difference {
  why: string;
  is: (call: BabelCall) => boolean;
}

const SWISS_AND_AUSTRIAN = ['de_AT', 'de_CH', 'it_CH', 'fr_CH'];
const DATES = ['format_date', 'format_time', 'format_datetime'];

const formatOf = ({ arguments: given }: BabelCall): string => String(given['format'] ?? '');

export const KNOWN_DIFFERENCES: readonly Difference[] = [
  {
    why: 'signs of groups and of decimals in Switzerland and Austria: CLDR 48, and those of amounts',
    is: ({ name, locale }) =>
      SWISS_AND_AUSTRIAN.includes(locale) &&
      ['format_decimal', 'format_percent', 'format_currency', 'format_scientific'].includes(name),
  },
  {
    why: 'amounts: signs, spaces and brackets of CLDR 48',
    is: ({ name, locale }) =>
      name === 'format_currency' && ['af_ZA', 'es_AR', 'fr_CA', 'gl_ES', 'he_IL', 'sw_KE'].includes(locale),
  },
  {
    why: 'scientific numbers in Hindi without brackets',
    is: ({ name, locale }) => locale === 'hi_IN' && name === 'format_scientific',
  },
  {
    why: 'narrow and short spans of time: CLDR falls back to the shorter form, Babel to the long one',
    is: ({ name, arguments: given }) =>
      name === 'format_timedelta' && (given['format'] === 'narrow' || given['format'] === 'short'),
  },
  {
    why: 'spans of time: words of CLDR 48',
    is: ({ name, locale }) =>
      name === 'format_timedelta' && ['bn_BD', 'fr_CA', 'he_IL', 'ta_IN', 'uk_UA'].includes(locale),
  },
  {
    why: '"and" by the word that follows it, in Hebrew and Spanish; styles that Babel falls back from',
    is: ({ name, locale }) => name === 'format_list' && /^(?:he|es|ar|fa|ur)_/.test(locale),
  },
  {
    why: 'names of zones: GMT+9 rather than +0900, UTC rather than TU',
    is: (call) => DATES.includes(call.name) && /^(?:full|long)$/.test(formatOf(call)),
  },
  {
    why: 'months by themselves: Babel gives Azerbaijani ones where CLDR has none of their own',
    is: (call) => DATES.includes(call.name) && formatOf(call).includes('LLLL'),
  },
  {
    why: 'days by themselves: CLDR 48, and Babel gives those of another language where there are none',
    is: (call) => DATES.includes(call.name) && formatOf(call).includes('ccc'),
  },
  {
    why: 'names and formats of CLDR 48',
    is: ({ name, locale }) =>
      DATES.includes(name) &&
      ['bg_BG', 'bn_BD', 'fa_IR', 'fi_FI', 'fr_CH', 'ko_KR', 'lt_LT', 'sl_SI', 'th_TH', 'vi_VN'].includes(
        locale,
      ),
  },
  {
    why: 'the week begins with Monday in Iceland: CLDR 48',
    is: (call) => DATES.includes(call.name) && call.locale === 'is_IS' && /[ew]/.test(formatOf(call)),
  },
];
