import { PlatenError } from '@platen/core/errors';
import { SETTLE } from '../../page-scripts/settle.ts';
import { pagesOfRange } from '@platen/pdf/options';
import type { FontMemory } from '@platen/pdf/text';
import { NAMED_FACES } from '../../named-faces.ts';
import { type FurnitureByPage, namesSections, stampsOf } from '../../by-page.ts';
import { overlayHtml } from '../../overlay.ts';
import { PIXELS_OF_INCH } from '../../page-rules.ts';
import { inches } from '../../paper.ts';
import { furnitureVariables, leastMargins, LENGTH_TRIES, longer, type Sheet } from '../../sheet.ts';
import { type Arranged, arrangedOf, arrangeScript, sectionsOf } from './arrange.ts';
import { Composition } from './composition.ts';
import type { PrintedDocument, WebDocument } from './document.ts';
import { load, type Loaded, sheetFor } from './loaded.ts';
import { type PageBoxes, pageBoxesHtml, SPARE } from './page-boxes.ts';
import { PageSheets } from './page-sheets.ts';
import { finished, resultOf, writePart } from './parts.ts';
import { JOINED } from './prepare.ts';
import type { WebKitProcess } from './order.ts';
import { sheetSetup, stylesFor } from './sheet.ts';
import { unsupportedWarnings } from './unsupported.ts';

/** Prints one document: loads it, puts it on its sheet, and lays its headers and footers over it. */

/**
 * Prints a document.
 *
 * @param folder an empty folder for the files that the engine reads and writes
 * @param memory for the fonts; it must never have held fonts of another owner
 * @throws PlatenError `page_range_outside_document`, `print_failed`
 */
export async function printDocument(
  process: WebKitProcess,
  folder: string,
  document: WebDocument,
  memory: FontMemory,
): Promise<PrintedDocument> {
  // The response to the last document did not wait until it was unloaded.
  await process.left();
  const loaded = await load(process, folder, document);
  const pdf = await composed(loaded, memory);
  return { pdf, warnings: [...loaded.warnings] };
}

async function composed(loaded: Loaded, memory: FontMemory): Promise<Uint8Array> {
  const { document } = loaded;
  const printed = await printWhole(loaded);
  const { composition } = printed;
  const { pageRange } = document.options;
  const pages = pageRange === null ? null : pagesOfRange(pageRange, composition.pageCount);
  const all = pages ?? Array.from({ length: composition.pageCount }, (_, index) => index + 1);
  if (loaded.boxes !== null) await putBoxes(loaded, loaded.boxes, printed, all);
  // Another order has to unload a document that might have been printed again.
  if (!printed.isLeft) await putFurniture(loaded, loaded.byPage ?? NO_FURNITURE, printed, all);
  if (pages !== null) composition.select(pages);
  if (document.language !== null) composition.setLanguage(document.language);
  const pdf = await composition.save(memory, document.html);
  if (!composition.isTextKnown) loaded.warnings.add(UNKNOWN_TEXT);
  return pdf;
}

const UNKNOWN_TEXT =
  'webkit leaves letters out of text that is copied or searched, where a font joins them: rendering_engine chrome does not';

const SAME_ROOM =
  'webkit leaves all pages the same room for text (margins of @page :first, :left, :right): rendering_engine chrome does not';

const MAY_BE_CUT = 'webkit may have cut rows of tables where a page ends: rendering_engine chrome does not';

const NO_MARGINS = { top: 0, right: 0, bottom: 0, left: 0 };

const NO_FURNITURE: FurnitureByPage = { header: [], footer: [], firstPageNumber: 1 };

/** A document on its sheets. */
interface Printed {
  /** Whether the document is being unloaded, and no other order follows. */
  isLeft: boolean;
  composition: Composition;
  sheets: PageSheets;
  /** The heading under which each page begins, if headers or footers show it. */
  sections: readonly string[];
}

/** Prints all pages of a loaded document. If it must become one page, it is printed on longer sheets until it is. */
async function printWhole(loaded: Loaded): Promise<Printed> {
  const { document, rules, heights, content } = loaded;
  let length = document.options.fitsContent ? Number(content) : null;
  let printed = await printOn(loaded, sheetFor(document, rules, heights, length));
  for (let tries = 1; length !== null && printed.composition.pageCount > 1; tries += 1) {
    if (tries === LENGTH_TRIES)
      throw new PlatenError('print_failed', 'The content does not fit on one page.');
    length = longer(length);
    printed = await printOn(loaded, sheetFor(document, rules, heights, length));
  }
  return printed;
}

async function printOn(loaded: Loaded, plain: Sheet): Promise<Printed> {
  const { process, document, part, rules, isFromRight, byPage, boxes, mentions } = loaded;
  const { fitsContent, scale } = document.options;
  const sheets = new PageSheets(plain, fitsContent ? null : rules, isFromRight);
  const { factor, ...own } = sheetSetup(sheets.sheet, scale);
  const isLeft = byPage === null && boxes === null && !fitsContent;
  const sections = byPage !== null && namesSections(byPage);
  const arrange = fitsContent ? {} : { arrange: arrangeScript(own.room, { ...mentions, sections }) };
  const answer = await process.goOn({ ...own, ...arrange, keep: !isLeft });
  const composition = await Composition.read(finished(answer, part));
  const arranged = arrangedOf(resultOf(answer));
  if (arranged !== null) warn(loaded, arranged, composition.pageCount);
  if (sheets.isUneven) loaded.warnings.add(SAME_ROOM);
  composition.shrink(factor, sheets.sheet.size);
  // All pages have the same area for text; this moves the content of pages with other margins.
  composition.move((page) => {
    const { left, top } = sheets.of(page).margins;
    const { margins } = sheets.sheet;
    return { right: left - margins.left, down: top - margins.top };
  });
  const { pageCount } = composition;
  return {
    isLeft,
    sheets,
    composition,
    sections: arranged === null ? [] : sectionsOf(arranged, pageCount),
  };
}

function warn({ warnings, fixed }: Loaded, arranged: Arranged, pageCount: number): void {
  const unsupported = pageCount === 1 ? arranged.unsupported : { ...arranged.unsupported, fixed };
  for (const warning of unsupportedWarnings(unsupported)) warnings.add(warning);
  if (arranged.isDivided && ![null, pageCount].includes(arranged.pages)) warnings.add(MAY_BE_CUT);
}

/**
 * Prints the boxes in the margins of pages, and lays them over the pages.
 *
 * @param pages the selected pages
 */
async function putBoxes(
  { process, folder, order }: Loaded,
  boxes: PageBoxes,
  { composition, sheets }: Printed,
  pages: readonly number[],
): Promise<void> {
  const { width, height } = sheets.sheet.size;
  const size = { width, height: height + SPARE / PIXELS_OF_INCH };
  const { factor, ...setup } = sheetSetup({ size, margins: NO_MARGINS }, 1);
  const pixels = (centimetres: number): number => inches(centimetres) * PIXELS_OF_INCH;
  const boxed = pages.map((number) => {
    const { top, right, bottom, left } = sheets.of(number).margins;
    return {
      number,
      isLeft: sheets.isLeft(number),
      size: { width: width * PIXELS_OF_INCH, height: height * PIXELS_OF_INCH },
      margins: { top: pixels(top), right: pixels(right), bottom: pixels(bottom), left: pixels(left) },
    };
  });
  const part = writePart(folder, 'boxes', pageBoxesHtml(boxes, boxed, composition.pageCount));
  const answer = await process.print({ ...part, ...order, ...setup, ...OVERLAID, keep: true });
  await composition.stamp(
    finished(answer, part),
    pages.map((page) => [page]),
    factor,
  );
}

/** What the orders for documents that are laid over the pages share. */
const OVERLAID = {
  asks: false,
  script: '',
  settle: `${SETTLE}{${NAMED_FACES}}{${JOINED}}`,
  backgrounds: true,
  transparent: true,
};

/**
 * Prints headers and footers, and lays them over the pages.
 *
 * @param pages the selected pages
 */
async function putFurniture(
  { process, folder, document, order, rules }: Loaded,
  byPage: FurnitureByPage,
  { sheets, composition, sections }: Printed,
  pages: readonly number[],
): Promise<void> {
  const { furnitureFonts, skipFurnitureOnFirstPage } = document.options;
  // Headers and footers use the whole sheet, without the scale of the document.
  const { factor, ...overlay } = sheetSetup({ size: sheets.sheet.size, margins: NO_MARGINS }, 1);
  const facts = { total: composition.pageCount, pages, sections, sizes: pages.map(() => overlay.room) };
  const stamps = stampsOf(byPage, facts, skipFurnitureOnFirstPage);
  // If there are no pages it is printed as well, because that unloads the document.
  const text = overlayHtml(stamps, {
    sizes: stamps.map(() => overlay.room),
    margins: leastMargins(sheets.sheet, rules),
    variables: furnitureVariables(sheets.sheet, rules),
    fonts: furnitureFonts,
    title: byPage.title,
    hasNamedPages: false,
  });
  const over = writePart(folder, 'overlay', text);
  const answer = await process.print({
    ...over,
    ...overlay,
    ...OVERLAID,
    ...stylesFor(process, { html: text, files: new Map() }),
    address: furnitureFonts === '' ? 'about:blank' : document.address,
    resources: furnitureFonts === '' ? {} : order.resources,
    owner: document.owner,
    keep: false,
  });
  if (stamps.length === 0) return;
  const numbers = stamps.map(({ places }) => places.flatMap((place) => pages[place] ?? []));
  await composition.stamp(finished(answer, over), numbers, factor);
}
