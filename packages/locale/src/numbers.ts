import { adjusted, type Decimal, parseDecimal } from './decimal.ts';
import { fail } from './fault.ts';
import { numberingSystem, withDigits } from './locale.ts';
import {
  currencyDigits,
  currencyName,
  currencySymbol,
  numberPattern,
  numberSymbols,
  type PatternKind,
  withCurrencyName,
} from './number-data.ts';
import { applyPattern, parseNumberPattern } from './number-pattern.ts';

/** Formats numbers, amounts and percentages as Babel's functions of the same names do. */

export interface NumberStyle {
  /** Language tag (BCP 47), as `requiredTag` returns it. */
  locale: string;
  /** Pattern; null for the locale's own. */
  format: string | null;
  /** Whether to round to the digits of the pattern. */
  quantize: boolean;
  group: boolean;
  /** Name of a numbering system; null for the one that the locale sets. */
  numberingSystem: string | null;
}

/** Formats a decimal number. @param number as text @throws LocaleError, as the other functions do */
export function formatDecimal(number: string, style: NumberStyle): string {
  return write(parseDecimal(number), style, 'decimal');
}

/** Formats a percentage. @param number 1 means 100 % */
export function formatPercent(number: string, style: NumberStyle): string {
  return write(parseDecimal(number), style, 'percent');
}

export function formatScientific(number: string, style: NumberStyle): string {
  return write(parseDecimal(number), style, 'scientific');
}

function write(
  value: Decimal,
  style: NumberStyle,
  kind: PatternKind,
  fraction: number | null = null,
): string {
  const system = numberingSystem(style.locale, style.numberingSystem);
  const pattern = parseNumberPattern(style.format ?? numberPattern(style.locale, system, kind));
  const symbols = numberSymbols(style.locale, system, kind);
  const { quantize, group } = style;
  return withDigits(applyPattern(pattern, value, { symbols, fraction, quantize, group }), system);
}

export interface CurrencyStyle extends NumberStyle {
  /** Whether amounts have the decimals of the currency instead of those of the pattern. */
  currencyDigits: boolean;
  type: string;
}

/** Formats an amount. @param currency three letters (ISO 4217) */
export function formatCurrency(number: string, currency: string, style: CurrencyStyle): string {
  const value = parseDecimal(number);
  const code = currency.toUpperCase();
  if (!/^[A-Z]{3}$/.test(code))
    return fail(`'${currency.slice(0, 20)}' is no code of a currency, such as EUR`);
  const fraction = style.currencyDigits ? currencyDigits(code) : null;
  const count = plainText(value);
  if (style.type === 'name') {
    const amount = insertCurrency(write(value, style, 'decimal', fraction), style.locale, code, count);
    return withCurrencyName(style.locale, code, count, amount);
  }
  if (style.type !== 'standard' && style.type !== 'accounting') {
    return fail(`'${style.type.slice(0, 20)}' is no type of a currency format: standard, accounting or name`);
  }
  return insertCurrency(write(value, style, style.type, fraction), style.locale, code, count);
}

/**
 * Replaces the placeholders of a pattern: `¤` with the symbol, `¤¤` with the code and `¤¤¤` with the name.
 */
function insertCurrency(text: string, locale: string, code: string, count: string): string {
  return text.replace(/¤¤¤|¤¤|¤/g, (place) => {
    if (place.length === 3) return currencyName(locale, code, count);
    return place.length === 2 ? code : currencySymbol(locale, code);
  });
}

/** Returns a number in ICU's notation for selecting a plural form. */
function plainText(value: Decimal): string {
  if (value.infinite) return 'Infinity';
  // The digits of a larger number do not affect the plural form.
  return adjusted(value) > 100 ? '1000000' : `${value.digits}e${value.exponent}`;
}
