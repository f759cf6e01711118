import { claimList, claimString } from '../budget.ts';
import { Markup } from './types.ts';

/** True if every character is one UTF-16 unit, so that indices are code points. */
export function isPlain(text: string): boolean {
  // Without the `u` flag the class matches the units of a surrogate pair.
  return !/[\ud800-\udfff]/.test(text);
}

/** The characters of a text as Python counts them. */
export function codePoints(text: string): string[] {
  claimList(text.length);
  return Array.from(text);
}

/** Characters `start` to `end` (code points, both within the text). */
export function sliceText(text: string, start: number, end: number): string {
  return isPlain(text) ? text.slice(start, end) : codePoints(text).slice(start, end).join('');
}

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  "'": '&#39;',
  '"': '&#34;',
};

/** The text with the five characters of HTML that matter replaced. */
export function escapeHtml(text: string): string {
  if (!/[&<>'"]/u.test(text)) return text;
  const escaped = text.replace(/[&<>'"]/gu, (char) => ESCAPES[char] ?? char);
  claimString(escaped.length);
  return escaped;
}

/** `Markup.escape` of a text. */
export function escapeText(text: string): Markup {
  return new Markup(escapeHtml(text));
}

// Python's str.isspace(): JavaScript's \s lacks \x1c-\x1f and \x85, and has U+FEFF, which Python does not count.
export const SPACE = '\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';
