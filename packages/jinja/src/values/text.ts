import { claimList, claimString, scan } from '../budget.ts';

/** Returns true if every character is one UTF-16 unit, so that indices are code points. */
export function isPlain(text: string): boolean {
  scan(text.length);
  // Without the `u` flag the class matches the units of a surrogate pair.
  return !/[\ud800-\udfff]/.test(text);
}

/** The characters of a text as Python counts them. */
export function codePoints(text: string): string[] {
  claimList(text.length);
  return isPlain(text) ? text.split('') : Array.from(text);
}

/** Returns the number of characters as Python counts them. */
export function textLength(text: string): number {
  if (isPlain(text)) return text.length;
  let count = text.length;
  for (let i = 1; i < text.length; i++) {
    const isLow = (text.charCodeAt(i) & 0xfc00) === 0xdc00;
    // A surrogate pair is one character, and so is a lone surrogate.
    if (isLow && (text.charCodeAt(i - 1) & 0xfc00) === 0xd800) count--;
  }
  return count;
}

const NEEDS_ESCAPING = /[&<>'"]/u;

/** From this length on, it is worth counting before replacing. */
const LONG = 100_000;

function escapedLength(text: string): number {
  let length = text.length;
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case 0x22:
      case 0x26:
      case 0x27:
        length += 4;
        break;
      case 0x3c:
      case 0x3e:
        length += 3;
    }
  }
  return length;
}

/** Returns the text with HTML's five special characters replaced. */
export function escapeHtml(text: string): string {
  scan(text.length);
  if (!NEEDS_ESCAPING.test(text)) return text;
  // A result that would be too long is not created.
  if (text.length > LONG) claimString(escapedLength(text));
  // The ampersand comes first, because the other replacements contain one.
  const escaped = text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll("'", '&#39;')
    .replaceAll('"', '&#34;');
  scan(text.length * 4);
  claimString(escaped.length);
  return escaped;
}

/** Returns whether a UTF-16 unit is white space in Python. */
export function isSpaceUnit(unit: number): boolean {
  if (unit <= 0x20) return unit === 0x20 || (unit >= 9 && unit <= 13) || (unit >= 0x1c && unit <= 0x1f);
  if (unit < 0x85) return false;
  return ONE_SPACE.test(String.fromCharCode(unit));
}

/** Returns the text without trailing white space. A regular expression would take quadratic time. */
export function trimEnd(text: string): string {
  let end = text.length;
  while (end > 0 && isSpaceUnit(text.charCodeAt(end - 1))) end--;
  return text.slice(0, end);
}

// Python's str.isspace(): JavaScript's \s lacks \x1c-\x1f and \x85, and includes U+FEFF, which Python does
// not.
export const SPACE = '\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';

const ONE_SPACE = new RegExp(`[${SPACE}]`, 'u');
