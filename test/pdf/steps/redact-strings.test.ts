import { describe, expect, it } from 'vitest';
import { WordFinder } from '../../../packages/pdf/src/steps/redact/words.ts';

/** Words in long strings of a document, which are searched in sections of 65,536 units. */

const SECTION = 65_536;

describe('a word in a long string', () => {
  it.each([
    ['secret', 'secret'],
    ['Se\u00adcret with soft hyphens', 'Se\u00adcret'],
    ['letters apart', 's e c r e t'],
    ['many blanks between the letters', [...'secret'].join(' '.repeat(500))],
    ['many joiners between the letters', [...'secret'].join('\u200d'.repeat(5000))],
  ])('is found wherever a section ends: %s', (_, word) => {
    const finder = new WordFinder(['secret', 'other words']);
    for (const shift of [-1, 0, 1, 3, 5, 6, 7, word.length - 1, word.length, word.length + 1]) {
      const text = `${'x'.repeat(SECTION - shift)}${word}${'y '.repeat(SECTION)}`;
      expect(finder.isIn(text)).toBe(true);
      const masked = finder.masked(text, '#');
      expect(masked).toBe(text.replace(word, '#'.repeat(word.length)));
    }
  });

  it('is masked once for each character, also of two units, and the text between stays', () => {
    const finder = new WordFinder(['😀b', 'zz']);
    const text = `${'a'.repeat(SECTION - 1)}😀B${'😀'.repeat(SECTION)}zz${'ü'.repeat(10)}`;
    const masked = finder.masked(text, '█');
    expect(masked).toBe(text.replace('😀B', '██').replace('zz', '██'));
  });

  it('of one letter is masked in 10 million of them in bounded memory', { timeout: 30_000 }, () => {
    const text = 'ab'.repeat(2_000_000);
    expect(new WordFinder(['a']).masked(text, '#')).toBe('#b'.repeat(2_000_000));
  });
});
