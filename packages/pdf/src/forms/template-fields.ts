import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isPlatenError, PlatenError } from '@platen/core/errors';
import type { FormField } from './open-form.ts';
import type { CallOptions } from '../thread.ts';

/**
 * The fields of a PDF that is a template (I-48): those that can be filled.
 *
 * @throws PlatenError `template_file_invalid` for a PDF without any or one that is damaged, `form_xfa`, `pdf_password_required`, `pdf_signed`,
 *   `pdf_too_complex`, `deadline_exceeded`
 */
export async function formTemplateFields(bytes: Uint8Array, options: CallOptions): Promise<FormField[]> {
  // Loaded on demand: most templates are not forms.
  const { readOpenForm } = await import('./open-form.ts');
  const folder = await mkdtemp(join(tmpdir(), 'platen-form-'));
  try {
    const path = join(folder, 'form.pdf');
    await writeFile(path, bytes);
    const all = await readOpenForm({ path }, options);
    // Other changes to a filled document would invalidate its signatures.
    if (all.some(({ kind, value }) => kind === 'signature' && value === true)) {
      throw new PlatenError('pdf_signed', 'The PDF is signed: a template must not have signatures.');
    }
    const fields = all.filter(({ kind }) => kind !== 'signature');
    if (fields.length > 0) return fields;
    throw new PlatenError(
      'template_file_invalid',
      'The PDF is not a form: it has no fillable fields (AcroForm).',
    );
  } catch (error) {
    if (!isPlatenError(error) || error.code !== 'pdf_damaged') throw error;
    const message = `The file is no template: ${error.message}`;
    throw new PlatenError('template_file_invalid', message, { cause: error });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
