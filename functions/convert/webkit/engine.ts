import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Bundle } from '../../shared/convert/bundle.ts';
import type { SheetOptions } from '../../shared/convert/protocol.ts';
import { CLOCK } from '../../shared/clock.ts';
import { PlatenError } from '../../shared/errors.ts';
import { pagesOfRange, parsePageRange } from '../../shared/pdf/page-range.ts';
import { SETTLE } from '../../shared/settle.ts';
import { BOLD_FACES } from '../../shared/bold-faces.ts';
import type { ConfinementState } from '../confinement.ts';
import type { FontConfiguration } from '../fonts.ts';
import { type EngineLimits, WarmEngine } from '../warm-engine.ts';
import { Composition } from './composition.ts';
import { HOW_TO_INSTALL, isInstalled } from './installation.ts';
import { overlayHtml } from './overlay.ts';
import { prepareForPrint } from './prepare.ts';
import { type PrintOrder, WebKitProcess, type WebKitProcessOptions } from './process.ts';
import { PAGE_STYLE, sheetSetup } from './sheet.ts';

/** An html document to be printed, with all that it may load. */
export interface WebDocument extends Bundle {
  /** Documents of different owners never share a process. */
  owner: string;
  /** Where it believes it is. */
  address: string;
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
  { html, files, owner, address, options }: WebDocument,
): Promise<Uint8Array> {
  const { pageRange, header, footer, skipFurnitureOnFirstPage } = options;
  const hasFurniture = header !== null || footer !== null;
  const { factor: shrink, ...setup } = sheetSetup(options);
  const body = await printPart(process, folder, 'body', html, {
    ...setup,
    style: PAGE_STYLE,
    address,
    resources: await writeFiles(path.join(folder, 'files'), files),
    script: CLOCK,
    settle: prepareForPrint(files),
    backgrounds: options.printBackground,
    transparent: false,
    owner,
    keep: hasFurniture,
  });
  const composition = await Composition.read(body, options, shrink);
  const total = composition.pageCount;
  const pages = pageRange === null ? null : pagesOfRange(pageRange, total);
  const all = pages ?? Array.from({ length: total }, (_, index) => index + 1);
  const furnished = all.filter((page) => page !== 1 || !skipFurnitureOnFirstPage);
  if (hasFurniture && furnished.length > 0) {
    // Over the whole sheet, and not at the scale of the document.
    const whole = { ...options, scale: 1, margins: { top: 0, right: 0, bottom: 0, left: 0 } };
    const { factor, ...overlay } = sheetSetup(whole);
    const text = overlayHtml(options, furnished, total, overlay.room.height);
    const stamp = await printPart(process, folder, 'overlay', text, {
      ...overlay,
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
    await composition.stamp(stamp, furnished, factor);
  }
  if (pages !== null) composition.select(pages);
  return await composition.save();
}

type Part = Omit<PrintOrder, 'html' | 'output'>;

async function printPart(
  process: WebKitProcess,
  folder: string,
  name: string,
  text: string,
  part: Part,
): Promise<Buffer> {
  const html = path.join(folder, `${name}.html`);
  const output = path.join(folder, `${name}.pdf`);
  await writeFile(html, text, { mode: 0o600 });
  const answer = await process.print({ html, output, ...part });
  if (!answer.ok) {
    throw new PlatenError('print_failed', 'The document cannot be printed.', {
      cause: new Error(answer.message),
    });
  }
  return await readFile(output);
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
