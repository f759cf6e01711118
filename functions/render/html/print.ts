import type { Embedding } from '@platen/factur-x';
import { finishPdf } from '@platen/pdf/finish';
import type { HtmlDocument } from '@platen/print';
import { countPages, measure } from '../../shared/measures.ts';
import { DocumentFaults } from '../faults.ts';
import type { Printing } from '../printing.ts';
import type { Rendering } from '../rendering.ts';
import { inspectPrinted } from '../report/printed.ts';
import { timed } from '../report/recorder.ts';
import type { RenderSettings } from '../settings.ts';
import { composed } from './compose.ts';
import { type Filled, fillTemplate, type HtmlRendering } from './fill.ts';
import { drawFields, hasControls } from './form-fields.ts';
import { propertiesStep } from './properties.ts';
import { checkTags, needsTags, type UntaggedParts } from './tags.ts';

/** Prints html as PDFs and pictures. */

/** What a PDF is printed and finished with. */
export type PdfPrinting = Printing & Pick<Rendering, 'fonts' | 'scratch' | 'finishing'>;

/**
 * Makes the PDF of an html template.
 *
 * @param record text of a JSON object
 * @throws PlatenError as `InvoiceOf`, `Filler.fill` and `pdfOfHtml`
 */
export async function pdfOfTemplate(record: string, rendering: Rendering): Promise<Uint8Array> {
  const { plan, recorder, notice } = rendering;
  const { template, settings, invoiceOf } = plan;
  // Before printing, as a faulty invoice needs no document.
  const invoice = await invoiceOf(record, notice);
  const filled = await timed(recorder, 'fill', () => fillTemplate(template, record, settings, rendering));
  return (await pdfOfHtml(filled, settings, invoice, rendering)).pdf;
}

/**
 * Prints html as it is, with the given or the default header and footer, and finishes the PDF.
 *
 * @returns the PDF, and the title of its document
 * @throws PlatenError as `Preparer.compose`, `PrintSession.print` and `finishPdf`; `document_faulty`
 */
export async function pdfOfHtml(
  filled: Filled,
  settings: RenderSettings,
  invoice: Embedding | null,
  printing: PdfPrinting,
): Promise<{ pdf: Uint8Array; title: string }> {
  const { session, preparer, recorder, warn, signal, fonts, finishing } = printing;
  const faults = new DocumentFaults(settings.failOn);
  const { document, furniture } = await timed(recorder, 'prepare', () =>
    composed(filled, settings, printing, faults),
  );
  const hasFields = settings.formFields && settings.renderingEngine === 'chrome';
  if (settings.formFields && !hasFields && hasControls(document.html)) warn(NO_FIELDS);
  const parts: UntaggedParts = new Map();
  const untagged: HtmlDocument['untagged'] = (elements, why) => {
    for (const element of elements) parts.set(element, why);
  };
  const watched = { ...document, hasFields, ...(needsTags(settings) ? { untagged } : {}) };
  const options = { ...settings.page, ...furniture, tagged: true };
  const printed = await timed(recorder, 'print', () => session.print(watched, options, signal));
  const pdf = hasFields ? await drawFields(printed, printing) : printed;
  measure('pages', countPages(pdf));
  faults.check();
  checkTags(parts, settings.claims, warn);
  if (recorder !== null && !recorder.hasLayout) {
    const look = { coverage: preparer.coverage, withoutGlyph: recorder.withoutGlyph, requested: null };
    recorder.printed = await inspectPrinted(pdf, look, finishing);
  }
  const { title, descriptions } = document.facts;
  const steps = [...propertiesStep(descriptions), ...settings.steps];
  const finished = await timed(recorder, 'finish', () =>
    finishPdf(pdf, { ...settings, steps, fonts, invoice }, finishing),
  );
  return { pdf: finished, title };
}

const NO_FIELDS = 'form_fields: webkit prints the controls of html documents; chrome makes fields of them.';

/**
 * Fills an html template and takes a picture of it. A picture has no pages, and so no header and footer.
 *
 * @param record text of a JSON object
 * @throws PlatenError as `Filler.fill`, `Preparer.compose` and `ReadingSession.picture`
 */
export async function pictureOfTemplate(record: string, rendering: HtmlRendering): Promise<Uint8Array> {
  const { template, settings } = rendering.plan;
  const { picture } = settings;
  if (picture === null) throw new Error('a picture that nothing is said of');
  const bare = { ...settings, furniture: { ...settings.furniture, enabled: false } };
  const filled = await fillTemplate(template, record, bare, rendering);
  const faults = new DocumentFaults(settings.failOn);
  const { document, furniture } = await composed(filled, bare, rendering, faults);
  const options = { ...settings.page, ...furniture, tagged: false };
  const image = await rendering.chrome.picture(document, options, picture, rendering.signal);
  faults.check();
  return image;
}
