/**
 * Renders random templates with Python's Jinja2 and with ours, and prints where they differ. No template may change an
 * intrinsic, although they are not frozen here. Exits with 1 if there is a difference.
 *
 *   npm run fuzz -- jinja [count] [first seed]
 */
import { changedIntrinsics, intrinsicsNow } from '../support/intrinsics.ts';
import { renderWithPlaten, runOracle } from './oracle.ts';
import type { RenderResult } from './oracle.ts';
import { expectedDifference } from './known-differences.ts';
import { randomCase } from './random/templates.ts';

const [count = 5000, first = Math.floor(Math.random() * 2 ** 31)] = process.argv.slice(2).map(Number);
const BATCH = 1000;

/** Lines of errors are left out: an expression over several lines is placed more exactly here than there. */
function shown(result: RenderResult): string {
  return 'output' in result ? `output ${JSON.stringify(result.output)}` : `${result.kind}: ${result.message}`;
}

const intrinsics = intrinsicsNow();
let differences = 0;
let excused = 0;
let failed = 0;
for (let start = 0; start < count; start += BATCH) {
  const cases = Array.from({ length: Math.min(BATCH, count - start) }, (_, i) =>
    randomCase(first + start + i),
  );
  const theirs = runOracle(cases);
  for (const [i, testCase] of cases.entries()) {
    const [ours, python] = [renderWithPlaten(testCase), theirs[i]];
    if (python === undefined) throw new Error('the oracle left a case out');
    if ('kind' in python) failed++;
    if (shown(ours) === shown(python)) continue;
    if (expectedDifference(testCase, ours, python) !== undefined) {
      excused++;
      continue;
    }
    differences++;
    console.log(`${testCase.name} ${JSON.stringify(testCase.options)}\n${testCase.template}`);
    for (const [name, text] of Object.entries(testCase.templates ?? {})) console.log(`--- ${name}: ${text}`);
    console.log(`--- ${testCase.context}\n  ours   ${shown(ours)}\n  theirs ${shown(python)}\n`);
  }
}
console.log(
  `${count} templates from seed ${first} (${failed} of them errors): ${differences} differences, ${excused} of known kinds`,
);
const changed = changedIntrinsics(intrinsics);
if (changed.length > 0) console.log(`changed intrinsics: ${changed.join(', ')}`);
process.exitCode = differences > 0 || changed.length > 0 ? 1 : 0;
