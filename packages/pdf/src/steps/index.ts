import { workerUrl } from '@platen/core/worker';
import { compilePdfium } from '../pdfium/binary.ts';
import { type CallOptions, runTask, type TaskEntry } from '../thread.ts';
import { openPrintServer, type PrintHtml } from './html-printing.ts';
import type { StepsDone, StepsTask } from './run.ts';
import type { StepsTaskName } from './steps.worker.ts';
import type { Step } from './types.ts';

export type { OwnFont, Step, StepOptions } from './types.ts';
export type { HtmlStamps, PrintHtml } from './html-printing.ts';
export type { StepsDone, StepsTask };

const ENTRY: TaskEntry<StepsTaskName> = workerUrl(import.meta.url, 'steps.worker');

/**
 * Executes a chain of steps on PDFs (I-46). Their order has been validated (`orderFaults`).
 *
 * @param printHtml prints the html and the drawings of stamps; undefined if nothing does
 * @throws PlatenError `pdf_signed`; `page_range_invalid`, `page_range_outside_document`; the errors of the
 * engine, naming the faulty input
 */
export async function processPdfs(
  {
    printHtml,
    ...task
  }: Omit<StepsTask, 'now' | 'pdfium' | 'printer'> & { printHtml?: PrintHtml | undefined },
  options: CallOptions = {},
): Promise<StepsDone> {
  const now = `${new Date().toISOString().slice(0, 19)}Z`;
  const needsPdfium = task.steps.some(({ name }) => name === 'redact');
  const pdfium = needsPdfium ? await compilePdfium() : undefined;
  const desk = printHtml !== undefined && task.steps.some(mayPrint) ? openPrintServer(printHtml) : undefined;
  const transfer = desk === undefined ? [] : [desk.port];
  try {
    const input = { ...task, now, pdfium, printer: desk?.port };
    return (await runTask(ENTRY, 'runSteps', input, { ...options, transfer })) as StepsDone;
  } finally {
    desk?.close();
  }
}

/** Whether a step has html, or an image, which may be a drawing. */
function mayPrint({ name, options }: Step): boolean {
  if (name !== 'stamp' && name !== 'watermark') return false;
  return options.html !== undefined || options.image !== undefined;
}
