import { expect, it } from 'vitest';
import { Findings } from '../../packages/jinja/src/findings.ts';

/** What a rendering notices: the work does not grow with the passes of a loop. */

it('a use in a loop is located once, and listed once for each name in a line', () => {
  const findings = new Findings(['<b']);
  let located = 0;
  const template = {
    locate: (offset: number) => {
      located += 1;
      return { file: 'template', line: 1 + Math.floor(offset / 10), column: 1, source: '' };
    },
  };
  for (let pass = 0; pass < 1000; pass += 1) {
    for (const offset of [3, 7, 13]) {
      findings.addUndefined('a.b', 'b', { template, offset }, () => ['c']);
      findings.print('x <b>', 'a.d', () => ({ template, offset }));
    }
  }
  expect(located).toBe(6);
  expect(findings.undefinedUses.map(({ name, location, known }) => [name, location.line, known])).toEqual([
    ['a.b', 1, ['c']],
    ['a.b', 2, ['c']],
  ]);
  expect(findings.markupUses.map(({ name, tag, location }) => [name, tag, location.line])).toEqual([
    ['a.d', '<b', 1],
    ['a.d', '<b', 2],
  ]);
});
