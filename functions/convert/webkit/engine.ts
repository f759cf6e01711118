import { PlatenError } from '@platen/core/errors';
import { type PrintedDocument, printDocument, type WebDocument } from '@platen/print/webkit/engine';
import { parsePageRange } from '@platen/pdf/options';
import { OwnedFontMemory } from '@platen/pdf/text';
import type { ConfinementState } from '../confinement.ts';
import type { FontConfiguration } from '../fonts.ts';
import { type EngineLimits, WarmEngine } from '../warm-engine.ts';
import { HOW_TO_INSTALL, isInstalled } from './installation.ts';

import { WebKitProcess, type WebKitProcessOptions } from './process.ts';

export interface WebKitOptions extends EngineLimits, Omit<WebKitProcessOptions, 'fontConfig'> {
  /** Called when WebKit starts; returns null for the machine's own fonts. */
  fontConfig: () => Promise<FontConfiguration | null>;
}

/** A WebKitGTK process that is kept warm. */
export class WebKit {
  readonly #engine: WarmEngine<WebKitProcess>;
  readonly #fonts = new OwnedFontMemory();

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

  /** Starts WebKit. @throws PlatenError as `WarmEngine.warm` */
  async warm(): Promise<void> {
    await this.#engine.warm();
  }

  /**
   * Prints a document.
   *
   * @throws PlatenError `page_range_invalid`, `page_range_outside_document`, `print_failed`, and as `WarmEngine.run`
   */
  async print(document: WebDocument): Promise<PrintedDocument> {
    const { pageRange } = document.options;
    // Checked before anything is printed.
    if (pageRange !== null) parsePageRange(pageRange);
    return await this.#engine.run(document.timeout, (process, folder) =>
      printDocument(process, folder, document, this.#fonts.of(document.owner)),
    );
  }

  /** The state of the confinement of the running WebKit; null if none runs. */
  get confinement(): ConfinementState | null {
    return this.#engine.confinement;
  }

  /** Ends WebKit and removes all its files. */
  async close(): Promise<void> {
    await this.#engine.close();
  }
}

function missing(): PlatenError {
  return new PlatenError(
    'engine_missing',
    `WebKitGTK is not installed where this service runs. Use the rendering engine chrome, or install it. On Debian and Ubuntu: ${HOW_TO_INSTALL}`,
  );
}
