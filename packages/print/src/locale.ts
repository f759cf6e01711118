/** The default language of dates (I-7). */
export const DEFAULT_LOCALE = 'en_US';

/** The BCP 47 tag of a locale of the interface: `pt-BR` for `pt_BR`. */
export function languageTag(locale: string): string {
  return locale.replaceAll('_', '-');
}
