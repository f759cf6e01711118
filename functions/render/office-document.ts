import { isWebFormat } from '../shared/formats/web.ts';
import { randomUUID } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FontFace } from '@platen/print/fonts/font-file';
import type { Converter } from '../shared/convert/client.ts';
import { finishPdf, type FinishingPlace } from '@platen/pdf/finish';
import { selectPages } from '@platen/pdf';
import { PlatenError } from '@platen/core/errors';
import type { Texts } from './html/render.ts';
import { fillOffice } from '@platen/office';
import { namedFonts } from '@platen/office/named-fonts';
import { readFonts } from './fonts.ts';
import { type InvoiceOf, withInvoice } from './invoices.ts';
import { isPicture, type OutputFormat } from './output.ts';
import { lookAtPrinted } from './report/printed.ts';
import { type Recorder, timed } from './report/recorder.ts';
import type { RenderSettings } from './settings.ts';
import type { RenderTemplate, TenantFont } from './template.ts';

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
  /** Told in a sentence what of a document is not done. */
  warn: (text: string) => void;
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
  const { converter, fonts, scratch, signal, invoiceOf, finishing, recorder, preparer, warn } = rendering;
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
  const own = output === 'pdf' ? await ownFonts(filled, template.fonts, warn) : [];
  const converted = await timed(recorder, 'convert', () =>
    converter.convert(filled, format, output, { title: name, fonts: own, signal }),
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

/** What LibreOffice sets text in; fonts of the web it does not read. */
const OFFICE_FORMATS: ReadonlySet<string> = new Set(['ttf', 'otf', 'ttc']);

/** The fonts of a tenant whose families an office document names (I-40). */
async function ownFonts(
  document: Uint8Array,
  fonts: RenderTemplate['fonts'],
  warn: OfficeRendering['warn'],
): Promise<Uint8Array[]> {
  if (fonts.length === 0) return [];
  const names = (await namedFonts(document)).map((name) => name.toLowerCase());
  // A document may name one style of a family as a family: `Inter Light`.
  const isNamed = ({ family }: FontFace): boolean =>
    names.some((name) => name === family.toLowerCase() || name.startsWith(`${family.toLowerCase()} `));
  const used = fonts.filter(({ faces }) => faces.some(isNamed));
  const isRead = ({ format }: TenantFont): boolean => OFFICE_FORMATS.has(format);
  for (const { faces } of used.filter((font) => !isRead(font)))
    warn(
      `Office documents are set in TrueType and OpenType fonts, and ${faces[0]?.family ?? 'one'} is WOFF.`,
    );
  return (await readFonts(used.filter(isRead), warn)).map(({ bytes }) => bytes);
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
