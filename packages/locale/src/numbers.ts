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

/** Numbers, amounts and percentages, as Babel's functions of the same names write them. */

export interface NumberStyle {
  /** Tag of BCP 47, as `requiredTag` gives it. */
  locale: string;
  /** Pattern; null: the locale's own. */
  format: string | null;
  /** Whether digits beyond the pattern's are rounded away. */
  quantize: boolean;
  group: boolean;
  /** Name of a numbering system; null: what the locale says. */
  numberingSystem: string | null;
}

/** @param number as text @throws LocaleError. So do the others */
export function formatDecimal(number: string, style: NumberStyle): string {
  return write(parseDecimal(number), style, 'decimal');
}

/** @param number 1 is 100 % */
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
  /** Whether amounts have the digits of the currency rather than those of the pattern. */
  currencyDigits: boolean;
  type: string;
}

/** @param currency three letters (ISO 4217) */
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

/** Fills in what `¤` (the sign), `¤¤` (the code) and `¤¤¤` (the name) of a pattern stand for. */
function insertCurrency(text: string, locale: string, code: string, count: string): string {
  return text.replace(/¤¤¤|¤¤|¤/g, (place) => {
    if (place.length === 3) return currencyName(locale, code, count);
    return place.length === 2 ? code : currencySymbol(locale, code);
  });
}

/** A number as ICU reads it, for the choice of a plural. */
function plainText(value: Decimal): string {
  if (value.infinite) return 'Infinity';
  // Beyond that, the digits decide nothing.
  return adjusted(value) > 100 ? '1000000' : `${value.digits}e${value.exponent}`;
}
