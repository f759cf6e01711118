import { randomUUID } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isPlatenError, PlatenError } from '@platen/core/errors';
import { parseJsonDigits } from '@platen/core/json-text';
import { fillPdfForm, type FormData } from '@platen/pdf/forms';
import { textsIn } from '../shared/texts-in.ts';
import type { Notice } from './found.ts';
import type { InvoiceOf } from './invoices.ts';
import { finishOwnPages, type OwnPages } from './own-pages.ts';
import { timed } from './report/recorder.ts';
import type { RenderSettings } from './settings.ts';
import type { RenderTemplate, TemplateImage } from './template.ts';

/** Renders forms: PDFs whose fields are filled with the records (I-48). No template language is involved. */

/** The services that filling a form needs besides the form and the record. */
export interface FormRendering extends OwnPages {
  invoiceOf: InvoiceOf;
  /** Receives what filling the invoice notices. */
  notice: Notice;
  /** See `coverageFile`. */
  coverage: string | null;
}

/** The files that filling a form reads. */
export interface FormFiles {
  path: string;
  /** Returns the paths of the images that a record names for buttons. */
  imagesFor: (data: unknown) => Promise<Record<string, string>>;
}

/** Writes the form, and images when needed, as files that all records of a request share. */
export async function openForm(
  { bytes, images }: Pick<RenderTemplate, 'bytes' | 'images'>,
  scratch: () => Promise<string>,
): Promise<FormFiles & AsyncDisposable> {
  const base = join(await scratch(), randomUUID());
  const path = `${base}.pdf`;
  const written = new Map<string, Promise<string>>();
  const write = async (image: TemplateImage): Promise<string> => {
    const to = `${base}.${written.size}.image`;
    await writeFile(to, await image.bytes());
    return to;
  };
  await writeFile(path, bytes);
  return {
    path,
    imagesFor: async (data) => {
      const found: Record<string, string> = {};
      for (const name of textsIn(data)) {
        const image = images.get(name);
        if (image === undefined) continue;
        const file = written.get(name) ?? write(image);
        written.set(name, file);
        found[name] = await file;
      }
      return found;
    },
    [Symbol.asyncDispose]: async () => {
      const kept = await Promise.allSettled(written.values());
      const paths = kept.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      await Promise.all([path, ...paths].map((file) => rm(file, { force: true })));
    },
  };
}

/**
 * Fills a form with a record. Only the options for any PDF apply, as the form defines its own pages.
 *
 * @param record text of a JSON object
 * @throws PlatenError `form_field_unknown`, `form_value_invalid`; as `finishOwnPages`
 */
export async function renderForm(
  form: FormFiles,
  record: string,
  settings: RenderSettings,
  rendering: FormRendering,
): Promise<Uint8Array> {
  const { fonts, scratch, finishing, recorder, signal, invoiceOf, coverage, notice } = rendering;
  const invoice = await invoiceOf(record, notice);
  const output = join(await scratch(), `${randomUUID()}.filled.pdf`);
  try {
    await timed(recorder, 'fill', async () => {
      const data = formData(record);
      const task = { input: { path: form.path }, output, data, images: await form.imagesFor(data) };
      const how = { fontFolder: fonts, flatten: false, breakSignatures: false };
      finishing.noted(await fillPdfForm({ ...task, ...how }, { signal }).catch(throwAsOfRecord));
    });
    const look = { coverage, withoutGlyph: 'by coverage' as const, requested: null };
    const filled = await readFile(output);
    return await finishOwnPages(filled, invoice, settings, () => Promise.resolve(look), rendering);
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
