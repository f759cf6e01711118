import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import type { Bundle } from '@platen/print/bundle';
import type { SheetOptions } from '@platen/print/sheet-options';
import { CLOCK } from '@platen/core/clock';
import { PlatenError } from '@platen/core/errors';
import { pagesOfRange, parsePageRange } from '@platen/pdf/page-range';
import { type FurnitureByPage, namesSections, onAllPages, stampsOf } from '@platen/print/by-page';
import { overlayHtml } from '@platen/print/overlay';
import { type PageRules, pageRulesOf } from '@platen/print/page-rules';
import { SETTLE } from '@platen/core/settle';
import { BOLD_FACES } from '@platen/print/bold-faces';
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
import type { ConfinementState } from '../confinement.ts';
import type { FontConfiguration } from '../fonts.ts';
import { type EngineLimits, WarmEngine } from '../warm-engine.ts';
import { Composition } from './composition.ts';
import { HOW_TO_INSTALL, isInstalled } from './installation.ts';
import { prepareForPrint } from './prepare.ts';
import { type PrintAnswer, type PrintOrder, WebKitProcess, type WebKitProcessOptions } from './process.ts';
import { PAGE_STYLE, sheetSetup } from './sheet.ts';

/** An html document to be printed, with all that it may load. */
export interface WebDocument extends Bundle {
  /** Documents of different owners never share a process. */
  owner: string;
  /** Where it believes it is. */
  address: string;
  /** What the PDF says its language is; null: nothing. */
  language: string | null;
  options: SheetOptions;
  /** Milliseconds, from its turn to its last byte. */
  timeout: number;
}

export interface WebKitOptions extends EngineLimits, Omit<WebKitProcessOptions, 'fontConfig'> {
  /** Asked for when WebKit starts; null for the machine's own fonts. */
  fontConfig: () => Promise<FontConfiguration | null>;
}

/** WebKitGTK kept warm. */
export class WebKit {
  readonly #engine: WarmEngine<WebKitProcess>;

  constructor(options: WebKitOptions) {
    this.#engine = new WarmEngine({
      name: 'WebKit',
      doing: 'Printing',
      ...options,
      start: async (signal) => {
        if (!isInstalled()) throw missing();
        return await WebKitProcess.start({ ...options, fontConfig: await options.fontConfig() }, signal);
      },
    });
  }

  /** @throws PlatenError as `WarmEngine.warm` */
  async warm(): Promise<void> {
    await this.#engine.warm();
  }

  /**
   * Prints a document.
   *
   * @returns a PDF
   * @throws PlatenError `page_range_invalid`, `page_range_outside_document`, `print_failed`, and as `WarmEngine.run`
   */
  async print(document: WebDocument): Promise<Uint8Array> {
    const { pageRange } = document.options;
    // Before anything is printed.
    if (pageRange !== null) parsePageRange(pageRange);
    return await this.#engine.run(document.timeout, (process, folder) =>
      printDocument(process, folder, document),
    );
  }

  /** What holds of the confinement of the WebKit that runs; null while none does. */
  get confinement(): ConfinementState | null {
    return this.#engine.confinement;
  }

  /** Ends WebKit and removes all it left on disk. */
  async close(): Promise<void> {
    await this.#engine.close();
  }
}

async function printDocument(
  process: WebKitProcess,
  folder: string,
  { html, files, owner, address, language, options }: WebDocument,
): Promise<Uint8Array> {
  const { pageRange, skipFurnitureOnFirstPage } = options;
  const isLong = options.fitsContent;
  // A document that may be printed again has to be left by another order.
  const byPage = options.byPage ?? onAllPages(options) ?? (isLong ? NO_FURNITURE : null);
  const sheetFor = (rules: PageRules | null, heights: unknown, content: number | null): Sheet => {
    const choice = withRoomFor(options, heights);
    return isLong ? longSheetOf(choice, rules, content, options.scale) : sheetOf(choice, rules);
  };
  // As scripts measure it while the document loads, before it is known what its rules say.
  const { factor: _, ...setup } = sheetSetup(sheetFor(null, null, null), options.scale);
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
  const opened = await process.print({
    ...part,
    ...order,
    asks,
    settle: prepareForPrint(files, options),
    keep: byPage !== null,
  });
  const { rules: said, heights, content } = foundBy(opened);
  const rules = options.author === null ? null : pageRulesOf(said);
  const printOn = async (
    sheet: Sheet,
  ): Promise<{ sheet: Sheet; own: SheetOrder; composition: Composition }> => {
    const { factor, ...own } = sheetSetup(sheet, options.scale);
    const body = await finished(!asks || !opened.ok ? opened : await process.goOn(own), part);
    return { sheet, own, composition: await Composition.read(body, sheet.size, factor) };
  };
  let length = isLong ? Number(content) : null;
  let printed = await printOn(sheetFor(rules, heights, length));
  for (let tries = 1; length !== null && printed.composition.pageCount > 1; tries += 1) {
    if (tries === LENGTH_TRIES)
      throw new PlatenError('print_failed', 'The content does not come to stand on one page.');
    length = longer(length);
    printed = await printOn(sheetFor(rules, heights, length));
  }
  const { sheet, own, composition } = printed;
  const total = composition.pageCount;
  const pages = pageRange === null ? null : pagesOfRange(pageRange, total);
  const all = pages ?? Array.from({ length: total }, (_, index) => index + 1);
  const sectionsOfPages = async (): Promise<string[]> => {
    // Loaded here, as few documents need it.
    const { marksScript, newSignature, sectionsOf, titlesOf } = await import('@platen/print/sections');
    const signature = newSignature();
    const marked = await writePart(folder, 'marked', html);
    const settle = prepareForPrint(files, options, marksScript(signature));
    const reopened = await process.print({ ...marked, ...order, asks: true, settle, keep: true });
    const { titles } = foundBy(reopened);
    const pdf = await finished(reopened.ok ? await process.goOn(own) : reopened, marked);
    return await sectionsOf(pdf, signature, titlesOf(titles));
  };
  if (byPage !== null) {
    // Over the whole sheet, and not at the scale of the document.
    const whole = { size: sheet.size, margins: { top: 0, right: 0, bottom: 0, left: 0 } };
    const { factor, ...overlay } = sheetSetup(whole, 1);
    const sizes = all.map(() => overlay.room);
    const sections = namesSections(byPage) ? await sectionsOfPages() : [];
    const stamps = stampsOf(byPage, { total, pages: all, sections, sizes }, skipFurnitureOnFirstPage);
    // One without pages is printed all the same: the document is left by it.
    const text = overlayHtml(stamps, {
      sizes: stamps.map(() => overlay.room),
      margins: leastMargins(sheet, rules),
      variables: furnitureVariables(sheet, rules),
      fonts: options.furnitureFonts,
      hasNamedPages: false,
    });
    const over = await writePart(folder, 'overlay', text);
    const answer = await process.print({
      ...over,
      ...overlay,
      asks: false,
      style: PAGE_STYLE,
      address: options.furnitureFonts === '' ? 'about:blank' : address,
      resources: options.furnitureFonts === '' ? {} : order.resources,
      script: '',
      settle: SETTLE + BOLD_FACES,
      backgrounds: true,
      transparent: true,
      owner,
      keep: false,
    });
    if (stamps.length > 0) {
      const numbers = stamps.map(({ places }) => places.flatMap((place) => all[place] ?? []));
      await composition.stamp(await finished(answer, over), numbers, factor);
    }
  }
  if (pages !== null) composition.select(pages);
  if (language !== null) composition.setLanguage(language);
  return await composition.save();
}

const NO_FURNITURE: FurnitureByPage = { header: [], footer: [], firstPageNumber: 1 };
type SheetOrder = Pick<PrintOrder, 'sheet' | 'room'>;

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

function missing(): PlatenError {
  return new PlatenError(
    'engine_missing',
    `WebKitGTK is not installed where this service runs. Use the rendering engine chrome, or install it. On Debian and Ubuntu: ${HOW_TO_INSTALL}`,
  );
}
