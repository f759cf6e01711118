import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { oraclePresent, renderOurs, runOracle } from './oracle.ts';
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

const cases = fixture.cases.map(({ name, template, autoescape = false }): RenderCase => {
  return { name, template, context: fixture.context, templates: fixture.templates, options: { autoescape } };
});

describe('templates as businesses write them', () => {
  const recorded = fixture.cases.map((recordedCase, i) => ({
    ...recordedCase,
    case: cases[i] as RenderCase,
  }));

  test.for(recorded.filter(({ name }) => !SANDBOXED.has(name)))(
    '$name renders as it was recorded',
    (recordedCase) => {
      const result = renderOurs(recordedCase.case);
      if ('output' in result) expect(result.output).toBe(recordedCase.expected);
      else expect(`${result.kind}: ${result.message}`).toBe(recordedCase.expectedError);
    },
  );

  test.skipIf(!oraclePresent())('every one renders as with Python, byte for byte', () => {
    const theirs = runOracle(cases);
    const ours = cases.map((testCase) => {
      const { formatted: _, ...result } = renderOurs(testCase) as ReturnType<typeof renderOurs> & {
        formatted?: string;
      };
      return result;
    });
    expect(ours).toEqual(theirs);
  });
});
