import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AttackResult } from './attack.worker.ts';
import { ATTACKS } from './attacks.ts';
import type { Attack } from './attacks.ts';

/** What the thread may have; an attack that fills it ends the thread, and the test with it. */
const MEMORY_MB = 400;

let worker: Worker;
let died: Promise<never>;

function attack(attempt: Attack): Promise<AttackResult> {
  const answer = new Promise<AttackResult>((resolve) => worker.once('message', resolve));
  worker.postMessage(attempt, []);
  return Promise.race([answer, died]);
}

describe('attacks', () => {
  beforeAll(() => {
    worker = new Worker(new URL('./attack.worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    });
    died = new Promise((_, reject) => {
      worker.once('error', reject);
    });
    // Only looked at together with an answer that is waited for.
    died.catch(() => undefined);
  });

  afterAll(async () => {
    await worker.terminate();
  });

  test('includes at least 40 attacks', () => {
    expect(ATTACKS.length).toBeGreaterThanOrEqual(40);
  });

  test.for(ATTACKS.map((attempt) => [attempt.name, attempt] as const))(
    '%s ends in an error or gets no access, by what is counted and not by the clock',
    async ([, attempt]) => {
      const result = await attack(attempt);
      const end = 'kind' in result ? result.kind : 'output' in result ? result.output : result.bug;
      expect(attempt.ends === 'harmless' ? [''] : attempt.ends).toContain(end);
      expect('message' in result ? result.message : '').not.toContain('(limit: time)');
    },
  );
});
