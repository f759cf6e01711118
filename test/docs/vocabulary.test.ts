import { expect, it } from 'vitest';
import { faultsIn, vocabularyFaults } from '../../bin/vocabulary.ts';

/** Texts for users have the usual words (docs/contributing/style.md). `npm run check` holds the same. */

it('no text for users has a word of the list', () => {
  expect(vocabularyFaults(process.cwd())).toEqual([]);
});

it('a word of the list is found with its line and the usual word, and code is left alone', () => {
  const page = 'Try it.\n```sh\necho anew\n```\nTry it anew, `anew`.\n';
  expect(faultsIn('page.md', page)).toEqual(['page.md:5: “anew”: again']);
});
