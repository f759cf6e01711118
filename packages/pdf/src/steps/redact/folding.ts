/** Characters that readers regard as the same, or do not see. */

/** Invisible characters, and those that only stretch words: soft hyphens, joiners, direction marks, kashidas. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}|\u0640/gu;
/** Vowel signs of scripts that run from right to left, which may be drawn before or after their letters. */
const SIGNS = /[\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0711\u0730-\u074a\u07a6-\u07b0\u07eb-\u07f3\u0816-\u082d\u08ca-\u08ff\ufb1e\u{1e944}-\u{1e94a}]/gu; // prettier-ignore
const DASHES = /[\p{Pd}\u2212]/gu;
const SINGLE_QUOTES = /[\u2018-\u201b\u02bc\u2032\u05f3`]/gu;
const DOUBLE_QUOTES = /[\u201c-\u201f\u2033\u05f4]/gu;
/** Programs write either one of a pair in text from right to left. */
const CLOSING: Readonly<Record<string, string>> = {
  ')': '(',
  ']': '[',
  '}': '{',
  '>': '<',
  '»': '«',
  '›': '‹',
};

/** A text without differences that readers do not see; equal texts have the same form. */
export function folded(text: string): string {
  // Most texts are single letters of ASCII.
  return (text.length === 1 ? ASCII[text.charCodeAt(0)] : undefined) ?? foldingOf(text);
}

function foldingOf(text: string): string {
  // Upper case first, because several lower-case letters may have the same one.
  return text
    .normalize('NFKD')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll('ς', 'σ')
    .replaceAll('i\u0307', 'i')
    .replace(INVISIBLE, '')
    .replace(SIGNS, '')
    .replace(DASHES, '-')
    .replace(SINGLE_QUOTES, "'")
    .replace(DOUBLE_QUOTES, '"')
    .replace(/[)\]}>»›]/gu, (char) => CLOSING[char] ?? char);
}

const ASCII: readonly string[] = Array.from({ length: 128 }, (_, code) =>
  foldingOf(String.fromCharCode(code)),
);
