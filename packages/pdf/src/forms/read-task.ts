import { PlatenError } from '@platen/core/errors';
import type { Engine, PdfInput } from '../files/engine.ts';
import { isEncrypted, openReadable } from '../files/open.ts';
import { type FormField, readForm } from './read.ts';

/** Runs in its thread: reads the fields of a form. */
export async function listFields(engine: Engine, { input }: { input: PdfInput }): Promise<FormField[]> {
  return readForm(await openReadable(input, engine));
}

/** Runs in its thread: reads the fields of a form that must not be protected. */
export async function listOpenFields(engine: Engine, task: { input: PdfInput }): Promise<FormField[]> {
  if (await isEncrypted(engine, task.input)) {
    throw new PlatenError('pdf_password_required', 'The PDF is protected: remove the protection first.');
  }
  return await listFields(engine, task);
}
