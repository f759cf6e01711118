import { expect, it } from 'vitest';
import { compare } from './differences.ts';

// I-41: more of it is `npm run verify:locale`.
it('the filters write what Babel writes, in 67 locales, but for what the documentation lists', () => {
  const { compared, differences } = compare(41, 2);
  expect(differences).toEqual([]);
  expect(compared).toBeGreaterThan(1000);
});
