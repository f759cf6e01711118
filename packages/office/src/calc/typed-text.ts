import { isoDate } from './dates.ts';

/** Texts from the data that are numbers, dates or times in the number format of their cell. */

/** A number format, as far as it decides what a text may become. */
export interface NumberFormat {
  kind: 'general' | 'text' | 'number' | 'percent' | 'date' | 'time';
  /** Fewest digits before the decimal point. */
  digits: number;
  /** True for a time that counts beyond 24 hours. */
  isElapsed: boolean;
  /** True for a time without hours: minutes and seconds. */
  isShort: boolean;
}

export const GENERAL: NumberFormat = { kind: 'general', digits: 0, isElapsed: false, isShort: false };

/** Most significant digits that a number keeps. */
const MAX_DIGITS = 15;
const NUMBER = /^-?(\d+)(?:\.(\d+))?(?:[eE][+-]?\d{1,3})?$/;
const TIME = /^(\d{1,5}):([0-5]\d)(?::([0-5]\d(?:\.\d+)?))?(?:Z|[+-]\d\d:?\d\d)?(?:\s?([AP])M)?$/i;
const DURATION = /^P(?:(\d{1,4})D)?T?(?:(\d{1,5})H)?(?:(\d{1,6})M)?(?:(\d{1,7}(?:\.\d+)?)S)?$/;

/** A number from a text. For dates and times, it counts days: `isDay` when from 1899-12-30. */
export interface TextNumber {
  value: number;
  isDay: boolean;
}

/** Returns the number that a text stands for in a cell; null when it stays a text. */
export function numberIn(text: string, format: NumberFormat): TextNumber | null {
  if (format.kind === 'date' || format.kind === 'time') {
    const day = isoDate(text);
    if (day !== null) return { value: day.serial, isDay: true };
  }
  const value = valueIn(text, format);
  return value === null ? null : { value, isDay: false };
}

function valueIn(text: string, format: NumberFormat): number | null {
  const plain = text.trim();
  switch (format.kind) {
    case 'general':
    case 'text':
    case 'date':
      return null;
    case 'number':
      return plainNumber(plain, format.digits);
    case 'percent': {
      const percent = /^(.*\d)\s?%$/.exec(plain)?.[1];
      const number = percent === undefined ? null : plainNumber(percent, 0);
      // Through the decimal point, as a division by 100 would not be exact.
      return number === null ? null : Number(`${number}e-2`);
    }
    case 'time':
      return timeIn(plain, format);
  }
}

function plainNumber(text: string, digits: number): number | null {
  const match = NUMBER.exec(text);
  if (match === null) return null;
  const [, whole = '', decimals = ''] = match;
  const significant = (whole + decimals).replace(/^0+/, '').length;
  // The format has to show a leading zero, which a number does not have.
  const isShown = !/^0\d/.test(whole) || whole.length === digits;
  return isShown && significant <= MAX_DIGITS ? Number(text) : null;
}

function timeIn(text: string, { isElapsed, isShort }: NumberFormat): number | null {
  const duration = DURATION.exec(text);
  const match = TIME.exec(text);
  let seconds: number;
  if (duration !== null && /\d/.test(text)) {
    const [days = 0, hours = 0, minutes = 0, rest = 0] = duration.slice(1).map((part) => Number(part ?? 0));
    seconds = ((days * 24 + hours) * 60 + minutes) * 60 + rest;
  } else if (match !== null) {
    const [, first = '', second = '', third, half] = match;
    let [hours, minutes, rest] = [Number(first), Number(second), Number(third ?? 0)];
    if (isShort && third === undefined) [hours, minutes, rest] = [0, hours, minutes];
    if (half !== undefined) {
      if (hours < 1 || hours > 12) return null;
      hours = (hours % 12) + (half.toUpperCase() === 'P' ? 12 : 0);
    }
    seconds = (hours * 60 + minutes) * 60 + rest;
  } else return null;
  return isElapsed || seconds < 86_400 ? seconds / 86_400 : null;
}

/** Reads a format code of Excel (ECMA-376, 18.8.31). */
export function formatOfCode(code: string): NumberFormat {
  // Literals, colours and conditions do not belong to the pattern.
  const whole = code.replace(/"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\][]*\]/gi, '');
  const [pattern = ''] = whole.split(';');
  const bare = pattern.replace(/general/gi, '');
  if (/[dmyhs]/i.test(bare)) {
    const isTime = /[hs]/i.test(bare) && !/[dy]/i.test(bare);
    return {
      kind: isTime ? 'time' : 'date',
      digits: 0,
      isElapsed: /\[[hms]+\]/i.test(bare),
      isShort: !/h/i.test(bare),
    };
  }
  if (bare.includes('%')) return { ...GENERAL, kind: 'percent' };
  if (/[0#?]/.test(bare)) {
    const digits = bare.split('.', 1)[0]?.match(/0/g)?.length ?? 0;
    return { ...GENERAL, kind: 'number', digits };
  }
  return bare.includes('@') ? { ...GENERAL, kind: 'text' } : GENERAL;
}
