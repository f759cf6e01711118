import { expect, it } from 'vitest';
import { orderFaults } from '../../../packages/pdf/src/steps/order.ts';
import { STEP_NAMES, type StepName } from '../../../packages/pdf/src/steps/types.ts';

/** Which orders of steps can be (I-46). */

const faults = (names: readonly StepName[]): [number, string][] =>
  orderFaults(names).map(({ step, message }) => [step, message]);

it.each([
  ['merge', 'pages', 'rotate', 'stamp', 'compress', 'encrypt'],
  ['decrypt', 'rotate', 'merge', 'pages', 'watermark', 'linearize', 'encrypt'],
  ['pages', 'pages', 'stamp', 'stamp', 'rotate', 'rotate', 'compress'],
  ['fill', 'flatten', 'redact', 'metadata', 'conform', 'factur_x', 'sign', 'sign'],
  ['conform', 'linearize'],
  ['encrypt', 'linearize'],
] as const)('%s, %s … can be', (...names) => {
  expect(faults(names)).toEqual([]);
});

it.each<[StepName[], number[], RegExp]>([
  [
    ['merge', 'pages', 'sign', 'compress'],
    [3, 2],
    /^before `sign` \(steps\[2\]\): .* would break the signature$/,
  ],
  [['conform', 'encrypt'], [1], /^left out: it excludes `conform` \(steps\[0\]\), since PDF\/A forbids/],
  [['encrypt', 'conform'], [1], /PDF\/A forbids encryption/],
  [['merge', 'rotate', 'merge'], [2], /^left out: `merge` may occur only once \(steps\[0\]\)/],
  [['encrypt', 'stamp'], [1, 0], /an encrypted file is finished/],
  [['linearize', 'compress'], [1, 0], /would undo it/],
  [['linearize', 'sign'], [1], /a signature is appended/],
  [['rotate', 'decrypt'], [1], /^the first step/],
  [['flatten', 'fill'], [1], /^before `flatten` \(steps\[0\]\), after which there are no fields/],
  [['conform', 'stamp'], [1, 0], /could break the conformance/],
])('%s cannot be, and the places are named', (names, places, why) => {
  const found = faults(names);
  expect(found.map(([place]) => place)).toEqual(places);
  expect(found[0]?.[1]).toMatch(why);
});

it('any one step alone can be', () => {
  for (const name of STEP_NAMES) expect(faults([name])).toEqual([]);
});
