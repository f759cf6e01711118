import { PlatenError } from '@platen/core/errors';
import { inputArguments, type Engine, type PdfInput } from '../engine.ts';
import { openReadable } from '../model/index.ts';
import { type FormField, readForm } from './read.ts';

/** Runs in its thread: reads the fields of a form. */
export async function listFields(engine: Engine, { input }: { input: PdfInput }): Promise<FormField[]> {
  return readForm(await openReadable(input, engine));
}

/** Runs in its thread: reads the fields of a form that must not be protected. */
export async function listOpenFields(engine: Engine, task: { input: PdfInput }): Promise<FormField[]> {
  if (await isProtected(engine, task.input)) {
    throw new PlatenError('pdf_password_required', 'The PDF is protected: remove the protection first.');
  }
  return await listFields(engine, task);
}

/** Returns whether a file is encrypted, with or without a password to open it. */
export async function isProtected(engine: Engine, input: PdfInput): Promise<boolean> {
  const { code } = await engine.run(['--is-encrypted', ...inputArguments(input)]);
  return code === 0;
}
