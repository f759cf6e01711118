import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Transferable } from 'node:worker_threads';
import { storageFault } from '@platen/core/errors';
import { runThread, type ThreadLimits, withCore } from '@platen/core/thread';
import { compileQpdf } from './files/qpdf.ts';

/**
 * Work on PDFs runs in threads, one task at a time; a thread whose task failed is terminated
 * (@platen/core/thread).
 */

export type PdfLimits = ThreadLimits;

export const DEFAULT_LIMITS: PdfLimits = { timeout: 60_000, page: 30_000, memory: 768 * 2 ** 20 };

export interface CallOptions {
  limits?: Partial<Pick<PdfLimits, 'timeout' | 'page' | 'memory'>>;
  /** Elapsed milliseconds; tasks with the same object share one timeout. */
  spent?: { milliseconds: number };
  /** Cancels the work with its request. */
  signal?: AbortSignal;
  /** The buffers of the input that are transferred to the thread. */
  transfer?: readonly Transferable[];
}

/** The input of a task. */
export interface PdfTask {
  binary: WebAssembly.Module;
  /** A directory for this call only, which is removed when the call ends. */
  scratch: string;
  input: unknown;
}

/** A worker module, with the names of its tasks in its type. */
export type TaskEntry<Name extends string> = URL & { readonly tasks?: Name };

/**
 * Runs one task in a worker thread.
 *
 * @param entry from `workerUrl`; the module calls `serveTask` (worker-side.ts)
 * @throws PlatenError the errors of the task; `deadline_exceeded`; `pdf_too_complex` if memory is exhausted;
 * `storage_unavailable`.
 */
export async function runTask<Name extends string>(
  entry: TaskEntry<Name>,
  task: NoInfer<Name>,
  input: unknown,
  options: CallOptions = {},
): Promise<unknown> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  return await withCore(options.signal, async () => {
    const started = performance.now();
    let scratch: string | undefined;
    try {
      scratch = await mkdtemp(join(tmpdir(), 'platen-pdf-'));
      const work: PdfTask = { binary: await compileQpdf(), scratch, input };
      return await runThread({
        entry,
        task,
        input: work,
        transfer: options.transfer,
        // For WebAssembly, objects and buffers together.
        limits: { ...limits, growth: 2 * limits.memory },
        spent: options.spent?.milliseconds,
        signal: options.signal,
        subject: 'The PDF',
        tooLarge: 'pdf_too_complex',
        keep: 'after success',
      });
    } catch (error) {
      throw storageFault(error) ?? error;
    } finally {
      if (options.spent !== undefined) options.spent.milliseconds += performance.now() - started;
      if (scratch !== undefined) await rm(scratch, { recursive: true, force: true });
    }
  });
}
