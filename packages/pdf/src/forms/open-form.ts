import { workerUrl } from '@platen/core/worker';
import type { PdfInput } from '../engine.ts';
import { type CallOptions, runTask, type TaskEntry } from '../thread.ts';
import type { OpenFormTask } from './open-form.worker.ts';
import type { FormField } from './read.ts';

export type { FormField };

/** A separate entry, because code that only reads a form needs neither fonts nor images. */
const ENTRY: TaskEntry<OpenFormTask> = workerUrl(import.meta.url, 'open-form.worker');

/**
 * The fields of a form that is kept to be filled again and again, which has to be open to everybody.
 *
 * @throws PlatenError `pdf_password_required` for one that is protected, with or without a password to open it; `form_xfa`
 *   for a form that is there as XFA alone; those of the engine
 */
export async function readOpenForm(input: PdfInput, options: CallOptions = {}): Promise<FormField[]> {
  return (await runTask(ENTRY, 'listOpenFields', { input }, options)) as FormField[];
}
