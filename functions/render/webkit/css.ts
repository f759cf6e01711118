/** The addresses in a style sheet. */

/**
 * A style sheet is read by its tokens (CSS Syntax 3, 4): comments and strings are passed over, so that what looks like
 * an address in them is none. Groups: the name of an at-rule; the text of an address in one of its writings.
 */
const TOKENS =
  /\/\*[\s\S]*?(?:\*\/|$)|@([-\w]+)|url\(\s*(?:"((?:[^"\\\n]|\\[\s\S])*)"|'((?:[^'\\\n]|\\[\s\S])*)'|((?:[^\s"'()\\]|\\[0-9a-f]{1,6}\s?|\\[\s\S])*))\s*\)|"((?:[^"\\\n]|\\[\s\S])*)"|'((?:[^'\\\n]|\\[\s\S])*)'|([;{}])/gi;

/** What an address is for: it says what is asked for, and how the answer is read. */
export type CssUse = 'style' | 'other';

/**
 * Puts other addresses in place of those in a style sheet; of strings only those that an `@import` loads.
 *
 * @param replace gives null for one that stays
 */
export function replaceInCss(css: string, replace: (address: string, use: CssUse) => string | null): string {
  let importing = false;
  return css.replace(TOKENS, (token: string, ...groups: (string | undefined)[]) => {
    const [rule, quoted, singleQuoted, bare, string, singleString, end] = groups;
    if (rule !== undefined) importing = rule.toLowerCase() === 'import';
    if (end !== undefined) importing = false;
    const address = quoted ?? singleQuoted ?? bare ?? (importing ? (string ?? singleString) : undefined);
    if (address === undefined) return token;
    const replaced = replace(unescape(address), importing ? 'style' : 'other');
    // Only the first address of an `@import` is one: conditions may follow.
    importing = false;
    return replaced === null ? token : `url("${replaced.replace(/["\\\n]/g, encodeURIComponent)}")`;
  });
}

/** CSS Syntax 3, 4.3.7. */
function unescape(text: string): string {
  return text.replace(/\\(?:([0-9a-f]{1,6})\s?|\n|([\s\S]))/gi, (_, hex?: string, character?: string) => {
    if (hex === undefined) return character ?? '';
    const code = Number.parseInt(hex, 16);
    return code === 0 || code > 0x10_ff_ff ? '\ufffd' : String.fromCodePoint(code);
  });
}
