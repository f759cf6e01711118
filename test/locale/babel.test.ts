import { expect, it } from 'vitest';
import { compare } from './differences.ts';

// I-41: more of it is `npm run verify -- locale`.
it('the filters equal Babel in 67 locales, except for the documented differences', () => {
  const { compared, differences } = compare(41, 2);
  expect(differences).toEqual([]);
  expect(compared).toBeGreaterThan(1000);
});
