import { PlatenError } from '@platen/core/errors';
import { SETTLE } from '@platen/core/settle';
import { pagesOfRange } from '@platen/pdf/page-range';
import type { FontMemory } from '@platen/pdf/text/harfbuzz';
import { NAMED_FACES } from '@platen/print/named-faces';
import { type FurnitureByPage, namesSections, stampsOf } from '@platen/print/by-page';
import { overlayHtml } from '@platen/print/overlay';
import { PIXELS_OF_INCH } from '@platen/print/page-rules';
import { inches, type PaperSize } from '@platen/print/paper';
import { marksScript, newSignature, sectionsOf, titlesOf } from '@platen/print/sections';
import { furnitureVariables, leastMargins, LENGTH_TRIES, longer, type Sheet } from '@platen/print/sheet';
import { Composition } from './composition.ts';
import type { PrintedDocument, WebDocument } from './engine.ts';
import { load, type Loaded, sheetFor } from './loaded.ts';
import { type Layer, type PageBoxes, pageBoxesHtml, SPARE } from './page-boxes.ts';
import { finished, writePart } from './parts.ts';
import { JOINED } from './prepare.ts';
import { isDivided, type Layout, predicted, printOnSheet, printWithTitles, settled } from './passes.ts';
import type { WebKitProcess } from './process.ts';
import type { Placed } from './references.ts';
import { isSameRoom, PageSheets } from './rooms.ts';
import { sheetSetup, stylesFor } from './sheet.ts';
import type { TableBreaks } from './tables.ts';
import { tablesScript } from './tables-script.ts';

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

const NO_MARGINS = { top: 0, right: 0, bottom: 0, left: 0 };

/** Returns the smallest size into which all of the sheets fit. */
function largest(sizes: readonly PaperSize[]): PaperSize {
  return {
    width: Math.max(...sizes.map(({ width }) => width)),
    height: Math.max(...sizes.map(({ height }) => height)),
  };
}

const NO_FURNITURE: FurnitureByPage = { header: [], footer: [], firstPageNumber: 1 };

const SAME_ROOM =
  'webkit leaves some pages the room of others (sizes and margins of @page :first, :left, :right and named ones): rendering_engine chrome does not';

/** A document on its sheets. */
interface Printed {
  /** Whether the document is being unloaded, and no other order follows. */
  isLeft: boolean;
  composition: Composition;
  /** The sheet of most pages, and the sheet of each page by its number. */
  sheet: Sheet;
  sheetOf(page: number): Sheet;
  layout: Layout;
  /** The pages of its references; null if it has none. */
  placed: Placed | null;
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
  const { document, part, answer, asks, rules, isFromRight } = loaded;
  const { fitsContent, scale } = document.options;
  const sheets = new PageSheets(plain, fitsContent ? null : rules, isFromRight);
  const sheet = sheets.ofMost();
  const { factor, ...own } = sheetSetup(sheet, scale);
  const breaks = predicted(loaded, own);
  const arrange = breaks !== null && isDivided(breaks) ? tablesScript(breaks, '0', null) : '';
  const isLeft = isLastPrinting(loaded, breaks);
  const printed = !asks || !answer.ok ? answer : await printOnSheet(loaded, own, { arrange, keep: !isLeft });
  const first = finished(printed, part);
  const { body, layout, placed } = await settled(loaded, first, { sheets, sheet, own }, breaks);
  const composition = await Composition.read(body);
  // All pages of a WebKit printing have the same area for text; this moves the content of pages with other margins.
  const roomOf = (page: number): Sheet => layout.rooms[layout.pages?.[page - 1]?.room ?? 0]?.sheet ?? sheet;
  const sheetOf = (page: number): Sheet => {
    if (layout.pages !== null) return layout.pages[page - 1]?.sheet ?? sheet;
    const own = sheets.of(page, placed?.names[page - 1] ?? '');
    if (isSameRoom(own, sheet)) return own;
    loaded.warnings.add(SAME_ROOM);
    return sheet;
  };
  composition.shrink(factor, (page) => sheetOf(page).size);
  composition.move((page) => {
    const { left, top } = sheetOf(page).margins;
    const { margins } = roomOf(page);
    return { right: left - margins.left, down: top - margins.top };
  });
  return { isLeft, sheet, sheetOf, composition, layout, placed };
}

/** Returns whether a loaded document is printed only once, with nothing laid over its pages. */
function isLastPrinting({ byPage, document, signature, boxes }: Loaded, breaks: TableBreaks | null): boolean {
  const isRepeated = document.options.fitsContent || signature !== null || breaks === null;
  return byPage === null && boxes === null && !isRepeated;
}

/** Returns the section in which each page begins. The document is printed once more, with marks at its headings. */
async function sectionsOfPages(loaded: Loaded, { layout }: Printed): Promise<string[]> {
  const signature = newSignature();
  const { pdf, titles } = await printWithTitles(loaded, layout, marksScript(signature));
  return await sectionsOf(pdf, signature, titlesOf(titles));
}

/**
 * Prints the boxes in the margins of pages and the backgrounds, and lays them over and under the pages.
 *
 * @param pages the selected pages
 */
async function putBoxes(
  { process, folder, document, order, isFromRight }: Loaded,
  boxes: PageBoxes,
  { composition, sheetOf, placed: places }: Printed,
  pages: readonly number[],
): Promise<void> {
  const { width, height } = largest(pages.map((page) => sheetOf(page).size));
  const size = { width, height: height + SPARE / PIXELS_OF_INCH };
  const { factor, ...setup } = sheetSetup({ size, margins: NO_MARGINS }, 1);
  const pixels = (centimetres: number): number => inches(centimetres) * PIXELS_OF_INCH;
  const boxed = pages.map((number) => {
    const { size: own, margins } = sheetOf(number);
    const { top, right, bottom, left } = margins;
    return {
      number,
      name: places?.names[number - 1] ?? '',
      isLeft: (number % 2 === 0) !== isFromRight,
      size: { width: own.width * PIXELS_OF_INCH, height: own.height * PIXELS_OF_INCH },
      margins: { top: pixels(top), right: pixels(right), bottom: pixels(bottom), left: pixels(left) },
    };
  });
  const draw = async (layer: Layer): Promise<void> => {
    const facts = { rules: places?.rules ?? '', total: composition.pageCount };
    const part = writePart(folder, layer, pageBoxesHtml(boxes, layer, boxed, facts));
    const answer = await process.print({
      ...part,
      ...order,
      ...setup,
      asks: false,
      script: '',
      settle: `${SETTLE}{${NAMED_FACES}}{${JOINED}}`,
      backgrounds: true,
      transparent: true,
      keep: true,
    });
    const numbers = pages.map((page) => [page]);
    await composition.stamp(finished(answer, part), numbers, factor, layer === 'backgrounds');
  };
  if (boxes.hasBackground && document.options.printBackground) await draw('backgrounds');
  if (boxes.hasContent) await draw('boxes');
}

/**
 * Prints headers and footers, and lays them over the pages.
 *
 * @param pages the selected pages
 */
async function putFurniture(
  loaded: Loaded,
  byPage: FurnitureByPage,
  printed: Printed,
  pages: readonly number[],
): Promise<void> {
  const { process, folder, document, order, rules } = loaded;
  const { sheet, sheetOf, composition } = printed;
  const { furnitureFonts, skipFurnitureOnFirstPage } = document.options;
  // Headers and footers use the whole sheet, without the scale of the document.
  const whole = { size: largest(pages.map((page) => sheetOf(page).size)), margins: NO_MARGINS };
  const { factor, ...overlay } = sheetSetup(whole, 1);
  const sections = namesSections(byPage) ? await sectionsOfPages(loaded, printed) : [];
  const sizes = pages.map((page) => sheetSetup({ ...sheetOf(page), margins: NO_MARGINS }, 1).room);
  const facts = { total: composition.pageCount, pages, sections, sizes };
  const stamps = stampsOf(byPage, facts, skipFurnitureOnFirstPage);
  // If there are no pages it is printed as well, because that unloads the document.
  const text = overlayHtml(stamps, {
    sizes: stamps.map(({ size }) => sizes[size] ?? overlay.room),
    margins: leastMargins(sheet, rules),
    variables: furnitureVariables(sheet, rules),
    fonts: furnitureFonts,
    title: byPage.title,
    hasNamedPages: false,
  });
  const over = writePart(folder, 'overlay', text);
  const answer = await process.print({
    ...over,
    ...overlay,
    asks: false,
    ...stylesFor(process, { html: text, files: new Map() }),
    address: furnitureFonts === '' ? 'about:blank' : document.address,
    resources: furnitureFonts === '' ? {} : order.resources,
    script: '',
    settle: `${SETTLE}{${NAMED_FACES}}{${JOINED}}`,
    backgrounds: true,
    transparent: true,
    owner: document.owner,
    keep: false,
  });
  if (stamps.length === 0) return;
  const numbers = stamps.map(({ places }) => places.flatMap((place) => pages[place] ?? []));
  await composition.stamp(finished(answer, over), numbers, factor);
}
