import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { CLOCK } from '@platen/core/clock';
import { PlatenError } from '@platen/core/errors';
import { SETTLE } from '@platen/core/settle';
import { pagesOfRange } from '@platen/pdf/page-range';
import { BOLD_FACES } from '@platen/print/bold-faces';
import type { Bundle } from '@platen/print/bundle';
import { type FurnitureByPage, namesSections, onAllPages, stampsOf } from '@platen/print/by-page';
import { overlayHtml } from '@platen/print/overlay';
import { type PageRules, pageRulesOf } from '@platen/print/page-rules';
import {
  furnitureVariables,
  leastMargins,
  LENGTH_TRIES,
  longer,
  longSheetOf,
  type Sheet,
  sheetOf,
  withRoomFor,
} from '@platen/print/sheet';
import { Composition } from './composition.ts';
import type { WebDocument } from './engine.ts';
import { JOINED, prepareForPrint } from './prepare.ts';
import type { PrintAnswer, PrintOrder, WebKitProcess } from './process.ts';
import { PAGE_STYLE, sheetSetup } from './sheet.ts';

/** How one document is printed: it is loaded, put on its sheet, and gets its headers and footers over it. */

/**
 * Prints a document.
 *
 * @param folder empty, for the files that the engine reads and writes
 * @returns a PDF
 * @throws PlatenError `page_range_outside_document`, `print_failed`
 */
export async function printDocument(
  process: WebKitProcess,
  folder: string,
  document: WebDocument,
): Promise<Uint8Array> {
  const loaded = await load(process, folder, document);
  const printed = await printWhole(loaded);
  const { composition } = printed;
  const { pageRange } = document.options;
  const pages = pageRange === null ? null : pagesOfRange(pageRange, composition.pageCount);
  if (loaded.byPage !== null) {
    const all = pages ?? Array.from({ length: composition.pageCount }, (_, index) => index + 1);
    await putFurniture(loaded, loaded.byPage, printed, all);
  }
  if (pages !== null) composition.select(pages);
  if (document.language !== null) composition.setLanguage(document.language);
  return await composition.save();
}

/** A document that WebKit has loaded, and what was found in it. */
interface Loaded {
  process: WebKitProcess;
  folder: string;
  document: WebDocument;
  part: Part;
  /** What every order for the document has in common. */
  order: Omit<PrintOrder, 'html' | 'output' | 'asks' | 'settle' | 'keep'>;
  answer: PrintAnswer;
  /** WebKit waits to be told the sheet, or else has printed. */
  asks: boolean;
  /** Headers and footers that are put over the pages; null where there are none, nor any document to leave. */
  byPage: FurnitureByPage | null;
  rules: PageRules | null;
  /** Of headers and footers. */
  heights: unknown;
  /** Of all that stands in it, for one that is to be one page. */
  content: unknown;
}

async function load(process: WebKitProcess, folder: string, document: WebDocument): Promise<Loaded> {
  const { html, files, owner, address, options } = document;
  const isLong = options.fitsContent;
  // A document that may be printed again has to be left by another order.
  const byPage = options.byPage ?? onAllPages(options) ?? (isLong ? NO_FURNITURE : null);
  // As scripts measure it while the document loads, before it is known what its rules say.
  const { factor: _, ...setup } = sheetSetup(sheetFor(document, null, null, null), options.scale);
  const part = await writePart(folder, 'body', html);
  const order = {
    ...setup,
    style: PAGE_STYLE,
    address,
    resources: await writeFiles(path.join(folder, 'files'), files),
    script: CLOCK,
    backgrounds: options.printBackground,
    transparent: false,
    owner,
  };
  const asks = options.author !== null || options.roomFor !== null || isLong;
  const settle = prepareForPrint(files, options);
  const answer = await process.print({ ...part, ...order, asks, settle, keep: byPage !== null });
  const { rules: said, heights, content } = foundBy(answer);
  const rules = options.author === null ? null : pageRulesOf(said);
  return { process, folder, document, part, order, answer, asks, byPage, rules, heights, content };
}

function sheetFor(
  { options }: WebDocument,
  rules: PageRules | null,
  heights: unknown,
  content: number | null,
): Sheet {
  const choice = withRoomFor(options, heights);
  return options.fitsContent ? longSheetOf(choice, rules, content, options.scale) : sheetOf(choice, rules);
}

/** A document on its sheets. */
interface Printed {
  sheet: Sheet;
  own: Pick<PrintOrder, 'sheet' | 'room'>;
  composition: Composition;
}

/** Prints all pages of what is loaded; one that is to be one page is tried longer until it is. */
async function printWhole(loaded: Loaded): Promise<Printed> {
  const { document, rules, heights, content } = loaded;
  let length = document.options.fitsContent ? Number(content) : null;
  let printed = await printOn(loaded, sheetFor(document, rules, heights, length));
  for (let tries = 1; length !== null && printed.composition.pageCount > 1; tries += 1) {
    if (tries === LENGTH_TRIES)
      throw new PlatenError('print_failed', 'The content does not come to stand on one page.');
    length = longer(length);
    printed = await printOn(loaded, sheetFor(document, rules, heights, length));
  }
  return printed;
}

async function printOn({ process, document, part, answer, asks }: Loaded, sheet: Sheet): Promise<Printed> {
  const { factor, ...own } = sheetSetup(sheet, document.options.scale);
  const body = await finished(!asks || !answer.ok ? answer : await process.goOn(own), part);
  return { sheet, own, composition: await Composition.read(body, sheet.size, factor) };
}

/** The section that each page begins in: the document is printed once more, with marks at its headings. */
async function sectionsOfPages(
  { process, folder, document, order }: Loaded,
  { own }: Printed,
): Promise<string[]> {
  // Loaded here, as few documents need it.
  const { marksScript, newSignature, sectionsOf, titlesOf } = await import('@platen/print/sections');
  const { html, files, options } = document;
  const signature = newSignature();
  const marked = await writePart(folder, 'marked', html);
  const settle = prepareForPrint(files, options, marksScript(signature));
  const reopened = await process.print({ ...marked, ...order, asks: true, settle, keep: true });
  const { titles } = foundBy(reopened);
  const pdf = await finished(reopened.ok ? await process.goOn(own) : reopened, marked);
  return await sectionsOf(pdf, signature, titlesOf(titles));
}

/**
 * Prints headers and footers, and puts them over the pages.
 *
 * @param pages those that are kept
 */
async function putFurniture(
  loaded: Loaded,
  byPage: FurnitureByPage,
  printed: Printed,
  pages: readonly number[],
): Promise<void> {
  const { process, folder, document, order, rules } = loaded;
  const { sheet, composition } = printed;
  const { furnitureFonts, skipFurnitureOnFirstPage } = document.options;
  // Over the whole sheet, and not at the scale of the document.
  const whole = { size: sheet.size, margins: { top: 0, right: 0, bottom: 0, left: 0 } };
  const { factor, ...overlay } = sheetSetup(whole, 1);
  const sections = namesSections(byPage) ? await sectionsOfPages(loaded, printed) : [];
  const facts = { total: composition.pageCount, pages, sections, sizes: pages.map(() => overlay.room) };
  const stamps = stampsOf(byPage, facts, skipFurnitureOnFirstPage);
  // One without pages is printed all the same: the document is left by it.
  const text = overlayHtml(stamps, {
    sizes: stamps.map(() => overlay.room),
    margins: leastMargins(sheet, rules),
    variables: furnitureVariables(sheet, rules),
    fonts: furnitureFonts,
    hasNamedPages: false,
  });
  const over = await writePart(folder, 'overlay', text);
  const answer = await process.print({
    ...over,
    ...overlay,
    asks: false,
    style: PAGE_STYLE,
    address: furnitureFonts === '' ? 'about:blank' : document.address,
    resources: furnitureFonts === '' ? {} : order.resources,
    script: '',
    settle: `${SETTLE}{${BOLD_FACES}}{${JOINED}}`,
    backgrounds: true,
    transparent: true,
    owner: document.owner,
    keep: false,
  });
  if (stamps.length === 0) return;
  const numbers = stamps.map(({ places }) => places.flatMap((place) => pages[place] ?? []));
  await composition.stamp(await finished(answer, over), numbers, factor);
}

const NO_FURNITURE: FurnitureByPage = { header: [], footer: [], firstPageNumber: 1 };

type Part = Pick<PrintOrder, 'html' | 'output'>;

/** Puts a document where the engine finds it. */
async function writePart(folder: string, name: string, text: string): Promise<Part> {
  const html = path.join(folder, `${name}.html`);
  await writeFile(html, text, { mode: 0o600 });
  return { html, output: path.join(folder, `${name}.pdf`) };
}

/** The PDF of an order that is done. */
async function finished(answer: PrintAnswer, { output }: Part): Promise<Buffer> {
  if (!answer.ok) {
    throw new PlatenError('print_failed', 'The document cannot be printed.', {
      cause: new Error(answer.message),
    });
  }
  return await readFile(output);
}

/** What was found in a loaded document. One may have spoiled what is asked for: it is printed as it is. */
function foundBy(answer: PrintAnswer): z.infer<typeof foundSchema> {
  if (!answer.ok || answer.found === undefined) return NOTHING_FOUND;
  try {
    return foundSchema.parse(JSON.parse(answer.found));
  } catch (error) {
    if (error instanceof SyntaxError) return NOTHING_FOUND;
    throw error;
  }
}

const NOTHING_FOUND = { rules: null, heights: null, content: null, titles: null };
const foundSchema = z
  .object({ rules: z.unknown(), heights: z.unknown(), content: z.unknown(), titles: z.unknown() })
  .catch(NOTHING_FOUND);

/** Puts the files a document may load where the engine finds them. */
async function writeFiles(folder: string, files: Bundle['files']): Promise<PrintOrder['resources']> {
  await mkdir(folder);
  const resources: PrintOrder['resources'] = {};
  for (const [index, [address, { contentType, bytes }]] of [...files].entries()) {
    const file = path.join(folder, String(index));
    await writeFile(file, bytes, { mode: 0o600 });
    resources[address] = { file, type: contentType };
  }
  return resources;
}
