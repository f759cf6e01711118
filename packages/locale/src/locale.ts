import { fail } from './fault.ts';

/** Converts locales from the notation of callers (`de_AT`, `pt-BR`, `ar-u-nu-arab`) to that of ICU. */

/** The locale if neither the call nor the template sets one. */
export const DEFAULT_LOCALE = 'en-US';

/** Scripts that run from right to left. */
const RIGHT_TO_LEFT: ReadonlySet<string> = new Set(
  'Adlm Arab Hebr Mand Mend Nkoo Rohg Samr Sogd Syrc Thaa Yezi'.split(' '),
);

/** Maximum characters of a tag. */
const MAX_TAG = 64;

/** Returns the language tag (BCP 47) of a locale that ICU supports; null for any other text. */
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

/** Returns the language tag of a locale. @throws LocaleError for an unknown locale */
export function requiredTag(text: string): string {
  return (
    localeTag(text) ??
    fail(`'${text.slice(0, MAX_TAG)}' is no locale that is known, such as en_US, de_AT or pt-BR`)
  );
}

/** Returns the tags under which data of a locale may be stored: `de-AT`, then `de`. */
export function fallbacks(tag: string): string[] {
  const parts = new Intl.Locale(tag).baseName.split('-');
  return parts.map((_, i) => parts.slice(0, parts.length - i).join('-'));
}

/**
 * Returns the tag without its Unicode extension, which sets formats: the language of an HTML or office
 * document.
 */
export function languageOf(tag: string): string {
  return new Intl.Locale(tag).baseName;
}

/** Returns the writing direction of a locale. */
export function directionOf(tag: string): 'ltr' | 'rtl' {
  const { script = '' } = new Intl.Locale(tag).maximize();
  return RIGHT_TO_LEFT.has(script) ? 'rtl' : 'ltr';
}

/**
 * Returns the numbering system for a locale: Latin digits unless the locale (`-u-nu-arab`) or the call sets
 * another.
 *
 * @param asked name of a numbering system; `default` for the locale's own
 * @throws LocaleError for an unknown system
 */
export function numberingSystem(tag: string, asked: string | null): string {
  const { numberingSystem: own = 'latn' } = new Intl.Locale(tag);
  if (asked === null) return known(own) ? own : 'latn';
  if (asked === 'default') return new Intl.NumberFormat(tag).resolvedOptions().numberingSystem;
  return known(asked) ? asked : fail(`'${asked.slice(0, 20)}' is no numbering system`);
}

/** The list takes longer to make than a number to format. */
let systems: ReadonlySet<string> | undefined;

/** Returns whether ICU supports the system. It supports only systems with ten digits. */
function known(system: string): boolean {
  systems ??= new Set(Intl.supportedValuesOf('numberingSystem'));
  return systems.has(system);
}

const DIGITS = new Map<string, readonly string[]>();

/** Replaces Latin digits with those of another numbering system. */
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

/** Maximum entries of a cache. A cache is needed because creating a format takes milliseconds. */
const MAX_KEPT = 200;

/**
 * Returns a function that caches the results of `make` and removes the oldest entry when the cache is full.
 */
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
