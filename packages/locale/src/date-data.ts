import { fallbacks, cached } from './locale.ts';
import { instantOf, type Moment } from './moment.ts';

/** Names and formats of dates of a locale, as ICU writes them; always of the Gregorian calendar, as Babel has it. */

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

/** The pieces of what ICU writes of a moment. */
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

/** The value of one field as ICU writes it in that setting; undefined where it leaves it out. */
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
 * What stands between a date and a time (CLDR 47, `dateTimeFormat` of the type "standard"): ICU tells only the formats that
 * say "at". Those of the lengths from full to short, or one for all of them; `{0} {1}`: the time comes first. Where
 * nothing is said, it is a space.
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

/** How a locale puts a date (`{1}`) and a time (`{0}`) of that length together. */
export function glueOf(tag: string, length: Length): string {
  const formats = fallbacks(tag)
    .map((candidate) => GLUE_OF.get(candidate))
    .find((found) => found !== undefined);
  return formats?.[LENGTHS.indexOf(length)] ?? formats?.[0] ?? '{1} {0}';
}

/** Countries whose first week of a year has four days of it, as ISO 8601 has it; elsewhere one is enough (CLDR). */
const FOUR_DAYS: ReadonlySet<string> = new Set(
  'AD AN AT AX BE BG CH CZ DE DK EE ES FI FJ FO FR GB GF GG GI GP GR HU IE IM IS IT JE LI LT LU MC MQ NL NO PL PT RE RU SE SJ SK SM VA'.split(
    ' ',
  ),
);

interface WithWeekInfo {
  getWeekInfo?: () => { firstDay: number };
}

/** The day that a week begins with (0 is Monday), and the days that its first one of a year has at least. */
export const weekRules = cached((tag): { firstDay: number; leastDays: number } => {
  const locale = new Intl.Locale(tag);
  const { region = '001' } = locale.maximize();
  const { firstDay = 1 } = (locale as WithWeekInfo).getWeekInfo?.() ?? {};
  return { firstDay: (firstDay + 6) % 7, leastDays: FOUR_DAYS.has(region) ? 4 : 1 };
});
