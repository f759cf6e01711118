/** Names of the filters that depend on the locale of a rendering: Babel's names, and those of Flask-Babel. */
export const LANGUAGE_FILTERS = [
  'format_decimal',
  'format_currency',
  'format_percent',
  'format_scientific',
  'format_date',
  'format_time',
  'format_datetime',
  'format_timedelta',
  'format_list',
  'spell_out',
  'decimalformat',
  'numberformat',
  'currencyformat',
  'percentformat',
  'scientificformat',
  'dateformat',
  'timeformat',
  'datetimeformat',
  'timedeltaformat',
] as const;
export type LanguageFilter = (typeof LANGUAGE_FILTERS)[number];
