const NUMERALS = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
] as const;

/** Returns a positive integer in lower-case Roman numerals; thousands repeat the `m`. */
export function roman(number: number): string {
  let [left, text] = [number, ''];
  for (const [value, digits] of NUMERALS) {
    text += digits.repeat(Math.floor(left / value));
    left %= value;
  }
  return text;
}
