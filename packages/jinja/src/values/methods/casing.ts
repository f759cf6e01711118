import { claimString, spend } from '../../budget.ts';
import { codePoints, SPACE } from '../text.ts';

/** Letter case and character classes of Python's `str`. */

function made(text: string): string {
  spend(text.length >>> 4);
  claimString(text.length);
  return text;
}

export function upper(self: string): string {
  return made(self.toUpperCase());
}

export function lower(self: string): string {
  return made(self.toLowerCase());
}

// The few characters whose title case differs from their upper case.
const TITLE: Readonly<Record<string, string>> = {
  Ǆ: 'ǅ',
  ǅ: 'ǅ',
  ǆ: 'ǅ',
  Ǉ: 'ǈ',
  ǈ: 'ǈ',
  ǉ: 'ǈ',
  Ǌ: 'ǋ',
  ǋ: 'ǋ',
  ǌ: 'ǋ',
  Ǳ: 'ǲ',
  ǲ: 'ǲ',
  ǳ: 'ǲ',
  ß: 'Ss',
  ﬀ: 'Ff',
  ﬁ: 'Fi',
  ﬂ: 'Fl',
  ﬃ: 'Ffi',
  ﬄ: 'Ffl',
  ﬅ: 'St',
  ﬆ: 'St',
  և: 'Եւ',
};

function titleChar(char: string): string {
  return TITLE[char] ?? char.toUpperCase();
}

export function capitalize(self: string): string {
  const first = codePoints(self.slice(0, 2))[0];
  if (first === undefined) return '';
  // The whole text is converted at once, because a final sigma depends on its neighbours.
  const lowered = self.toLowerCase().slice(first.toLowerCase().length);
  return made(titleChar(first) + lowered);
}

/** Whether a character has case, so that a word continues after it. */
const CASED = /^\p{Cased}$/u;

export function title(self: string): string {
  spend(self.length * 2);
  let previousCased = false;
  let result = '';
  for (const char of codePoints(self)) {
    result += previousCased ? char.toLowerCase() : titleChar(char);
    previousCased = isCased(char);
  }
  return made(result);
}

function isCased(char: string): boolean {
  return CASED.test(char);
}

export function swapCase(self: string): string {
  spend(self.length * 2);
  return made(
    codePoints(self)
      .map((char) => (/\p{Lu}/u.test(char) ? char.toLowerCase() : char.toUpperCase()))
      .join(''),
  );
}

/** Case folding: like lower case, plus the few letters that only folding treats alike. */
export function caseFold(self: string): string {
  return made(
    self
      .replace(/[ßẞﬀ-ﬆŉǰΐΰևẖ-ẚ]/gu, (char) => char.toUpperCase())
      .replaceAll('ς', 'σ')
      .replaceAll('ſ', 's')
      .replaceAll('µ', 'μ')
      .toLowerCase()
      .replaceAll('ς', 'σ'),
  );
}

function all(pattern: RegExp): (self: string) => boolean {
  return (self) => {
    spend(self.length >>> 3);
    return pattern.test(self);
  };
}

export const isAlphabetic = all(/^\p{L}+$/u);
export const isAscii = all(/^[\0-\x7f]*$/u);
export const isDecimal = all(/^\p{Nd}+$/u);
export const isDigit = all(/^[\p{Nd}²³¹፩-፱᧚⁰⁴-⁹₀-₉①-⑨⑴-⑼⒈-⒐⓪⓵-⓽⓿❶-❾➀-➈➊-➒]+$/u);
export const isIdentifier = all(/^[\p{XID_Start}_][\p{XID_Continue}]*$/u);
export const isNumeric = all(/^[\p{N}一二三四五六七八九十百千万億兆零〇壹贰叁肆伍陆柒捌玖拾佰仟萬亿]+$/u);
export const isAlphanumeric = all(/^[\p{L}\p{N}]+$/u);
export const isPrintable = all(/^(?: |[^\p{C}\p{Z}])*$/u);
export const isSpace = all(new RegExp(`^[${SPACE}]+$`, 'u'));

export function isUpper(self: string): boolean {
  spend(self.length >>> 3);
  return /\p{Uppercase}/u.test(self) && !/[\p{Lowercase}\p{Lt}]/u.test(self);
}

export function isLower(self: string): boolean {
  spend(self.length >>> 3);
  return /\p{Lowercase}/u.test(self) && !/[\p{Uppercase}\p{Lt}]/u.test(self);
}

export function isTitle(self: string): boolean {
  spend(self.length * 2);
  let previousCased = false;
  let any = false;
  for (const char of codePoints(self)) {
    const isCapital = /[\p{Uppercase}\p{Lt}]/u.test(char);
    const isSmall = !isCapital && /\p{Lowercase}/u.test(char);
    if (isCapital ? previousCased : isSmall && !previousCased) return false;
    previousCased = isCapital || isSmall;
    any ||= previousCased;
  }
  return any;
}
