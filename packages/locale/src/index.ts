/** Numbers, money, dates, lists and words in any language. See README.md. */
export { Catalogue } from './catalogue.ts';
export type { CatalogueData } from './catalogue.ts';
export { formatDate, formatDateTime, formatTime } from './dates.ts';
export type { DateStyle } from './dates.ts';
export { LocaleError } from './fault.ts';
export { formatList } from './lists.ts';
export { DEFAULT_LOCALE, directionOf, fallbacks, languageOf, localeTag, requiredTag } from './locale.ts';
export { momentOf, momentOfSeconds, parseMoment } from './moment.ts';
export type { Moment } from './moment.ts';
export { formatCurrency, formatDecimal, formatPercent, formatScientific } from './numbers.ts';
export type { CurrencyStyle, NumberStyle } from './numbers.ts';
export { formatTimeDelta } from './timedelta.ts';
export { loadWords, spellOut, SPELLED_LANGUAGES } from './words.ts';
