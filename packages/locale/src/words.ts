import { parseDecimal, rounded } from './decimal.ts';
import { fail } from './fault.ts';
import type { Spelling } from './words-data.ts';

/** Spells out numbers in words. */

/** Languages that `spellOut` supports. */
export const SPELLED_LANGUAGES: readonly string[] =
  'cs de en es fr hu id it ja ko lt lv nl pl ru th tr uk vi'.split(' ');

export type Spellings = ReadonlyMap<string, Spelling>;

/** Loads the words of all languages. They are a separate module, because few templates need them. */
export async function loadWords(): Promise<Spellings> {
  const { SPELLINGS } = await import('./words-data.ts');
  return SPELLINGS;
}

/** Limit below which every language has names for all numbers. */
const MAX_WHOLE = 10n ** 15n;
/** Maximum decimals, which are spelled out one by one. */
const MAX_DECIMALS = 12;

/**
 * Spells out a number, such as `one thousand two hundred`, and its decimals one by one.
 *
 * @param locale language tag (BCP 47)
 * @throws LocaleError for an unsupported language and for numbers without names
 */
export function spellOut(number: string, locale: string, spellings: Spellings): string {
  const { language, region = '' } = new Intl.Locale(locale);
  const spell = spellings.get(`${language}-${region}`) ?? spellings.get(language);
  if (spell === undefined) {
    return fail(`spell_out knows these languages: ${SPELLED_LANGUAGES.join(', ')}; not '${language}'`);
  }
  const value = parseDecimal(number);
  const places = Math.max(0, -value.exponent);
  const [whole, decimals] = places > MAX_DECIMALS ? tooLong() : rounded(value, places);
  if (value.infinite || BigInt(whole) >= MAX_WHOLE) return fail('spell_out takes numbers of up to 15 digits');
  const words = spell(BigInt(whole));
  // bounded: MAX_DECIMALS
  const fraction = decimals.replace(/0+$/, '');
  const positive =
    fraction === '' ? words : words + pointOf(spell) + digitsOf(fraction, spell, pointOf(spell));
  if (!value.negative || (BigInt(whole) === 0n && fraction === '')) return positive;
  return spell(-1n).slice(0, -spell(1n).length) + positive;
}

function tooLong(): never {
  return fail(`spell_out accepts numbers with up to ${MAX_DECIMALS} digits after the decimal point`);
}

/**
 * Returns a language's word for the decimal point with its spaces: the text between `zero` and `five` of 0.5.
 */
function pointOf(spell: Spelling): string {
  return spell('0.5').slice(spell(0n).length, -spell(5n).length);
}

function digitsOf(fraction: string, spell: Spelling, point: string): string {
  return Array.from(fraction, (digit) => spell(BigInt(digit))).join(point.endsWith(' ') ? ' ' : '');
}
