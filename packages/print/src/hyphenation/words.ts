import createHyphenator from 'hyphen';
import { hyphenationOf } from './languages.ts';

/** Longer sequences of letters are not words. */
export const LONGEST_WORD = 100;
const SOFT_HYPHEN = '\u00AD';
const MIN_BEFORE = 2;
const MIN_AFTER = 2;

/**
 * Returns the hyphenation points of words.
 *
 * @param tag of their language (BCP 47)
 * @returns for each divisible word, the numbers of letters before the points; nothing for a language without
 * patterns
 */
export async function divisionsOf(tag: string, words: readonly string[]): Promise<Map<string, number[]>> {
  const found = new Map<string, number[]>();
  const language = hyphenationOf(tag);
  if (language === undefined) return found;
  const [levels, trie, exceptions = {}] = (await language.load()).default;
  // Its cache of words is released with the document.
  const divide = createHyphenator([levels, trie, { ...exceptions }], { html: false, minWordLength: 1 });
  const least = language.least ?? MIN_AFTER;
  for (const word of words) {
    if (word.length > LONGEST_WORD) continue;
    let at = 0;
    const places: number[] = [];
    for (const part of divide(word).split(SOFT_HYPHEN).slice(0, -1)) {
      at += part.length;
      if (at >= MIN_BEFORE && word.length - at >= least) places.push(at);
    }
    if (places.length > 0) found.set(word, places);
  }
  return found;
}
