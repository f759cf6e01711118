import { expect, it } from 'vitest';
import type { Job } from '@platen/client';
import { limitsOf, withAnswer } from '../../packages/studio/src/api/limits.ts';
import { operationOf } from '../../packages/studio/src/ui/operation.ts';
import { bytesOf, jobsByDay, jobsByOperation } from '../../packages/studio/src/screens/usage-counts.ts';

/** What the Studio's usage is counted from. */

const job = (created: Date, fields: Partial<Job> = {}): Job => ({
  ...{ id: 'j', operation: 'mergePdfs', state: 'succeeded', created: created.toISOString() },
  ...{ started: null, finished: null, expires: '', total: 1, done: 1, failed: 0 },
  ...{ template_id: null, by: null, errors: [], problem: null, result: null, callback: null },
  ...fields,
});

it('takes jobs of a day together, with the days in between, across the end of a month', () => {
  const at = (month: number, day: number, hour = 12): Date => new Date(2026, month - 1, day, hour);
  const jobs = [
    job(at(3, 2, 0)),
    job(at(3, 2, 23), { done: 40, failed: 2 }),
    job(at(2, 27), { state: 'failed', done: 0 }),
  ];
  expect(jobsByDay(jobs, at(3, 2, 23))).toEqual([
    { name: '2026-03-02', jobs: 2, done: 41, failed: 2 },
    { name: '2026-03-01', jobs: 0, done: 0, failed: 0 },
    { name: '2026-02-28', jobs: 0, done: 0, failed: 0 },
    { name: '2026-02-27', jobs: 1, done: 0, failed: 1 },
  ]);
  expect(jobsByDay([], at(3, 2))).toEqual([]);
});

it('has the newest day of a job where the clock of the service is ahead', () => {
  const days = jobsByDay([job(new Date(2026, 2, 3))], new Date(2026, 2, 2, 23));
  expect(days).toEqual([{ name: '2026-03-03', jobs: 1, done: 1, failed: 0 }]);
});

it('takes jobs of an operation together, those with the most documents first', () => {
  const now = new Date();
  const jobs = [job(now), job(now), job(now, { operation: 'renderTemplateBatch', done: 5, failed: 1 })];
  expect(jobsByOperation(jobs)).toEqual([
    { name: 'renderTemplateBatch', jobs: 1, done: 5, failed: 1 },
    { name: 'mergePdfs', jobs: 2, done: 2, failed: 0 },
  ]);
});

it.each([
  ['renderTemplateBatch', 'Render template batch'],
  ['mergePdfs', 'Merge PDFs'],
  ['splitPdfToZip', 'Split PDF to ZIP'],
])('calls the operation %s %s', (operation, words) => {
  expect(operationOf(operation)).toBe(words);
});

it('adds up bytes of fonts and partials', () => {
  expect(bytesOf([{ bytes: 3 }, { bytes: 4 }])).toBe(7);
});

it('reads the remaining requests of a token', () => {
  const headers = new Headers({
    'RateLimit-Policy': '"minute";q=60;w=60, "month";q=10000;w=2592000',
    RateLimit: '"minute";r=59;t=31, "month";r=9312;t=518420',
  });
  expect(limitsOf(headers, 1_000)).toEqual([
    { name: 'minute', allowed: 60, left: 59, resets: 32_000 },
    { name: 'month', allowed: 10_000, left: 9312, resets: 518_421_000 },
  ]);
  expect(limitsOf(new Headers(), 0)).toBeNull();
});

it('keeps the lowest number of requests left until the window ends', () => {
  const limit = (left: number, resets = 60_000) => [{ name: 'minute', allowed: 60, left, resets }];
  expect(withAnswer([], limit(59), 0)).toEqual(limit(59));
  expect(withAnswer(limit(57), limit(58), 1)).toEqual(limit(57));
  expect(withAnswer(limit(57), limit(56), 1)).toEqual(limit(56));
  expect(withAnswer(limit(57), limit(59, 120_000), 60_000)).toEqual(limit(59, 120_000));
  expect(withAnswer(limit(57), null, 1)).toEqual(limit(57));
});
