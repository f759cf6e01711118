/** Returns whether a text may contain styles that ask for hyphenation. */
export function mayHyphenate(text: string): boolean {
  return /hyphens\s*:\s*auto/i.test(text);
}
