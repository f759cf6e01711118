import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { withRepair } from '../../packages/pdf/src/operations/repair.ts';
import { PlatenError } from '../../packages/core/src/errors.ts';
import { runTask } from '../../packages/pdf/src/thread.ts';

const TEST_WORKER = new URL('./greedy.worker.ts', import.meta.url);

describe('work in a thread', () => {
  it('ends with its own error if its buffers grow past the limit, and others continue', async () => {
    const limits = { memory: 64 << 20, timeout: 60_000 };
    const before = process.memoryUsage.rss();
    await expect(runTask(TEST_WORKER, 'buffers', { megabytes: 1_000 }, { limits })).rejects.toMatchObject({
      code: 'pdf_too_complex',
    });
    expect(process.memoryUsage.rss() - before).toBeLessThan(600 << 20);
    expect(await runTask(TEST_WORKER, 'buffers', { megabytes: 40 }, { limits })).toBe(10);
  });

  it('sees no variable of the process but the place of compiled code', async () => {
    // A limit that no thread has yet: one that waits has the variables with which it was started.
    const limits = { memory: 65 << 20 };
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await runTask(TEST_WORKER, 'variables', {}, { limits })).toEqual({
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
    });
  });

  it('shares one timeout with the rest of its request', async () => {
    const spent = { milliseconds: 0 };
    const options = { limits: { timeout: 60_000 }, spent };
    expect(await runTask(TEST_WORKER, 'sleep', { milliseconds: 50 }, options)).toBe('slept');
    expect(spent.milliseconds).toBeGreaterThanOrEqual(49);
    spent.milliseconds = 59_999;
    await expect(runTask(TEST_WORKER, 'sleep', { milliseconds: 20_000 }, options)).rejects.toMatchObject({
      code: 'deadline_exceeded',
      message: 'The PDF took longer than 60 seconds.',
    });
  });

  it('gives the repair of a document no more time than the request has left', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'platen-test-limits-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'a.pdf');
    writeFileSync(path, '%PDF-1.7\n1 0 obj\n<< >>\nendobj\n');
    const options = { limits: { timeout: 60_000 }, spent: { milliseconds: 59_999 } };
    const work = (): Promise<never> => Promise.reject(new PlatenError('pdf_damaged', 'damaged'));
    await expect(withRepair([{ path }], folder, options, work)).rejects.toMatchObject({
      code: 'deadline_exceeded',
    });
  });
});
