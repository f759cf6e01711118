import { expect, it } from 'vitest';
import { testedDocuments } from '../print/scripts.ts';
import { expectSteady } from '../print/steadiness.ts';
import { startWebKit } from './engine.ts';

it('earlier documents change no pixel of a later one', { timeout: 240_000 }, async () => {
  const seen = await expectSteady(() => startWebKit(), [4, 5]);
  expect(seen.size).toBe(testedDocuments().length);
});
