import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readCases } from './case-file.ts';
import { renderWithPlaten, runOracle, hasSameErrorMessages } from './oracle.ts';

const cases = readCases(join(import.meta.dirname, 'cases'));

describe('cases', () => {
  test('includes at least 400 cases', () => {
    expect(cases.length).toBeGreaterThan(400);
  });

  test.for(cases.map((file) => [file.case.name, file] as const))('%s', ([, file]) => {
    const result = renderWithPlaten(file.case);
    expect('output' in result ? { output: result.output } : { error: result.formatted }).toEqual(
      file.expected,
    );
  });

  test('Python renders every one to the same text, or fails with the same words', () => {
    const wordsErrors = hasSameErrorMessages();
    const same = cases.filter(
      (file) => file.differs === undefined && (wordsErrors || 'output' in renderWithPlaten(file.case)),
    );
    expect(same.length).toBeGreaterThan(600);
    const ours = same.map((file) => {
      const { formatted: _, ...result } = renderWithPlaten(file.case);
      return { name: file.case.name, ...result };
    });
    const theirs = runOracle(same.map((file) => file.case));
    expect(ours).toEqual(same.map((file, i) => ({ name: file.case.name, ...theirs[i] })));
  });
});
