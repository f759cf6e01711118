import { fail } from './fault.ts';

/** Locales as callers write them (`de_AT`, `pt-BR`, `ar-u-nu-arab`), and as ICU takes them. */

/** What is formatted when nobody says otherwise. */
export const DEFAULT_LOCALE = 'en-US';

/** Scripts that are written from right to left. */
const RIGHT_TO_LEFT: ReadonlySet<string> = new Set(
  'Adlm Arab Hebr Mand Mend Nkoo Rohg Samr Sogd Syrc Thaa Yezi'.split(' '),
);

/** Characters of the longest tag that is looked at. */
const MAX_TAG = 64;

/** The tag of BCP 47 of a locale that ICU has data for; null for any other text. */
export function localeTag(text: string): string | null {
  if (text.length > MAX_TAG) return null;
  try {
    const [tag] = Intl.NumberFormat.supportedLocalesOf(text.replaceAll('_', '-'));
    return tag ?? null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** @throws LocaleError */
export function requiredTag(text: string): string {
  return (
    localeTag(text) ??
    fail(`'${text.slice(0, MAX_TAG)}' is no locale that is known, such as en_US, de_AT or pt-BR`)
  );
}

/** The tags to look for when something is kept by locale: `de-AT`, then `de`. */
export function fallbacks(tag: string): string[] {
  const parts = new Intl.Locale(tag).baseName.split('-');
  return parts.map((_, i) => parts.slice(0, parts.length - i).join('-'));
}

/** The tag without what says how to format: as html and documents name a language. */
export function languageOf(tag: string): string {
  return new Intl.Locale(tag).baseName;
}

/** How text of that locale runs. */
export function directionOf(tag: string): 'ltr' | 'rtl' {
  const { script = '' } = new Intl.Locale(tag).maximize();
  return RIGHT_TO_LEFT.has(script) ? 'rtl' : 'ltr';
}

/**
 * The digits that numbers are written with: Latin ones unless the locale says otherwise (`-u-nu-arab`) or the call does.
 *
 * @param asked name of a numbering system; `default`: the locale's own
 * @throws LocaleError
 */
export function numberingSystem(tag: string, asked: string | null): string {
  const { numberingSystem: own = 'latn' } = new Intl.Locale(tag);
  if (asked === null) return known(own) ? own : 'latn';
  if (asked === 'default') return new Intl.NumberFormat(tag).resolvedOptions().numberingSystem;
  return known(asked) ? asked : fail(`'${asked.slice(0, 20)}' is no numbering system`);
}

/** Systems whose digits stand for ten digits, which is all that ICU formats with. */
function known(system: string): boolean {
  return Intl.supportedValuesOf('numberingSystem').includes(system);
}

const DIGITS = new Map<string, readonly string[]>();

/** Writes Latin digits as those of another numbering system. */
export function withDigits(text: string, system: string): string {
  if (system === 'latn') return text;
  let digits = DIGITS.get(system);
  if (digits === undefined) {
    const format = new Intl.NumberFormat('en', { numberingSystem: system, useGrouping: false });
    digits = Array.from({ length: 10 }, (_, digit) => format.format(digit));
    DIGITS.set(system, digits);
  }
  const written = digits;
  return text.replace(/\d/g, (digit) => written[Number(digit)] ?? digit);
}

/** Entries that are kept: of each locale that was asked for, since making its formats costs milliseconds. */
const MAX_KEPT = 200;

/** Keeps what `make` makes of a key; the oldest go when there are many. */
export function cached<T>(make: (key: string) => T): (key: string) => T {
  const kept = new Map<string, T>();
  return (key) => {
    const found = kept.get(key);
    if (found !== undefined) return found;
    const made = make(key);
    if (kept.size >= MAX_KEPT) kept.delete(kept.keys().next().value ?? '');
    kept.set(key, made);
    return made;
  };
}
