import { type PdfFile, openPdf } from '@platen/pdf/model';
import { pagesOfRange } from '@platen/pdf/options';
import { pageImporter, addLinks, paint, pagesFor, visibleBox } from '@platen/pdf/content';
import { type FurnitureByPage, namesSections, type Stamp, stampsOf } from '../by-page.ts';
import { overlayHtml } from '../overlay.ts';
import { prepareDocument } from '../page/document.ts';
import { type HtmlDocument, PLAIN_PAGE, type PrintOptions } from '../print.ts';
import { marksScript, newSignature, sectionsOf, titlesOf } from '../sections.ts';
import { furnitureVariables, leastMargins } from '../sheet.ts';
import { Gate } from './gate.ts';
import { linkTargets } from './furniture-links.ts';
import { countPages } from './page-count.ts';
import type { ChromePage } from './page.ts';

/**
 * Headers and footers that Chromium cannot put on pages itself: they are a separate document, whose pages are
 * overlaid on those of the printed one.
 */

/** CSS pixels per point. */
const PIXELS_OF_POINT = 96 / 72;
/** Maximum milliseconds for leaving a printed document. */
const LEAVE_MS = 5_000;

/** The printed document with header and footer on its pages. */
export async function withFurniture(
  page: ChromePage,
  body: Buffer,
  options: PrintOptions,
  byPage: FurnitureByPage,
): Promise<Buffer> {
  const { sheet, rules } = page.sheet(options);
  const { resources } = page;
  const file = await openPdf(body);
  const { total, sections } = await wholeDocument(page, file, options, byPage);
  const sizes = file.pageDicts().map((dict) => {
    const { width, height } = visibleBox(file, dict);
    return { width: width * PIXELS_OF_POINT, height: height * PIXELS_OF_POINT };
  });
  const pages =
    options.pageRange === null ? sizes.map((_, place) => place + 1) : pagesOfRange(options.pageRange, total);
  const stamps = stampsOf(byPage, { total, pages, sections, sizes }, options.skipFurnitureOnFirstPage);
  if (stamps.length === 0) return body;
  const html = overlayHtml(stamps, {
    sizes: stamps.map(({ size }) => sizes[size] ?? { width: 1, height: 1 }),
    margins: leastMargins(sheet, rules),
    variables: furnitureVariables(sheet, rules),
    fonts: options.furnitureFonts,
    title: byPage.title,
    hasNamedPages: true,
  });
  await stampPages(file, await printOverlay(page, html, resources), stamps);
  // Every PDF is packed before it is sent (decision record 0028).
  return Buffer.from(await file.save({ pack: false }));
}

/** Facts for headers and footers about a whole document, of which a part may be printed. */
async function wholeDocument(
  page: ChromePage,
  printed: PdfFile,
  options: PrintOptions,
  byPage: FurnitureByPage,
): Promise<{ total: number; sections: string[] }> {
  const plain = { ...options, header: null, footer: null, tagged: false, outline: false };
  if (namesSections(byPage)) {
    const signature = newSignature();
    const titles = titlesOf(await page.evaluate(`${marksScript(signature)} return titles;`));
    const marked = await page.pdf(plain, '');
    return { total: countPages(marked), sections: await sectionsOf(marked, signature, titles) };
  }
  const total = options.pageRange === null ? printed.pages().length : countPages(await page.pdf(plain, ''));
  return { total, sections: [] };
}

/** Prints the overlay instead of the document, which is already printed. */
async function printOverlay(
  page: ChromePage,
  html: string,
  resources: HtmlDocument['resources'],
): Promise<Buffer> {
  await page.reset(LEAVE_MS);
  const document = { ...prepareDocument({ html, styles: [], title: 'overlay' }), resources };
  const nowhere = { fetch: () => Promise.reject(new Error('an overlay loads nothing from outside')) };
  const options: PrintOptions = {
    ...PLAIN_PAGE,
    margins: { top: 0, right: 0, bottom: 0, left: 0 },
    tagged: false,
    outline: false,
  };
  await page.load(new Gate(document, nowhere, new AbortController().signal), options);
  await page.nameFaces();
  return await page.pdf(options, '');
}

/** Puts the pages of the overlay on those of the document as artifacts, which screen readers skip. */
async function stampPages(file: PdfFile, overlay: Buffer, stamps: readonly Stamp[]): Promise<void> {
  const source = await openPdf(overlay);
  const looks = source.pageDicts();
  if (looks.length !== stamps.length) throw new Error(`${looks.length} pages for ${stamps.length} headers`);
  const pages = pagesFor(file, undefined, 'pages');
  const importPage = pageImporter(file, source);
  const targetOf = linkTargets(file, source);
  for (const [index, { places }] of stamps.entries()) {
    const look = looks[index] ?? {};
    const form = importPage(look);
    for (const place of places) {
      const page = pages[place];
      if (page === undefined) continue;
      const down = visibleBox(file, page.dict).height - form.box.height;
      const matrix = [1, 0, 0, 1, 0, down] as const;
      paint(file, page, { form, matrix }, { where: 'over', subtype: '/Header' });
      addLinks(file, page, { source, look, matrix }, targetOf);
    }
  }
}
