import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isPlatenError, PlatenError } from '@platen/core/errors';
import { parseJsonDigits } from '@platen/core/json-text';
import { fillPdfForm, type FormData } from '@platen/pdf/forms';
import type { FormFiles } from './form-files.ts';
import { finishOwnPages } from './own-pages.ts';
import type { Rendering } from './rendering.ts';
import { timed } from './report/recorder.ts';

/** Renders forms: PDFs whose fields are filled with the records (I-48). No template language is involved. */

/**
 * Fills a form with a record. Only the options for any PDF apply, as the form defines its own pages.
 *
 * @param record text of a JSON object
 * @throws PlatenError `form_field_unknown`, `form_value_invalid`; as `finishOwnPages`
 */
export async function renderForm(form: FormFiles, record: string, rendering: Rendering): Promise<Uint8Array> {
  const { plan, preparer, fonts, scratch, finishing, recorder, signal, notice } = rendering;
  const invoice = await plan.invoiceOf(record, notice);
  const output = join(await scratch(), `${randomUUID()}.filled.pdf`);
  try {
    await timed(recorder, 'fill', async () => {
      const data = formData(record);
      const task = { input: { path: form.path }, output, data, images: await form.imagesFor(data) };
      const how = { fontFolder: fonts, flatten: false, breakSignatures: false };
      finishing.noted(await fillPdfForm({ ...task, ...how }, { signal }).catch(throwAsOfRecord));
    });
    const { coverage } = preparer;
    const look = { coverage, withoutGlyph: 'by coverage' as const, requested: null };
    return await finishOwnPages(await readFile(output), invoice, () => Promise.resolve(look), rendering);
  } finally {
    await rm(output, { force: true });
  }
}

/** @throws PlatenError `render_data_invalid` for a record that is nested too deeply */
function formData(record: string): FormData {
  try {
    return parseJsonDigits(record) as FormData;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new PlatenError('render_data_invalid', `The render data is not valid JSON: ${reason}.`, { cause });
  }
}

/** Errors in a form's data concern the record, including a character that no font has. */
function throwAsOfRecord(error: unknown): never {
  if (!isPlatenError(error)) throw error;
  const { code, message, faults } = error;
  if (code !== 'form_field_unknown' && code !== 'form_value_invalid' && code !== 'invalid_field') throw error;
  const named = faults.map((fault) => ({ ...fault, field: `render_${fault.field}` }));
  const [first] = named;
  if (code === 'form_field_unknown' || first === undefined) {
    throw new PlatenError(code, message, { faults: named, cause: error });
  }
  const text = `\`${first.field}\`: ${first.message}.`;
  throw new PlatenError('form_value_invalid', text, { faults: named, cause: error });
}
