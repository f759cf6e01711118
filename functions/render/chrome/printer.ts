import { PlatenError, isPlatenError } from '../../shared/errors.ts';
import { unlessAborted } from '../../shared/abort.ts';
import { cachingFetcher, type Fetcher } from '../../shared/fetcher/index.ts';
import type { HtmlDocument, HtmlPrinter, PrintOptions, PrintSession } from '../print.ts';
import { chromeConfig, type ChromeConfig } from './config.ts';
import { ProtocolError } from './connection.ts';
import { Gate, resourceUrl } from './gate.ts';
import { ideographLanguages, joinedLanguages } from '../page/language.ts';
import { editedPageBlocks } from '../page/page-blocks.ts';
import { PageCrashed, type ChromePage } from './page.ts';
import { ChromePool } from './pool.ts';
import { printLoaded } from './print-document.ts';

/**
 * The Chromium engine.
 *
 * @param config what differs from the defaults
 * @param fetcher loads outside resources of documents
 */
export function createChromePrinter(config: Partial<ChromeConfig>, fetcher: Fetcher): HtmlPrinter {
  return new ChromePrinter(chromeConfig(config), fetcher);
}

/** What is printed, and for whom. */
interface PrintJob {
  tenant: string;
  /** Loads what is outside, for all documents of the session. */
  fetcher: Fetcher;
  document: HtmlDocument;
  options: PrintOptions;
}

/** Bytes of outside resources remembered for the length of a session. */
const SESSION_CACHE = 32 * 1024 * 1024;

class ChromePrinter implements HtmlPrinter {
  readonly concurrency: number;
  readonly #config: ChromeConfig;
  readonly #fetcher: Fetcher;
  readonly #pool: ChromePool;

  constructor(config: ChromeConfig, fetcher: Fetcher) {
    this.concurrency = config.concurrency;
    this.#config = config;
    this.#fetcher = fetcher;
    this.#pool = new ChromePool(config);
  }

  resourceUrl(path: string): string {
    return resourceUrl(path);
  }

  async warm(): Promise<void> {
    try {
      await this.#pool.warm();
    } catch (error) {
      throw unavailable(error);
    }
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  session(tenant: string): PrintSession {
    const closing = new AbortController();
    const fetcher = cachingFetcher(this.#fetcher, SESSION_CACHE);
    return {
      print: (document, options, signal) => {
        const signals = signal === undefined ? [closing.signal] : [closing.signal, signal];
        return this.#print({ tenant, fetcher, document, options }, AbortSignal.any(signals));
      },
      close: async () => closing.abort(new PlatenError('engine_unavailable', 'The rendering was given up.')),
    };
  }

  /** Prints, once more on a fresh page, of a fresh browser if that one has ended, after a crash. */
  async #print(job: PrintJob, signal: AbortSignal): Promise<Buffer> {
    try {
      return await this.#attempt(job, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (isPlatenError(error)) throw error;
      this.#config.log('chrome_retry', { reason: reasonOf(error) });
    }
    try {
      return await this.#attempt(job, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (isPlatenError(error)) throw error;
      this.#config.log('chrome_failed', { reason: reasonOf(error) });
      if (!(error instanceof PageCrashed)) throw unavailable(error);
      throw new PlatenError('print_failed', 'The document made the engine crash, twice.', { cause: error });
    }
  }

  /** @throws PlatenError, or what befell the browser or the page */
  async #attempt({ tenant, fetcher, document, options }: PrintJob, signal: AbortSignal): Promise<Buffer> {
    const furniture = ideographLanguages(`${options.header ?? ''}${options.footer ?? ''}`);
    const languages = joinedLanguages(document.facts.ideographs, furniture);
    const lease = await this.#pool.acquire(tenant, languages, signal);
    const deadline = AbortSignal.timeout(this.#config.printTimeout);
    const either = AbortSignal.any([signal, deadline]);
    const gate = new Gate(document, fetcher, either, (css) => editedPageBlocks(css, options));
    let good = false;
    try {
      const pdf = await unlessAborted(loadAndPrint(lease.page, gate, options), either);
      good = true;
      if (pdf.length > this.#config.maxPdfBytes)
        throw tooLarge(`the PDF is larger than ${this.#config.maxPdfBytes} bytes`);
      return pdf;
    } catch (error) {
      signal.throwIfAborted();
      if (deadline.aborted) throw tooLate(this.#config.printTimeout);
      if (!isPlatenError(error) && lease.exceededMemory()) {
        throw tooLarge(
          `it needs more than ${Math.round(this.#config.documentMemory / 1024 / 1024)} MB of memory`,
        );
      }
      // What was refused leaves the page in order.
      good = isPlatenError(error);
      throw error;
    } finally {
      // The origin of a web site is not the document's own: what it stored goes with the page.
      lease.release(good && !gate.isForeign);
    }
  }
}

async function loadAndPrint(page: ChromePage, gate: Gate, options: PrintOptions): Promise<Buffer> {
  try {
    await page.load(gate, options);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    throw new PlatenError('print_failed', `The engine cannot load the document (${error.message}).`, {
      cause: error,
    });
  }
  return printLoaded(page, options);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

function unavailable(cause: unknown): PlatenError {
  return new PlatenError('engine_unavailable', 'The engine does not start or has ended. Try again.', {
    cause,
  });
}

function tooLate(timeout: number): PlatenError {
  return new PlatenError(
    'deadline_exceeded',
    `The document was not printed within ${timeout / 1000} seconds.`,
  );
}

function tooLarge(reason: string): PlatenError {
  return new PlatenError('document_too_large', `The document is too large to print: ${reason}.`);
}
