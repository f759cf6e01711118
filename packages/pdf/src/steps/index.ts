import { workerUrl } from '@platen/core/worker';
import { compilePdfium } from '../pdfium/binary.ts';
import { type CallOptions, runTask } from '../thread.ts';
import type { StepsDone, StepsTask } from './run.ts';

export type { Step, StepName, StepOptions } from './types.ts';
export type { StepsDone, StepsTask };

const ENTRY = workerUrl(import.meta.url, 'steps.worker');

/**
 * Carries out a chain of steps on PDFs (I-46). Their order has been looked at (`orderFaults`).
 *
 * @throws PlatenError `pdf_signed`; `page_range_invalid`, `page_range_outside_document`; those of the engine, naming the
 *   input at fault
 */
export async function processPdfs(
  task: Omit<StepsTask, 'now' | 'pdfium'>,
  options: CallOptions = {},
): Promise<StepsDone> {
  const now = `${new Date().toISOString().slice(0, 19)}Z`;
  const needsPdfium = task.steps.some(({ name }) => name === 'redact');
  const pdfium = needsPdfium ? await compilePdfium() : undefined;
  return (await runTask(ENTRY, 'runSteps', { ...task, now, pdfium }, options)) as StepsDone;
}
