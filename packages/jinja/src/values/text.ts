import { claimList, claimString, scan } from '../budget.ts';

/** True if every character is one UTF-16 unit, so that indices are code points. */
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

/** How many characters a text has as Python counts them. */
export function textLength(text: string): number {
  if (isPlain(text)) return text.length;
  let count = text.length;
  for (let i = 1; i < text.length; i++) {
    const isLow = (text.charCodeAt(i) & 0xfc00) === 0xdc00;
    // A pair of surrogates is one character; a surrogate on its own is one, too.
    if (isLow && (text.charCodeAt(i - 1) & 0xfc00) === 0xd800) count--;
  }
  return count;
}

const NEEDS_ESCAPING = /[&<>'"]/u;

/** From here on it pays to count before replacing. */
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

/** The text with the five characters of HTML that matter replaced. */
export function escapeHtml(text: string): string {
  scan(text.length);
  if (!NEEDS_ESCAPING.test(text)) return text;
  // What would become too long is not made first.
  if (text.length > LONG) claimString(escapedLength(text));
  // The ampersand first: the others are replaced by texts that have one.
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

/** Whether a UTF-16 unit is white space to Python. */
export function isSpaceUnit(unit: number): boolean {
  if (unit <= 0x20) return unit === 0x20 || (unit >= 9 && unit <= 13) || (unit >= 0x1c && unit <= 0x1f);
  if (unit < 0x85) return false;
  return ONE_SPACE.test(String.fromCharCode(unit));
}

/** The text without white space at its end. A regular expression would take time that grows with the square. */
export function trimEnd(text: string): string {
  let end = text.length;
  while (end > 0 && isSpaceUnit(text.charCodeAt(end - 1))) end--;
  return text.slice(0, end);
}

// Python's str.isspace(): JavaScript's \s lacks \x1c-\x1f and \x85, and has U+FEFF, which Python does not count.
export const SPACE = '\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';

const ONE_SPACE = new RegExp(`[${SPACE}]`, 'u');
