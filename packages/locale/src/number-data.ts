import { cached } from './locale.ts';
import type { NumberSymbols } from './number-pattern.ts';

/** How a locale writes numbers, read off what ICU writes: its symbols and its patterns. */

/** Currencies to look at a locale's pattern with: ICU adds a space next to a sign of letters, which is none of the pattern. */
const PROBES = 'XXX EUR USD JPY GBP INR KRW ILS NGN VND ARS BRL CAD AUD MXN CLP COP UYU PEN'.split(' ');

/** ICU has formats of its own for amounts in Turkish where the country is named. */
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

/** What stands before the digits and behind them. */
function affixes(parts: Parts): [before: string, after: string] {
  const first = parts.findIndex(isDigit);
  const last = parts.findLastIndex(isDigit);
  const text = (some: Parts): string =>
    some.map(({ type, value }) => (type === 'currency' ? '¤' : value)).join('');
  return [text(parts.slice(0, first)), text(parts.slice(last + 1))];
}

/** A currency whose sign in a locale is no letter. */
const probeOf = cached(
  (tag) => PROBES.find((code) => /^\p{S}(?:.*\p{S})?$/u.test(currencySymbol(tag, code))) ?? 'XXX',
);

/** @param key tag, numbering system, and whether it is of amounts: some countries write those in another way */
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

/** The symbols of a locale in a numbering system. */
export function numberSymbols(tag: string, system: string, kind: PatternKind = 'decimal'): NumberSymbols {
  return symbolsOf(`${tag} ${system}${kind === 'standard' || kind === 'accounting' ? ' amounts' : ''}`);
}

/** `#,##0` with the groups of the locale: of three digits, or of two before the last three. */
function integerPattern(parts: Parts): string {
  const groups = parts.filter(({ type }) => type === 'integer').map(({ value }) => value.length);
  if (groups.length < 2) return '0';
  const last = groups.at(-1) ?? 3;
  const before = groups.length > 2 ? (groups.at(-2) ?? last) : last;
  const zero = `${'#'.repeat(last - 1)}0`;
  return before === last ? `#,${zero}` : `#,${'#'.repeat(before)},${zero}`;
}

/** Puts together a pattern of what the locale writes for a number and for the same number below zero. */
function patternOf(positive: Parts, negative: Parts, minus: string, digits: string): string {
  const [prefix, suffix] = affixes(positive);
  const [negativePrefix, negativeSuffix] = affixes(negative);
  const usual = negativePrefix === minus + prefix && negativeSuffix === suffix;
  const one = quoted(prefix) + digits + quoted(suffix);
  if (usual) return one;
  const sign = (text: string): string => quoted(text.replace(minus, '-'));
  return `${one};${sign(negativePrefix)}${digits}${sign(negativeSuffix)}`;
}

/** Characters of a pattern's number that stand for themselves. */
function quoted(text: string): string {
  return text.replace(/[0-9@#.,;]+/g, (special) => `'${special}'`);
}

export const PATTERN_KINDS = ['decimal', 'percent', 'scientific', 'standard', 'accounting'] as const;
export type PatternKind = (typeof PATTERN_KINDS)[number];

/** @param key tag, numbering system and kind */
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
    // Marks that say in which direction the sign runs belong to the sign, not to the pattern.
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

/** The pattern that the locale has for numbers of a kind. */
export function numberPattern(tag: string, system: string, kind: PatternKind): string {
  return patterns(`${tag} ${system} ${kind}`);
}

/** A currency's sign in a locale: `€`, `US$`. */
export function currencySymbol(tag: string, currency: string): string {
  const parts = partsOf(tag, 'latn', 1, { style: 'currency', currency });
  const at = parts.findIndex(({ type }) => type === 'currency');
  // A mark that says in which direction the sign runs.
  const mark = /^[\u200e\u200f\u061c]$/.exec(parts[at + 1]?.value ?? '')?.[0] ?? '';
  return (parts[at]?.value ?? currency) + mark;
}

/** Digits behind the point where they are not two (CLDR 47; ICU's change with its releases). */
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

/** Digits that amounts of a currency have behind the point. */
export function currencyDigits(currency: string): number {
  return CURRENCY_DIGITS.get(currency) ?? 2;
}

/** An amount in words for the currency: `1 US dollar` with `number` in the place of the digits. */
export function withCurrencyName(tag: string, currency: string, count: string, number: string): string {
  const parts = namedParts(tag, currency, count);
  const first = parts.findIndex(isDigit);
  const last = parts.findLastIndex(isDigit);
  return parts
    .filter((_, i) => i <= first || i > last)
    .map((part, i) => (i === first ? number : part.value))
    .join('');
}

/** A currency's name as it is counted: `US dollars`. */
export function currencyName(tag: string, currency: string, count: string): string {
  return namedParts(tag, currency, count).find(({ type }) => type === 'currency')?.value ?? currency;
}

function namedParts(tag: string, currency: string, count: string): Parts {
  const format = new Intl.NumberFormat(ofData(tag), {
    style: 'currency',
    currency,
    currencyDisplay: 'name',
    numberingSystem: 'latn',
    // The plural of a number as it is, not as it is written: 1, not 1.00.
    minimumFractionDigits: 0,
    maximumFractionDigits: 20,
  });
  const parts = format.formatToParts(count as Intl.StringNumericLiteral);
  // ICU writes the sign of the Turkish lira beside its name.
  const name = parts.findLastIndex(({ type }) => type === 'currency');
  return parts.filter(
    ({ type }, i) => type !== 'minusSign' && type !== 'plusSign' && (type !== 'currency' || i === name),
  );
}
