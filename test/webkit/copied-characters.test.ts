import { expect, it } from 'vitest';
import { withMeantCharacters } from '../../packages/print/src/webkit/engine/copied-characters.ts';

/** Characters of text that is copied from PDFs of WebKit (ISO 32000-1, 9.10.3). */

it.each([
  ['a letter', '<0132> <FED3>', '<0132> <0641>'],
  ['letters of a range, each with its own', '<029A> <029C> <FEDE>', '<029A> <029C> [<0644> <0644> <0644>]'],
  ['the last of a range', '<0001> <0002> <2E80>', '<0001> <0002> [<2E80> <5382>]'],
  ['a radical', '<0005> <2F47>', '<0005> <65E5>'],
  ['a joined fi', '<0005> <F001>', '<0005> <00660069>'],
  ['no other range', '<0005> <0009> <0041>', '<0005> <0009> <0041>'],
])('what is not meant is replaced: %s', (_, line, meant) => {
  const cmap = (lines: string): string =>
    `1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n${lines}\nend\n`;
  expect(withMeantCharacters(cmap(line), 'the text')).toBe(cmap(meant));
});

it('a form that the document has is meant', () => {
  expect(withMeantCharacters('<0132> <FED3>', '\ufed3')).toBe('<0132> <FED3>');
});
