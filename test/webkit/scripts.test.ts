import { expect, it } from 'vitest';
import { scriptDocuments } from '../print/scripts.ts';
import { expectSteady } from '../print/steadiness.ts';
import { startWebKit } from './engine.ts';

it(
  'what WebKit printed before changes no pixel of what it prints after it',
  { timeout: 240_000 },
  async () => {
    const seen = await expectSteady(() => startWebKit(), [4, 5]);
    expect(seen.size).toBe(scriptDocuments().length);
  },
);
