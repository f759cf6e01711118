import type { Platen } from '@platen/client';
import { htmlToImage, htmlToPdf, urlToImage, urlToPdf } from './chromium.ts';
import { bookmarksOf } from './bookmarks.ts';
import { changed, embedding, merged, sentInvoice, pdfsOf, infoAsJson } from './engines.ts';
import type { Form } from './form.ts';
import { metadataOf } from './metadata.ts';
import { officeToPdf, type ReadOlder } from './office.ts';
import type { OutsideAccess } from './outside.ts';
import { finished, type OutputFile } from './result.ts';
import { optimization } from './steps.ts';

/** Gotenberg's routes below `/forms`. */

/** Makes documents from a form. */
export type Route = (
  platen: Platen,
  form: Form,
  outside: OutsideAccess,
  readOlder: ReadOlder | null,
) => Promise<readonly OutputFile[]>;

const one =
  (make: (platen: Platen, form: Form, outside: OutsideAccess) => Promise<OutputFile>): Route =>
  async (platen, form, outside) => [await make(platen, form, outside)];
/** Wraps a route so that the options for finished PDFs are applied to its results. */
const pdf =
  (make: Route): Route =>
  async (platen, form, outside, readOlder) =>
    await finished(platen, form, await make(platen, form, outside, readOlder));
const image = (isMarkdown: boolean): Route => one((platen, form) => htmlToImage(platen, form, isMarkdown));

export const ROUTES: Readonly<Record<string, Route>> = {
  'chromium/convert/html': pdf(one((platen, form) => htmlToPdf(platen, form, false))),
  'chromium/convert/markdown': pdf(one((platen, form) => htmlToPdf(platen, form, true))),
  'chromium/convert/url': pdf(one(urlToPdf)),
  'chromium/screenshot/html': image(false),
  'chromium/screenshot/markdown': image(true),
  'chromium/screenshot/url': one(urlToImage),
  'libreoffice/convert': pdf((platen, form, _, readOlder) => officeToPdf(platen, form, readOlder)),
  'pdfengines/merge': pdf(merged),
  'pdfengines/split': pdf((_, form) => changed(form, ['splitMode'])),
  'pdfengines/convert': pdf((_, form) => changed(form, ['pdfa', 'pdfua'])),
  'pdfengines/flatten': async (platen, form) => {
    const steps = [{ flatten: {} }];
    return await finished(platen, form, await pdfsOf(form), { steps, parts: {} });
  },
  'pdfengines/optimize': async (platen, form) => {
    // The route always optimizes images, whatever the field says, so the field causes no warning.
    form.flag('optimizeImages');
    const steps = [optimization(form)];
    return await finished(platen, form, await pdfsOf(form), { steps, parts: {} });
  },
  'pdfengines/encrypt': pdf((_, form) => changed(form, ['userPassword', 'ownerPassword'])),
  'pdfengines/metadata/read': one((platen, form) => infoAsJson(platen, form, metadataOf)),
  'pdfengines/metadata/write': pdf((_, form) => changed(form, ['metadata'])),
  'pdfengines/bookmarks/read': one((platen, form) => infoAsJson(platen, form, bookmarksOf)),
  'pdfengines/bookmarks/write': pdf((_, form) => changed(form, ['bookmarks'])),
  'pdfengines/rotate': pdf((_, form) => changed(form, ['rotateAngle'])),
  'pdfengines/watermark': pdf((_, form) => changed(form, ['watermarkSource'])),
  'pdfengines/stamp': pdf((_, form) => changed(form, ['stampSource'])),
  'pdfengines/embed': pdf((_, form) => embedding(form)),
  'pdfengines/factur-x': pdf((_, form) => sentInvoice(form)),
  // The previous name of this route.
  'pdfengines/facturx': pdf((_, form) => sentInvoice(form)),
};
