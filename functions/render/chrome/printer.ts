import { PlatenError, isPlatenError } from '../../shared/errors.ts';
import type { Fetcher } from '../../shared/fetcher/fetcher.ts';
import { pagesOfRange, parsePageRange } from '../../shared/pdf/page-range.ts';
import { countSelected, formatSpans, highestNamedPage, mergeSpans } from '../page/page-range.ts';
import type { HtmlDocument, HtmlPrinter, PrintOptions, PrintSession } from '../print.ts';
import { chromeConfig, type ChromeConfig } from './config.ts';
import { ConnectionLost, ProtocolError } from './connection.ts';
import { Gate, resourceUrl } from './gate.ts';
import { countPages } from './page-count.ts';
import { PageCrashed, type ChromePage } from './page.ts';
import { ChromePool } from './pool.ts';

/**
 * The Chromium engine.
 *
 * @param config what differs from the defaults
 * @param fetcher loads outside resources of documents
 */
export function createChromePrinter(config: Partial<ChromeConfig>, fetcher: Fetcher): HtmlPrinter {
  return new ChromePrinter(chromeConfig(config), fetcher);
}

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
    return {
      print: (document, options, signal) => {
        const signals = signal === undefined ? [closing.signal] : [closing.signal, signal];
        return this.#print(tenant, document, options, AbortSignal.any(signals));
      },
      close: async () => closing.abort(new PlatenError('engine_unavailable', 'The rendering was given up.')),
    };
  }

  /** Prints, once more on a fresh browser if the first one crashed. */
  async #print(
    tenant: string,
    document: HtmlDocument,
    options: PrintOptions,
    signal: AbortSignal,
  ): Promise<Buffer> {
    try {
      return await this.#attempt(tenant, document, options, signal);
    } catch (error) {
      if (!isCrash(error)) throw error;
      this.#config.log('chrome_retry', { error: String(error) });
    }
    try {
      return await this.#attempt(tenant, document, options, signal);
    } catch (error) {
      if (error instanceof PageCrashed) {
        throw new PlatenError('print_failed', 'The document made the engine crash, twice.', { cause: error });
      }
      throw isCrash(error) ? unavailable(error) : error;
    }
  }

  async #attempt(
    tenant: string,
    document: HtmlDocument,
    options: PrintOptions,
    signal: AbortSignal,
  ): Promise<Buffer> {
    const lease = await this.#pool.acquire(tenant, signal).catch((error: unknown) => {
      throw signal.aborted ? signal.reason : unavailable(error);
    });
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(this.#config.printTimeout)]);
    let good = false;
    try {
      const gate = new Gate(document, this.#fetcher, deadline);
      const pdf = await unlessAborted(deadline, printDocument(lease.page, gate, document.title, options));
      good = true;
      return pdf;
    } catch (error) {
      // A refused option or page range leaves the page in order.
      good = isPlatenError(error) && !deadline.aborted;
      if (deadline.aborted && !signal.aborted) throw tooLate(this.#config.printTimeout);
      throw error instanceof ProtocolError
        ? new PlatenError('print_failed', reasonOf(error), { cause: error })
        : error;
    } finally {
      lease.release(good);
    }
  }
}

async function printDocument(
  page: ChromePage,
  gate: Gate,
  title: string,
  options: PrintOptions,
): Promise<Buffer> {
  const range = options.pageRange;
  const spans = range === null ? [] : mergeSpans(parsePageRange(range));
  await page.load(gate, title);
  if (range === null) return page.pdf(options, '');

  const pdf = await page.pdf(options, formatSpans(spans)).catch((error: unknown) => {
    // Chromium refuses a range that selects nothing; one that selects too little is seen below.
    if (error instanceof ProtocolError && error.message.includes('exceeds page count')) return null;
    throw error;
  });
  if (pdf !== null && countPages(pdf) >= countSelected(spans, highestNamedPage(spans))) return pdf;
  // Too few pages: printed whole, without what costs time, to be able to say how many there are.
  const whole = await page.pdf({ ...options, header: null, footer: null, tagged: false }, '');
  pagesOfRange(range, countPages(whole));
  throw new Error(`Chromium printed other pages than ${range}`);
}

async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const aborted = new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    else signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  // Whichever loses is not waited for.
  work.catch(() => {});
  return Promise.race([work, aborted]);
}

function isCrash(error: unknown): boolean {
  return error instanceof ConnectionLost || error instanceof PageCrashed;
}

function unavailable(cause: unknown): PlatenError {
  return new PlatenError('engine_unavailable', 'The engine cannot be started or has ended. Try again.', {
    cause,
  });
}

function tooLate(timeout: number): PlatenError {
  return new PlatenError(
    'deadline_exceeded',
    `The document was not printed within ${timeout / 1000} seconds.`,
  );
}

function reasonOf(error: ProtocolError): string {
  return `The engine refused the document (${error.message}).`;
}
