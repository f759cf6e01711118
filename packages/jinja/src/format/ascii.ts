/** Everything beyond ASCII as an escape, as in Python's `ascii()`. */
export function ascii(text: string): string {
  return text.replace(/[^\0-\x7f]/gu, (char) => escapeCode(char.codePointAt(0) ?? 0));
}

/** `\xe9`, `\u20ac` or `\U0001f600`, whichever is the shortest. */
export function escapeCode(code: number): string {
  if (code <= 0xff) return `\\x${code.toString(16).padStart(2, '0')}`;
  if (code <= 0xffff) return `\\u${code.toString(16).padStart(4, '0')}`;
  return `\\U${code.toString(16).padStart(8, '0')}`;
}
