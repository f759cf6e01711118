import { workerUrl } from '@platen/core/worker';
import type { PdfInput } from '../files/engine.ts';
import type { PdfNote } from '../notes.ts';
import { type CallOptions, runTask, type TaskEntry } from '../thread.ts';
import type { FillTask } from './form-task.ts';
import type { FormTask } from './forms.worker.ts';
import type { PrintedFormTask } from './printed-form.ts';
import type { FormField } from './read.ts';
import type { FormData } from './values.ts';

const ENTRY: TaskEntry<FormTask> = workerUrl(import.meta.url, 'forms.worker');

export type { FillTask, FormData, FormField };

/**
 * The fields of a form, in its order.
 *
 * @throws PlatenError `form_xfa` for a form that consists only of XFA; errors of the engine
 */
export async function readPdfForm(input: PdfInput, options: CallOptions = {}): Promise<FormField[]> {
  return (await runTask(ENTRY, 'listFields', { input }, options)) as FormField[];
}

/**
 * Fills a form.
 *
 * @returns the notes about it
 * @throws PlatenError `form_field_unknown`, `form_value_invalid`, `form_xfa`; `pdf_signed` if signatures would break;
 * `invalid_field` for a character that no font has; `engine_missing` without fonts; the errors of the engine
 */
export async function fillPdfForm(task: FillTask, options: CallOptions = {}): Promise<PdfNote[]> {
  return (await runTask(ENTRY, 'fillForm', task, options)) as PdfNote[];
}

/**
 * Names and draws the fields of a PDF that LibreOffice exported.
 *
 * @returns the names of the fields; for none, there is no output
 * @throws PlatenError the errors of the engine
 */
export async function settlePrintedForm(task: PrintedFormTask, options: CallOptions = {}): Promise<string[]> {
  return (await runTask(ENTRY, 'settlePrintedForm', task, options)) as string[];
}

/**
 * Draws the fields of a PDF that was printed of html.
 *
 * @throws PlatenError the errors of the engine
 */
export async function drawPrintedForm(task: PrintedFormTask, options: CallOptions = {}): Promise<void> {
  await runTask(ENTRY, 'drawPrintedForm', task, options);
}
