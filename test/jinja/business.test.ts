import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { renderWithPlaten, runOracle } from './oracle.ts';
import type { RenderCase } from './oracle.ts';

/** Templates as businesses write them, all with the same data; recorded from Python's Jinja2. */
interface Fixture {
  context: string;
  templates: Record<string, string>;
  cases: {
    name: string;
    template: string;
    autoescape?: boolean;
    expected?: string;
    expectedError?: string;
  }[];
}

const fixture = JSON.parse(
  readFileSync(join(import.meta.dirname, 'fixtures', 'business.json'), 'utf8'),
) as Fixture;

/** Jinja2 without its sandbox prints `<class 'str'>` here; within it, and with us, it is undefined. */
const SANDBOXED = new Set(['biz::202', 'biz::202::autoescape']);

const recorded = fixture.cases.map(({ name, template, autoescape = false, expected, expectedError }) => {
  const { context, templates } = fixture;
  const testCase: RenderCase = { name, template, context, templates, options: { autoescape } };
  return { name, testCase, expected: expected ?? expectedError };
});

describe('templates as businesses write them', () => {
  test.for(recorded.filter(({ name }) => !SANDBOXED.has(name)))(
    '$name renders to the recorded output',
    ({ testCase, expected }) => {
      const result = renderWithPlaten(testCase);
      expect('output' in result ? result.output : `${result.kind}: ${result.message}`).toBe(expected);
    },
  );

  test('every one renders as with Python, byte for byte', () => {
    const cases = recorded.map(({ testCase }) => testCase);
    const ours = cases.map((testCase) => {
      const { formatted: _, ...result } = renderWithPlaten(testCase);
      return result;
    });
    expect(ours).toEqual(runOracle(cases));
  });
});
