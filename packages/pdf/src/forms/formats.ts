import type { PdfFile } from '../model/index.ts';
import { datePattern, formattedDate } from './date-format.ts';
import type { Field } from './fields.ts';
import { type Argument, formatCallOf } from './format-call.ts';

/** Values of fields as the format scripts of Acrobat show them, for those scripts that are calls of its functions. */

export interface Formatted {
  text: string;
  /** The operator that sets the colour; undefined for that of the field. */
  colour?: string;
}

const RED = '1 0 0 rg';

/**
 * Returns what a field shows for a value.
 *
 * @returns undefined if its format cannot be read, or does not apply to the value
 */
export function formattedValue(file: PdfFile, field: Field, value: string): Formatted | undefined {
  const call = value === '' ? null : formatCallOf(file, field);
  if (call === null) return { text: value };
  if (call === 'unknown') return undefined;
  const { name, args } = call;
  switch (name) {
    case 'AFNumber_Format':
      return formattedNumber(args, value);
    case 'AFPercent_Format':
      return formattedPercentage(args, value);
    case 'AFSpecial_Format':
      return shown(formattedCode(args[0], value));
    case 'AFDate_Format':
    case 'AFDate_FormatEx':
    case 'AFTime_Format':
    case 'AFTime_FormatEx':
      return shown(formattedDate(datePattern(name, args[0]), value));
    default:
      return undefined;
  }
}

function shown(text: string | undefined): Formatted | undefined {
  return text === undefined ? undefined : { text };
}

/** Separators of thousands and decimals, by the number of their style. */
const SEPARATORS = [',.', '.', '.,', ',', "'."] as const;

interface Digits {
  digits: string;
  isNegative: boolean;
}

/** The digits of a number with separators; undefined for no number, or none that can be written out. */
function digitsOf(
  value: string,
  factor: number,
  decimals: Argument = 0,
  style: Argument = 0,
): Digits | undefined {
  if (typeof decimals !== 'number' || typeof style !== 'number') return undefined;
  const separators = SEPARATORS[Math.min(4, Math.max(0, Math.floor(style)))] ?? ',.';
  const point = separators.at(-1) ?? '.';
  const [group = ''] = separators.length > 1 ? separators : [];
  const trimmed = value.trim();
  // A comma is a decimal point where the field shows it as one; elsewhere it may separate thousands.
  const plain = point === ',' ? trimmed.replace(',', '.') : trimmed;
  if (!/^[-+]?(?:\d{1,20}(?:\.\d{0,20})?|\.\d{1,20})$/.test(plain)) return undefined;
  const number = Number(plain) * factor;
  const places = Math.abs(Math.floor(decimals));
  if (Math.abs(number) >= 1e21 || places > 100) return undefined;
  const [whole = '', part] = Math.abs(number).toFixed(places).split('.');
  // bounded: at most 21 digits
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, group);
  return { digits: part === undefined ? grouped : `${grouped}${point}${part}`, isNegative: number < 0 };
}

/** `AFNumber_Format(decimals, separators, negative, _, currency, prepend)` */
function formattedNumber(args: readonly Argument[], value: string): Formatted | undefined {
  const [decimals, separators, negative = 0, , currency, isBefore] = args;
  const number = digitsOf(value, 1, decimals, separators);
  if (number === undefined) return undefined;
  const { digits, isNegative } = number;
  const unit = typeof currency === 'string' ? currency : '';
  const sign = isNegative && negative === 0 ? '-' : '';
  const text = isBefore === true ? `${sign}${unit}${digits}` : `${sign}${digits}${unit}`;
  const isInBrackets = isNegative && (negative === 2 || negative === 3);
  const isRed = isNegative && (negative === 1 || negative === 3);
  return { text: isInBrackets ? `(${text})` : text, ...(isRed ? { colour: RED } : {}) };
}

/** `AFPercent_Format(decimals, separators, prepend)` */
function formattedPercentage(
  [decimals, separators, isBefore]: readonly Argument[],
  value: string,
): Formatted | undefined {
  const number = digitsOf(value, 100, decimals, separators);
  if (number === undefined) return undefined;
  const text = `${number.isNegative ? '-' : ''}${number.digits}`;
  return { text: isBefore === true ? `%${text}` : `${text}%` };
}

/** Codes of the United States, by the number of their kind: postal codes, telephone and social security numbers. */
const CODES: readonly (readonly string[])[] = [
  ['99999'],
  ['99999-9999'],
  ['(999) 999-9999', '999-9999'],
  ['999-99-9999'],
];

/** `AFSpecial_Format(kind)`: a value with another number of digits is no such code. */
function formattedCode(kind: Argument | undefined, value: string): string | undefined {
  const digits = value.replace(/[\s().-]/g, '');
  if (!/^\d+$/.test(digits) || typeof kind !== 'number') return undefined;
  const mask = CODES[kind]?.find((code) => code.replace(/[^9]/g, '').length === digits.length);
  let at = 0;
  return mask?.replace(/9/g, () => digits.charAt(at++));
}
