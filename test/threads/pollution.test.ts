import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { type AttackOutcome, ATTACKS } from './pollution.ts';

/** Nothing that one tenant sends changes an object that the documents of other tenants use. */

async function answerOf(entry: string, workerData: unknown = null): Promise<unknown> {
  const worker = new Worker(new URL(entry, import.meta.url), { workerData });
  const [answer] = (await once(worker, 'message')) as [unknown];
  await worker.terminate();
  return answer;
}

describe('names that every object inherits, in data, templates and options', () => {
  it('change no intrinsic, and no document of another tenant', async () => {
    const outcomes = (await answerOf('./pollution.worker.ts', ATTACKS)) as AttackOutcome[];
    expect(outcomes).toHaveLength(ATTACKS.length);
    const harmful = outcomes.filter(({ changed, isOtherSame }) => changed.length > 0 || !isOtherSame);
    expect(harmful).toEqual([]);
  });
});

describe('a thread with frozen intrinsics', () => {
  it('refuses to change them, and lets objects have members of the same names', async () => {
    expect(await answerOf('./frozen.worker.ts')).toEqual({
      'a name of the data as a key of an object': [['__proto__'], undefined],
      'a copy of the data': undefined,
      'a property of a constructor': 'TypeError',
      'a new property of Object.prototype': 'TypeError',
      'a method of Array.prototype': 'TypeError',
      'a method of Object.prototype': 'TypeError',
      'a property of a method': 'TypeError',
      'an inherited method on an object': 'a shape',
      'the length of an object that inherits from arrays': 2,
      'the name of an error': 'Mine: x',
      'the message of an error': 'y',
      'stack traces': 'prepared',
    });
  });
});
