import { isWebFormat } from '../shared/formats/web.ts';
import { randomUUID } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Converter } from '../shared/convert/client.ts';
import { finishPdf, type FinishingPlace } from '@platen/pdf/finish';
import { selectPages } from '@platen/pdf';
import { PlatenError } from '@platen/core/errors';
import type { Texts } from './html/render.ts';
import { fillOffice } from '@platen/office';
import { namedFonts } from '@platen/office/named-fonts';
import { type InvoiceOf, withInvoice } from './invoices.ts';
import { isPicture, type OutputFormat } from './output.ts';
import { lookAtPrinted } from './report/printed.ts';
import { type Recorder, timed } from './report/recorder.ts';
import type { RenderSettings } from './settings.ts';
import type { RenderTemplate } from './template.ts';

/** Renderings that begin as an office document. */

/** What they need besides the template and the record. */
export interface OfficeRendering extends Texts {
  converter: Converter;
  /** Folder of the fonts that steps set text in; null where there is none. */
  fonts: string | null;
  /** A folder for files while a document is worked on; nothing is left there. */
  scratch: () => Promise<string>;
  invoiceOf: InvoiceOf;
  finishing: FinishingPlace;
  /** Told of everything else, where a report is wanted. */
  recorder: Recorder | null;
}

/**
 * Fills an office template and makes of it what was asked for. Of the options, an office document follows `page_range`,
 * `steps`, `compress` and `encrypt_password`; its page set-up is its own (I-20).
 *
 * @param record text of a JSON object
 * @throws PlatenError as `fillOffice`, `Converter.convert`, `selectPages` and `finishPdf`
 */
export async function renderOfficeDocument(
  template: RenderTemplate,
  record: string,
  output: Exclude<OutputFormat, 'report'>,
  settings: RenderSettings,
  rendering: OfficeRendering,
): Promise<Uint8Array> {
  const { converter, fonts, scratch, signal, invoiceOf, finishing, recorder, preparer } = rendering;
  const { format, bytes, images, name } = template;
  const { pageRange } = settings.page;
  const { templatingEngine: engine, language } = settings;
  if (isWebFormat(format)) throw new PlatenError('internal_error', 'The template is no office template.');
  const invoice = output === 'pdf' ? await invoiceOf(record) : null;
  const filled = await timed(recorder, 'fill', async () => {
    if (engine === 'none') return bytes;
    const { texts: partials, documents } = template.partials;
    const job = { format, bytes, images, engine, language, data: record, partials, documents };
    return await fillOffice(job, { signal });
  });
  if (output === format || isWebFormat(output) || isPicture(output)) return filled;
  const converted = await timed(recorder, 'convert', () =>
    converter.convert(filled, format, output, { title: name, signal }),
  );
  if (output !== 'pdf') return converted;
  const selected = pageRange === null ? converted : await pagesOf(converted, pageRange, scratch, signal);
  if (recorder !== null) {
    const look = { coverage: preparer.coverage, withoutGlyph: null, requested: await namedFonts(filled) };
    recorder.printed = await lookAtPrinted(selected, look, { scratch, signal });
  }
  return await timed(recorder, 'finish', async () => {
    const finished = await withInvoice(selected, invoice, signal);
    return await finishPdf(finished, { ...settings, fonts }, finishing);
  });
}

/** The pages of a PDF that a range names (I-21). */
async function pagesOf(
  pdf: Uint8Array,
  range: string,
  scratch: () => Promise<string>,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const base = join(await scratch(), randomUUID());
  const files = { printed: `${base}.pdf`, selected: `${base}.pages.pdf` };
  try {
    await writeFile(files.printed, pdf);
    await selectPages(files.printed, files.selected, range, { signal });
    return await readFile(files.selected);
  } finally {
    await Promise.all(Object.values(files).map((file) => rm(file, { force: true })));
  }
}
