import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { growthOf } from './expressions/ambiguity.ts';

/** What the rule `platen/linear-expression` of the linter reports (expressions/plugin.ts). */

/** Expressions that stood in the code once: 221 and 101 characters kept a function busy for as long as they liked. */
const ENDLESS = [
  String.raw`^\ufeff?(?:\s|<!--.*?-->|<\?[^>]*>)*<!doctype[^>]*>`,
  String.raw`\/\*[\s\S]*?(?:\*\/|$)|@([-\w]+)|url\(\s*(?:"((?:[^"\\\n]|\\[\s\S])*)"|'((?:[^'\\\n]|\\[\s\S])*)'|((?:[^\s"'()\\]|\\[0-9a-f]{1,6}\s?|\\[\s\S])*))\s*\)|"((?:[^"\\\n]|\\[\s\S])*)"|'((?:[^'\\\n]|\\[\s\S])*)'|([;{}])`,
];

it.each([...ENDLESS, '(a*)*b', '(a|a)*b', '(?:a|b|ab)*c', '(x+x+)+y', String.raw`^(?:\w+\s?)*$`])(
  'an expression with exponential time is found: %s',
  (source) => expect(growthOf(source, 'is', !source.startsWith('^'))).toBe('exponential'),
);

it.each([
  [String.raw`\s+$`, true],
  ['<!--[^]*?-->', true],
  [String.raw`^\s*(?:(\d+)|(\d*)\s*-\s*(\d*))\s*$`, false],
  [String.raw`\[[^\]]*\]`, true],
  ['a*a*b', false],
  // Of many states, as they come from a list of words.
  [`${Array.from({ length: 60 }, (_, n) => `x${n}y`).join('|')}|vnd\\.[\\w.-]+:`, true],
])('an expression with quadratic time is found: %s', (source, isSearch) =>
  expect(growthOf(source, '', isSearch)).toBe('polynomial'),
);

it.each([
  [String.raw`\s+`, true],
  [String.raw`(?<!\s)\s+$`, true],
  [String.raw`^\d+(?:\.\d+)?$`, false],
  [String.raw`\[[^\][]*\]`, true],
  ['(?:ab|cd)*$', false],
  [String.raw`"(?:[^"\\]|\\.)*"`, false],
  ['x{0,500}y', false],
])('an expression with linear time is accepted: %s', (source, isSearch) =>
  expect(growthOf(source, '', isSearch)).toBeNull(),
);

it('no file disables the rule for linear expressions', () => {
  const files = globSync('{functions,cli,local,bin}/**/*.ts');
  expect(files.length).toBeGreaterThan(0);
  const excused = files.filter((file) =>
    /oxlint-disable.*linear-expression/.test(readFileSync(file, 'utf8')),
  );
  expect(excused).toEqual([]);
});
