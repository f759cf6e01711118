import { workerUrl } from '@platen/core/worker';
import type { PdfInput } from '../files/engine.ts';
import { type CallOptions, runTask, type TaskEntry } from '../thread.ts';
import type { OpenFormTask } from './open-form.worker.ts';
import type { FormField } from './read.ts';

export type { FormField };

/** A separate entry, because code that only reads a form needs neither fonts nor images. */
const ENTRY: TaskEntry<OpenFormTask> = workerUrl(import.meta.url, 'open-form.worker');

/**
 * The fields of a form that is stored for repeated use and must not be protected.
 *
 * @throws PlatenError `pdf_password_required` for a protected form, even if it opens without a password;
 * `form_xfa` for a form that consists only of XFA; errors of the engine
 */
export async function readOpenForm(input: PdfInput, options: CallOptions = {}): Promise<FormField[]> {
  return (await runTask(ENTRY, 'listOpenFields', { input }, options)) as FormField[];
}
