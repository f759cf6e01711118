import { claimString, spend } from '../budget.ts';
import { namedReferences } from './entities.ts';
import { SPACE } from '../values/text.ts';

/** `html.unescape`: character references replaced by the characters they stand for. */
export function unescapeHtml(text: string): string {
  spend(text.length >>> 2);
  if (!text.includes('&')) return text;
  return text.replace(/&(#\d+;?|#[xX][\da-fA-F]+;?|[^\t\n\f <&#;]{1,32};?)/gu, (whole, reference: string) =>
    reference.startsWith('#') ? numericReference(reference) : (namedReference(reference) ?? whole),
  );
}

/** Windows-1252 characters that old pages reference by these numbers. */
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

function numericReference(reference: string): string {
  const digits = reference.replace(/^#|;$/gu, '');
  const code = /^x/iu.test(digits) ? Number.parseInt(digits.slice(1), 16) : Number.parseInt(digits, 10);
  if (code === 0) return '\ufffd';
  if (code >= 0x80 && code <= 0x9f) return WINDOWS_1252[code - 0x80] ?? '';
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return '\ufffd';
  if (code === 0x0d) return '\r';
  // Characters that HTML forbids are dropped, as in Python.
  if (code === 0xb || (code < 0x20 && ![9, 10, 12].includes(code)) || (code >= 0x7f && code <= 0x9f))
    return '';
  if ((code >= 0xfdd0 && code <= 0xfdef) || (code & 0xfffe) === 0xfffe) return '';
  return String.fromCodePoint(code);
}

function namedReference(name: string): string | undefined {
  const whole = namedReferences().get(name);
  if (whole !== undefined) return whole;
  // Finds the longest prefix that is a reference without a semicolon.
  for (let length = name.length - 1; length > 1; length--) {
    const known = namedReferences().get(name.slice(0, length));
    if (known !== undefined) return known + name.slice(length);
  }
  return undefined;
}

/** `Markup.striptags`: removes comments and tags, collapses white space, and replaces references. */
export function stripTags(text: string): string {
  claimString(text.length);
  spend(text.length >>> 2);
  const withoutTags = removeTags(text);
  return unescapeHtml(
    withoutTags
      .split(new RegExp(`[${SPACE}]+`, 'u'))
      .filter((word) => word !== '')
      .join(' '),
  );
}

/** Removes comments and tags, up to an unclosed one, in one pass over the text. */
function removeTags(text: string): string {
  let result = '';
  let at = 0;
  for (let start = text.indexOf('<'); start !== -1; start = text.indexOf('<', at)) {
    const [close, from] = text.startsWith('<!--', start) ? ['-->', start + 4] : ['>', start];
    const end = text.indexOf(close, from);
    if (end === -1) break;
    result += text.slice(at, start);
    at = end + close.length;
  }
  return result + text.slice(at);
}
