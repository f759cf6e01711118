import type { DateLocale } from '../../shared/contract/options.ts';

/** A date in the long form of a locale, e.g. `21 novembre 2026`; the day is that of UTC (decision 20). */
export function longDate(date: Date, locale: DateLocale): string {
  return new Intl.DateTimeFormat(languageTag(locale), { dateStyle: 'long', timeZone: 'UTC' }).format(date);
}

/** The BCP 47 tag of a locale of the interface: `pt-BR` for `pt_BR`. */
export function languageTag(locale: DateLocale): string {
  return locale.replace('_', '-');
}
