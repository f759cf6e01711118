import type { RenderCase, RenderResult } from './oracle.ts';

/** Differences that docs/compatibility.md lists: what tells one, and which it is. */
const KNOWN: readonly [
  reason: string,
  applies: (testCase: RenderCase, ours: string, theirs: string) => boolean,
][] = [
  ['limits', (_, ours) => ours.startsWith('BudgetError: ')],
  ['classes of translations', (_, ours, theirs) => ours === theirs.replace('NullTranslations.', '')],
  // Jinja2 writes constants that it knows while compiling as Python does, which has no literal for these.
  [
    'infinite constants',
    (_, _ours, theirs) => /^NameError: name '(?:inf|nan)' is not defined$/u.test(theirs),
  ],
  [
    'strict undefined values in constants are refused while compiling',
    ({ options }, _, theirs) =>
      options?.undefined === 'strict' &&
      /^UndefinedError: (?:\w+ object has no element|'\w+ object' has no attribute)/u.test(theirs),
  ],
];

function textOf(result: RenderResult): string {
  return 'output' in result ? result.output : `${result.kind}: ${result.message}`;
}

/** The reason why two results may differ, if that is a known one. */
export function expectedDifference(
  testCase: RenderCase,
  ours: RenderResult,
  theirs: RenderResult,
): string | undefined {
  return KNOWN.find(([, applies]) => applies(testCase, textOf(ours), textOf(theirs)))?.[0];
}
