import { fallbacks, cached } from './locale.ts';
import { instantOf, type Moment } from './moment.ts';

/** Names and date formats of a locale from ICU, always for the Gregorian calendar as in Babel. */

export const LENGTHS = ['full', 'long', 'medium', 'short'] as const;
export type Length = (typeof LENGTHS)[number];

export function isLength(format: string): format is Length {
  return (LENGTHS as readonly string[]).includes(format);
}

/** @param key tag, then options as JSON */
const formats = cached((key): Intl.DateTimeFormat => {
  const space = key.indexOf(' ');
  const options = JSON.parse(key.slice(space + 1)) as Intl.DateTimeFormatOptions;
  return new Intl.DateTimeFormat(key.slice(0, space), { calendar: 'gregory', ...options });
});

/** Returns the parts of a moment as ICU formats it. */
export function dateParts(
  tag: string,
  moment: Moment,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormatPart[] {
  const format = formats(`${tag} ${JSON.stringify({ timeZone: moment.zone, ...options })}`);
  return format.formatToParts(instantOf(moment));
}

export function dateText(tag: string, moment: Moment, options: Intl.DateTimeFormatOptions): string {
  return dateParts(tag, moment, options)
    .map(({ value }) => value)
    .join('');
}

/**
 * Returns the value of one field as ICU formats it with these options; undefined if the format does not
 * contain it.
 */
export function datePart(
  tag: string,
  moment: Moment,
  type: Intl.DateTimeFormatPartTypes,
  options: Intl.DateTimeFormatOptions,
): string | undefined {
  return dateParts(tag, moment, { numberingSystem: 'latn', ...options }).find((part) => part.type === type)
    ?.value;
}

/**
 * The patterns that join a date and a time (CLDR 47, `dateTimeFormat` of the type "standard"), because ICU
 * provides only those of the type "atTime". Each entry has one pattern for each length from full to short, or
 * one for all lengths; in `{0} {1}` the time comes first. Locales without an entry use a space.
 */
const GLUES: readonly (readonly [formats: readonly string[], tags: string])[] = [
  [
    ['{1}, {0}'],
    'ab ak be bg blo brx ceb chr cv de doi en es fil fo fr-ML frr gl he hi hy ia ig is ka kab kea kk km kok-Latn ks kxv lo mai mk mni ' +
      'mr nb nds nl no oc-ES om or os pt-AO pt-CH pt-CV pt-GQ pt-GW pt-LU pt-MO pt-MZ pt-PT pt-ST pt-TL rif ro ru sa sc sd-Deva sq ' +
      'su ta tt uk uz vec xnr',
  ],
  [['{1} {0}'], 'bs-Cyrl en-Dsrt en-MV en-Shaw ha-Arab mni-Mtei ms-Arab pa-Arab uz-Arab uz-Cyrl'],
  [['{1}, {0}', '{1}, {0}', '{1}, {0}', '{1} {0}'], 'ast br ca fr ht lij sk to'],
  [['{1} {0}', '{1} {0}', '{1}, {0}', '{1}, {0}'], 'it jv lld ms ne pa pl sl'],
  [['{1}, {0}', '{1}, {0}', '{1} {0}', '{1} {0}'], 'bs cy hi-Latn pcm'],
  [['{1}، {0}'], 'ar syr'],
  [['{0} {1}'], 'ee vi'],
  [['{1} ka {0}', '{1} ka {0}', '{1}, {0}', '{1}, {0}'], 'nso tn'],
  [['{1} a las {0}', '{1} a las {0}', '{1}, {0}', '{1} {0}'], 'an'],
  [['{1}, {0}', '{1}, {0}', '{1} à {0}', '{1} {0}'], 'co'],
  [['{1} - {0}', '{1} - {0}', '{1}, {0}', '{1}, {0}'], 'el'],
  [['{1} ({0})'], 'eu'],
  [['{1}، ساعت {0}', '{1}، ساعت {0}', '{1}،\u200f {0}', '{1}،\u200f {0}'], 'fa'],
  [['{1} {0}', '{1}, {0}', '{1}, {0}', '{1}, {0}'], 'ha'],
  [['{1}، {0}', '{1}، {0}', '{1}, {0}', '{1}, {0}'], 'kk-Arab'],
  [['{1} {0}', '{1} kl. {0}', '{1}, {0}', '{1}, {0}'], 'nn'],
  [['{1} a {0}', '{1} a {0}', '{1}, {0}', '{1}, {0}'], 'oc'],
  [['{1} {0}', '{0} {1}', '{1} {0}', '{1} {0}'], 'qu'],
  [['{1} {0}', '{1} {0}', '{1}، {0}', '{1}، {0}'], 'ug'],
  [['{1} - {0}'], 'wo'],
  [['{1} {0}', '{1} {0}', '{1}, {0}', '{1} {0}'], 'yi'],
];
const GLUE_OF = new Map(
  GLUES.flatMap(([formats, tags]) => tags.split(' ').map((tag) => [tag, formats] as const)),
);

/** Returns the pattern with which a locale joins a date (`{1}`) and a time (`{0}`) of that length. */
export function glueOf(tag: string, length: Length): string {
  const formats = fallbacks(tag)
    .map((candidate) => GLUE_OF.get(candidate))
    .find((found) => found !== undefined);
  return formats?.[LENGTHS.indexOf(length)] ?? formats?.[0] ?? '{1} {0}';
}

/**
 * Countries where at least four days of the first week must be in the new year, as in ISO 8601; elsewhere one
 * day is enough (CLDR).
 */
const FOUR_DAYS: ReadonlySet<string> = new Set(
  'AD AN AT AX BE BG CH CZ DE DK EE ES FI FJ FO FR GB GF GG GI GP GR HU IE IM IS IT JE LI LT LU MC MQ NL NO PL PT RE RU SE SJ SK SM VA'.split(
    ' ',
  ),
);

interface WithWeekInfo {
  getWeekInfo?: () => { firstDay: number };
}

/**
 * Returns the first day of the week (0 is Monday), and the minimum number of days of a year in its first
 * week.
 */
export const weekRules = cached((tag): { firstDay: number; leastDays: number } => {
  const locale = new Intl.Locale(tag);
  const { region = '001' } = locale.maximize();
  const { firstDay = 1 } = (locale as WithWeekInfo).getWeekInfo?.() ?? {};
  return { firstDay: (firstDay + 6) % 7, leastDays: FOUR_DAYS.has(region) ? 4 : 1 };
});
