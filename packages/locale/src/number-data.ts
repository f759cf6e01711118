import { cached } from './locale.ts';
import type { NumberSymbols } from './number-pattern.ts';

/** Derives the symbols and patterns of a locale's numbers from ICU's output. */

/**
 * Currencies for deriving a pattern. ICU adds a space next to a symbol that consists of letters, and this
 * space is not part of the pattern.
 */
const PROBES = 'XXX EUR USD JPY GBP INR KRW ILS NGN VND ARS BRL CAD AUD MXN CLP COP UYU PEN'.split(' ');

/** Removes the region of Turkish: with it, ICU uses separate formats for amounts. */
function ofData(tag: string): string {
  return tag === 'tr-TR' ? 'tr' : tag;
}

type Parts = readonly Intl.NumberFormatPart[];

function partsOf(tag: string, system: string, value: number, options: Intl.NumberFormatOptions): Parts {
  const format = { numberingSystem: system, useGrouping: 'always', ...options } as const;
  return new Intl.NumberFormat(ofData(tag), format).formatToParts(value);
}

const isDigit = ({ type }: Intl.NumberFormatPart): boolean =>
  type === 'integer' || type === 'group' || type === 'decimal' || type === 'fraction';

/** Returns the text before and after the digits. */
function affixes(parts: Parts): [before: string, after: string] {
  const first = parts.findIndex(isDigit);
  const last = parts.findLastIndex(isDigit);
  const text = (some: Parts): string =>
    some.map(({ type, value }) => (type === 'currency' ? '¤' : value)).join('');
  return [text(parts.slice(0, first)), text(parts.slice(last + 1))];
}

/** Returns a currency whose symbol in a locale has no letters. */
const probeOf = cached(
  (tag) => PROBES.find((code) => /^\p{S}(?:.*\p{S})?$/u.test(currencySymbol(tag, code))) ?? 'XXX',
);

/**
 * Returns the symbols of a locale.
 *
 * @param key tag, numbering system and, for amounts, a third word: some countries write amounts with other
 *   symbols
 */
const symbolsOf = cached((key): NumberSymbols => {
  const [tag = '', system = '', amounts] = key.split(' ');
  const options = amounts === undefined ? {} : ({ style: 'currency', currency: probeOf(tag) } as const);
  const plain = partsOf(tag, system, 1234567.5, options);
  const power = partsOf(tag, system, 0.00012, { notation: 'scientific' });
  const value = (parts: Parts, type: Intl.NumberFormatPartTypes): string | undefined =>
    parts.find((part) => part.type === type)?.value;
  return {
    decimal: value(plain, 'decimal') ?? '.',
    group: value(plain, 'group') ?? ',',
    exponential: value(power, 'exponentSeparator') ?? 'E',
    minus: affixes(partsOf(tag, system, -1, {}))[0],
    plus: affixes(partsOf(tag, system, 1, { signDisplay: 'always' }))[0],
    infinity: value(partsOf(tag, system, Infinity, {}), 'infinity') ?? '∞',
  };
});

/** Returns the symbols of a locale in a numbering system. */
export function numberSymbols(tag: string, system: string, kind: PatternKind = 'decimal'): NumberSymbols {
  return symbolsOf(`${tag} ${system}${kind === 'standard' || kind === 'accounting' ? ' amounts' : ''}`);
}

/**
 * Returns an integer pattern such as `#,##0` with the locale's groups: three digits each, or two before the
 * last three.
 */
function integerPattern(parts: Parts): string {
  const groups = parts.filter(({ type }) => type === 'integer').map(({ value }) => value.length);
  if (groups.length < 2) return '0';
  const last = groups.at(-1) ?? 3;
  const before = groups.length > 2 ? (groups.at(-2) ?? last) : last;
  const zero = `${'#'.repeat(last - 1)}0`;
  return before === last ? `#,${zero}` : `#,${'#'.repeat(before)},${zero}`;
}

/** Returns the pattern that produces a locale's output for a positive and a negative number. */
function patternOf(positive: Parts, negative: Parts, minus: string, digits: string): string {
  const [prefix, suffix] = affixes(positive);
  const [negativePrefix, negativeSuffix] = affixes(negative);
  const usual = negativePrefix === minus + prefix && negativeSuffix === suffix;
  const one = quoted(prefix) + digits + quoted(suffix);
  if (usual) return one;
  const sign = (text: string): string => quoted(text.replace(minus, '-'));
  return `${one};${sign(negativePrefix)}${digits}${sign(negativeSuffix)}`;
}

/** Quotes characters that have a meaning in patterns. */
function quoted(text: string): string {
  return text.replace(/[0-9@#.,;]+/g, (special) => `'${special}'`);
}

export const PATTERN_KINDS = ['decimal', 'percent', 'scientific', 'standard', 'accounting'] as const;
export type PatternKind = (typeof PATTERN_KINDS)[number];

/** Returns the pattern of a locale. @param key tag, numbering system and kind */
const patterns = cached((key): string => {
  const [tag = '', system = '', kind = ''] = key.split(' ');
  const { minus } = numberSymbols(tag, system);
  const both = (options: Intl.NumberFormatOptions): [Parts, Parts] => [
    partsOf(tag, system, 123456789.5, options),
    partsOf(tag, system, -123456789.5, options),
  ];
  if (kind === 'scientific') return '#E0';
  if (kind === 'decimal') {
    const [positive, negative] = both({});
    return patternOf(positive, negative, minus, `${integerPattern(positive)}.###`);
  }
  if (kind === 'percent') {
    const [positive, negative] = both({ style: 'percent' });
    const pattern = patternOf(positive, negative, minus, integerPattern(positive));
    // Direction marks next to the percent sign belong to the sign and not to the pattern.
    return pattern.replace(/[\u200e\u200f\u061c]?[%٪][\u200e\u200f\u061c]?/g, '%');
  }
  const [positive, negative] = both({
    style: 'currency',
    currency: probeOf(tag),
    currencySign: kind === 'accounting' ? 'accounting' : 'standard',
    minimumFractionDigits: 2,
  });
  return patternOf(positive, negative, minus, `${integerPattern(positive)}.00`);
});

/** Returns a locale's pattern for a kind of numbers. */
export function numberPattern(tag: string, system: string, kind: PatternKind): string {
  return patterns(`${tag} ${system} ${kind}`);
}

/** Returns the symbol of a currency in a locale: `€`, `US$`. */
export function currencySymbol(tag: string, currency: string): string {
  const parts = partsOf(tag, 'latn', 1, { style: 'currency', currency });
  const at = parts.findIndex(({ type }) => type === 'currency');
  // A direction mark after the symbol belongs to it.
  const mark = /^[\u200e\u200f\u061c]$/.exec(parts[at + 1]?.value ?? '')?.[0] ?? '';
  return (parts[at]?.value ?? currency) + mark;
}

/**
 * Currencies whose number of decimals is not two (CLDR 47). ICU is not used, because its values change
 * between releases.
 */
const CURRENCY_DIGITS = new Map(
  (
    [
      [
        0,
        'ADP AFN ALL BIF BYR CLP DJF ESP GNF IQD IRR ISK ITL JPY KMF KPW KRW LAK LBP LUF MGA MGF MMK MRO PYG RSD RWF SLL SOS STD ' +
          'SYP TMM TRL UGX UYI VND VUV XAF XOF XPF YER ZMK ZWD',
      ],
      [3, 'BHD JOD KWD LYD OMR TND'],
      [4, 'CLF UYW'],
    ] as const
  ).flatMap(([digits, codes]) => codes.split(' ').map((code) => [code, digits] as const)),
);

/** Returns the number of decimals of a currency. */
export function currencyDigits(currency: string): number {
  return CURRENCY_DIGITS.get(currency) ?? 2;
}

/** Returns an amount with the name of its currency: `1 US dollar`, with `number` in place of the digits. */
export function withCurrencyName(tag: string, currency: string, count: string, number: string): string {
  const parts = namedParts(tag, currency, count);
  const first = parts.findIndex(isDigit);
  const last = parts.findLastIndex(isDigit);
  return parts
    .filter((_, i) => i <= first || i > last)
    .map((part, i) => (i === first ? number : part.value))
    .join('');
}

/** Returns the name of a currency in the plural form for a count: `US dollars`. */
export function currencyName(tag: string, currency: string, count: string): string {
  return namedParts(tag, currency, count).find(({ type }) => type === 'currency')?.value ?? currency;
}

function namedParts(tag: string, currency: string, count: string): Parts {
  const format = new Intl.NumberFormat(ofData(tag), {
    style: 'currency',
    currency,
    currencyDisplay: 'name',
    numberingSystem: 'latn',
    // The plural form depends on the value and not on its notation: on 1 rather than 1.00.
    minimumFractionDigits: 0,
    maximumFractionDigits: 20,
  });
  const parts = format.formatToParts(count as Intl.StringNumericLiteral);
  // ICU adds the symbol of the Turkish lira to its name, so the last currency part is the name.
  const name = parts.findLastIndex(({ type }) => type === 'currency');
  return parts.filter(
    ({ type }, i) => type !== 'minusSign' && type !== 'plusSign' && (type !== 'currency' || i === name),
  );
}
