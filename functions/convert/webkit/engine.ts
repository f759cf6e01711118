import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Bundle } from '@platen/print/bundle';
import type { SheetOptions } from '@platen/print/sheet-options';
import { CLOCK } from '@platen/core/clock';
import { PlatenError } from '@platen/core/errors';
import { pagesOfRange, parsePageRange } from '@platen/pdf/page-range';
import { type PageRules, pageRulesOf } from '@platen/print/page-rules';
import { SETTLE } from '@platen/core/settle';
import { BOLD_FACES } from '@platen/print/bold-faces';
import { furnitureVariables, sheetOf } from '@platen/print/sheet';
import type { ConfinementState } from '../confinement.ts';
import type { FontConfiguration } from '../fonts.ts';
import { type EngineLimits, WarmEngine } from '../warm-engine.ts';
import { Composition } from './composition.ts';
import { HOW_TO_INSTALL, isInstalled } from './installation.ts';
import { overlayHtml } from './overlay.ts';
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
  const { pageRange, header, footer, skipFurnitureOnFirstPage } = options;
  const hasFurniture = header !== null || footer !== null;
  // As scripts measure it while the document loads, before it is known what its rules say.
  const { factor: _, ...setup } = sheetSetup(sheetOf(options, null), options.scale);
  const part = await writePart(folder, 'body', html);
  const opened = await process.print({
    ...part,
    ...setup,
    asks: options.author !== null,
    style: PAGE_STYLE,
    address,
    resources: await writeFiles(path.join(folder, 'files'), files),
    script: CLOCK,
    settle: prepareForPrint(files, options),
    backgrounds: options.printBackground,
    transparent: false,
    owner,
    keep: hasFurniture,
  });
  const rules = rulesOf(opened);
  const sheet = sheetOf(options, rules);
  const { factor: shrink, ...own } = sheetSetup(sheet, options.scale);
  const body = await finished(options.author === null || !opened.ok ? opened : await process.goOn(own), part);
  const composition = await Composition.read(body, sheet.size, shrink);
  const total = composition.pageCount;
  const pages = pageRange === null ? null : pagesOfRange(pageRange, total);
  const all = pages ?? Array.from({ length: total }, (_, index) => index + 1);
  const furnished = all.filter((page) => page !== 1 || !skipFurnitureOnFirstPage);
  if (hasFurniture && furnished.length > 0) {
    // Over the whole sheet, and not at the scale of the document.
    const whole = { size: sheet.size, margins: { top: 0, right: 0, bottom: 0, left: 0 } };
    const { factor, ...overlay } = sheetSetup(whole, 1);
    const variables = furnitureVariables(sheet, rules);
    const text = overlayHtml(options, furnished, total, overlay.room.height, sheet, variables);
    const over = await writePart(folder, 'overlay', text);
    const printed = await process.print({
      ...over,
      ...overlay,
      asks: false,
      style: PAGE_STYLE,
      address: 'about:blank',
      resources: {},
      script: '',
      settle: SETTLE + BOLD_FACES,
      backgrounds: true,
      transparent: true,
      owner,
      keep: false,
    });
    await composition.stamp(await finished(printed, over), furnished, factor);
  }
  if (pages !== null) composition.select(pages);
  if (language !== null) composition.setLanguage(language);
  return await composition.save();
}

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

/** What a loaded document says of its sheets. One may have spoiled what is asked for: it is printed as it is. */
function rulesOf(answer: PrintAnswer): PageRules | null {
  if (!answer.ok || answer.found === undefined) return null;
  try {
    return pageRulesOf(JSON.parse(answer.found));
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

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
