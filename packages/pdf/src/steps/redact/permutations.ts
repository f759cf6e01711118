/** Letters of a word in another order than that of its characters: the order in which some scripts are drawn. */

/** Scripts whose vowels and conjuncts are drawn in another order than that of their characters. */
export const REORDERED =
  /[\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Thai}\p{Script=Lao}\p{Script=Tibetan}\p{Script=Myanmar}\p{Script=Khmer}\p{Script=Limbu}\p{Script=Tai_Tham}\p{Script=Buginese}\p{Script=Balinese}\p{Script=Sundanese}\p{Script=Batak}\p{Script=Lepcha}\p{Script=Syloti_Nagri}\p{Script=Saurashtra}\p{Script=Javanese}\p{Script=Cham}\p{Script=Tai_Viet}\p{Script=Meetei_Mayek}\p{Script=Chakma}]/u; // prettier-ignore
/** Scripts of which only marks are drawn in another order. */
const MARKS_ONLY = /^[\p{Script=Thai}\p{Script=Lao}]/u;
/** Number of units by which a letter may be drawn before or after its place: a syllable with conjuncts, or two marks. */
const [MOVED, MOVED_MARKS] = [8, 2];

/** The places of all sequences of the units of a word, in any order. */
export function permutations(text: string, word: string): number[] {
  const missing = new Map<string, number>();
  for (const unit of word.split('')) missing.set(unit, (missing.get(unit) ?? 0) + 1);
  let unequal = missing.size;
  const change = (unit: string | undefined, by: number): void => {
    if (unit === undefined) return;
    const count = missing.get(unit);
    if (count === undefined) return;
    missing.set(unit, count + by);
    if (count === 0) unequal++;
    else if (count + by === 0) unequal--;
  };
  const starts: number[] = [];
  for (let end = 0; end < text.length; end++) {
    change(text[end], -1);
    const start = end - word.length + 1;
    if (start > 0) change(text[start - 1], 1);
    // A sequence with other units lacks some of the word.
    if (start >= 0 && unequal === 0) starts.push(start);
  }
  return starts;
}

/** Returns whether each letter of a word is near its place in a permutation of them. */
export function isNear(word: string, permutation: string): boolean {
  const places = new Map<string, number[]>();
  for (let at = permutation.length - 1; at >= 0; at--) {
    const unit = permutation.charAt(at);
    const known = places.get(unit);
    if (known === undefined) places.set(unit, [at]);
    else known.push(at);
  }
  return word.split('').every((unit, at) => {
    const most = MARKS_ONLY.test(unit) ? MOVED_MARKS : MOVED;
    return Math.abs((places.get(unit)?.pop() ?? at) - at) <= most;
  });
}
