import { languageTag } from '../locale.ts';

/** A date in the long form of a locale, e.g. `21 novembre 2026`; the day is that of UTC (I-20). */
export function longDate(date: Date, locale: string): string {
  return new Intl.DateTimeFormat(languageTag(locale), { dateStyle: 'long', timeZone: 'UTC' }).format(date);
}
