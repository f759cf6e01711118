import { PlatenError, isPlatenError } from '@platen/core/errors';
import { unlessAborted } from '@platen/core/abort';
import { cachingFetcher, type Fetcher } from '../fetcher/index.ts';
import { ALTERNATE_TEXTS } from '../alternate-texts.ts';
import type { HtmlDocument, HtmlReader, PrintOptions, ReadingSession } from '../print.ts';
import type { DocumentReading } from '../word/reading.ts';
import { chromeConfig, type ChromeConfig } from './config.ts';
import { ProtocolError } from './connection.ts';
import { A3_OF_BOOTSTRAP, mayBeA3 } from './bootstrap-pages.ts';
import { dropMarks, shortenNames } from './destinations.ts';
import { findHidden, findUndrawn } from './find-hidden.ts';
import { asSuspect } from './printed-objects.ts';
import { type FootnoteState, NOT_PLACED } from './footnote-state.ts';
import type { Footnotes } from './footnotes.ts';
import { withoutIdleLinks } from './idle-links.ts';
import { withFurnitureApart } from './furniture-apart.ts';
import type { FormFields } from './form-fields.ts';
import { Gate } from './gate.ts';
import { ideographLanguages, joinedLanguages } from '../page/language.ts';
import { hasRunningElements, namesPages } from '../contents/css.ts';
import { editedPageBlocks } from '../page/page-blocks.ts';
import { emptyDocumentAfter, mayBeWrittenInto, resourceUrl } from './own-origin.ts';
import type { ChromePage } from './page.ts';
import { ChromePool } from './pool.ts';
import { printLoaded } from './print-document.ts';
import { readLoaded, warnOfOtherPages } from './read-document.ts';
import type { RunningElements } from './running.ts';
import { PageCrashed } from './tab.ts';

/**
 * The Chromium engine.
 *
 * @param config settings that differ from the defaults
 * @param fetcher loads outside resources of documents
 */
export function createChromePrinter(config: Partial<ChromeConfig>, fetcher: Fetcher): HtmlReader {
  return new ChromePrinter(chromeConfig(config), fetcher);
}

/** The document, and its owner. */
interface PrintJob {
  tenant: string;
  /** Loads outside resources, for all documents of the session. */
  fetcher: Fetcher;
  document: HtmlDocument;
  options: PrintOptions;
  /** See `ChromePage.load`. */
  pixelRatio: number;
  isTransparent?: boolean;
}

/** Device pixels per CSS pixel for a document whose layout is read. */
const READING_RATIO = 2;

/** Maximum bytes of outside resources that a session caches. */
const SESSION_CACHE = 32 * 1024 * 1024;

/** The operation on a loaded document. */
type Work<T> = (page: ChromePage, gate: Gate) => Promise<T>;

class ChromePrinter implements HtmlReader {
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

  session(tenant: string): ReadingSession {
    const closing = new AbortController();
    const fetcher = cachingFetcher(this.#fetcher, SESSION_CACHE);
    const either = (signal: AbortSignal | undefined): AbortSignal =>
      AbortSignal.any(signal === undefined ? [closing.signal] : [closing.signal, signal]);
    let last: PrintJob | undefined;
    const run = <T>(job: PrintJob, work: Work<T>, signal: AbortSignal): Promise<T> => {
      last = job;
      return this.#twice(job, work, signal);
    };
    return {
      print: async (document, options, signal) => {
        const job = { tenant, fetcher, document, options, pixelRatio: 1 };
        const footnotes: FootnoteState = { isPlacing: false, isRefused: false };
        const work: Work<Buffer> = (page, gate) => printWanted(page, options, document, gate, footnotes);
        const given = either(signal);
        const pdf = await run(job, work, given).catch((error: unknown) => {
          given.throwIfAborted();
          if (!footnotes.isPlacing) throw error;
          // A layout with floats may be too much for the browser.
          footnotes.isRefused = true;
          document.warn?.(NOT_PLACED);
          return run(job, work, given);
        });
        if (pdf.length > this.#config.maxPdfBytes)
          throw tooLarge(`the PDF is larger than ${this.#config.maxPdfBytes} bytes`);
        return pdf;
      },
      read: (document, options, signal): Promise<DocumentReading> => {
        const job = { tenant, fetcher, document, options };
        warnOfReferences(document);
        const missing = (address: string): void => document.missing?.(address, 'missing');
        const read: Work<DocumentReading> = async (page) => {
          const { sheet, rules } = page.sheet(options);
          if (rules !== null) warnOfOtherPages(rules, document.warn);
          await findUndrawn(page, document);
          return { ...(await readLoaded(page, options.printBackground, missing)), sheet };
        };
        return run({ ...job, pixelRatio: READING_RATIO }, read, either(signal));
      },
      picture: (document, options, picture, signal) => {
        const { deviceScale: pixelRatio, transparent: isTransparent } = picture;
        const job = { tenant, fetcher, document, options, pixelRatio, isTransparent };
        warnOfReferences(document);
        const take: Work<Uint8Array> = async (page) => {
          const { pictureLoaded } = await import('./picture.ts');
          await findUndrawn(page, document);
          return await pictureLoaded(page, picture);
        };
        return run(job, take, either(signal));
      },
      close: async () => {
        closing.abort(new PlatenError('engine_unavailable', 'The rendering was cancelled.'));
        const empty = last === undefined ? null : emptyDocumentAfter(last.document, last.options);
        if (empty !== null) this.#pool.prepare(tenant, empty);
      },
    };
  }

  /**
   * Loads a document and runs the operation; if the engine fails, repeats it once on a new page, and in a new browser
   * if that has ended.
   */
  async #twice<T>(job: PrintJob, work: Work<T>, signal: AbortSignal): Promise<T> {
    try {
      return await this.#attempt(job, work, signal, false);
    } catch (error) {
      signal.throwIfAborted();
      if (!mayBeOfEngine(error)) throw error;
      this.#config.log('chrome_retry', { reason: reasonOf(error) });
    }
    try {
      return await this.#attempt(job, work, signal, true);
    } catch (error) {
      signal.throwIfAborted();
      if (isPlatenError(error)) throw error;
      this.#config.log('chrome_failed', { reason: reasonOf(error) });
      if (!(error instanceof PageCrashed && error.isOwnFault)) throw unavailable(error);
      throw new PlatenError('print_failed', 'The document made the engine crash, twice.', { cause: error });
    }
  }

  /** @throws PlatenError, or the error of the browser or the page */
  async #attempt<T>(
    { tenant, fetcher, document, options, pixelRatio, isTransparent }: PrintJob,
    work: Work<T>,
    signal: AbortSignal,
    isSecond: boolean,
  ): Promise<T> {
    const furniture = ideographLanguages(`${options.header ?? ''}${options.footer ?? ''}`);
    const languages = joinedLanguages(document.facts.ideographs, furniture);
    const lease = await this.#pool.acquire(tenant, languages, signal, isSecond);
    const deadline = AbortSignal.timeout(this.#config.printTimeout);
    const either = AbortSignal.any([signal, deadline]);
    const { empty } = lease.page;
    const gate = new Gate(
      document,
      fetcher,
      either,
      (css) => editedPageBlocks(css, options.fitsContent ? { ...options, author: null } : options),
      empty !== null && mayBeWrittenInto(empty, document, options) ? empty : null,
    );
    let good = false;
    try {
      const result = await unlessAborted(
        loadAndWork(
          async () => {
            const { observer } = document;
            lease.page.listen(observer === undefined ? null : (message) => observer.console(message));
            await lease.page.load(gate, options, pixelRatio, isTransparent);
            if (gate.hasBlankImages) await lease.page.evaluate(ALTERNATE_TEXTS);
          },
          () => work(lease.page, gate),
        ),
        either,
      );
      good = true;
      return result;
    } catch (error) {
      signal.throwIfAborted();
      if (deadline.aborted) throw tooLate(this.#config.printTimeout, lease.page.isWaiting);
      // At first, the memory may have been that of earlier documents of the page, or of another page of the browser.
      if (isSecond && !isPlatenError(error) && lease.exceededMemory()) {
        throw tooLarge(
          `it needs more than ${Math.round(this.#config.documentMemory / 1024 / 1024)} MB of memory`,
        );
      }
      const ended = mayBeOfEngine(error)
        ? await unlessAborted(lease.page.ended(), either).catch(() => undefined)
        : undefined;
      // After a refusal the page is still usable.
      good = isPlatenError(error) && ended === undefined;
      throw ended ?? error;
    } finally {
      // The origin of a web site is not unique to the document: its stored data is removed with the page.
      lease.release(good && !gate.isForeign && !lease.page.isSpent);
    }
  }
}

/** Only printed documents have pages to which contents and references could refer (I-51). */
function warnOfReferences({ html, facts, warn }: HtmlDocument): void {
  if (facts.refersToPages && namesPages(html)) {
    warn?.(
      'Contents and references: target-counter() and related functions require PDF; their places stay empty.',
    );
  }
  if (facts.refersToPages && hasRunningElements(html))
    warn?.('Running elements: position: running() is for PDF; here they stay where they are written.');
}

/** Hyphenation (I-49). Loaded on demand: few renderings need it. */
async function divideWords(page: ChromePage, gate: Gate, options: PrintOptions): Promise<void> {
  if (!gate.hyphenates && !gate.facts.hasSoftHyphens) return;
  const { hyphenate, joinWords } = await import('./hyphenation.ts');
  if (gate.facts.hasSoftHyphens) await joinWords(page, options);
  if (gate.hyphenates) await hyphenate(page, options);
}

/** Footnotes (I-51). Loaded on demand: few renderings need them. */
async function liftFootnotes(
  page: ChromePage,
  options: PrintOptions,
  state: FootnoteState,
  warn: (text: string) => void,
): Promise<Footnotes | null> {
  return await (await import('./footnotes.ts')).Footnotes.lift(page, options, state, warn);
}

/** Running elements (I-51). Loaded on demand: few renderings have them. */
async function liftRunning(
  page: ChromePage,
  options: PrintOptions,
  warn: (text: string) => void,
): Promise<RunningElements | null> {
  return await (await import('./running.ts')).RunningElements.lift(page, options, warn);
}

/** Form controls that become fields (I-48). Loaded on demand: few renderings have them. */
async function markControls(
  page: ChromePage,
  options: PrintOptions,
  warn: (text: string) => void,
): Promise<FormFields | null> {
  return await (await import('./form-fields.ts')).FormFields.mark(page, options, warn);
}

/** Prints the loaded document with its own page settings, and reports its layout to an observer. */
async function printWanted(
  page: ChromePage,
  given: PrintOptions,
  document: HtmlDocument,
  gate: Gate,
  state: FootnoteState,
): Promise<Buffer> {
  const { observer, untagged, warn = () => {} } = document;
  const options = await withFurnitureApart(page, gate, given);
  const running = gate.hasRunningElements ? await liftRunning(page, options, warn) : null;
  for (const text of page.coveredText(options)) warn(text);
  if (gate.hasPageOfBootstrap && mayBeA3(page, options)) warn(A3_OF_BOOTSTRAP);
  const { isSuspect, repeats } = await findHidden(page, gate, document, options);
  page.finish = isSuspect ? asSuspect : null;
  const print = async (how: PrintOptions): Promise<Buffer> => {
    if (untagged === undefined || !how.tagged) return await printLoaded(page, how);
    const { printTagged } = await import('./tagging.ts');
    return await printTagged(page, () => printLoaded(page, how), untagged);
  };
  const finished = async (whole: Buffer): Promise<Buffer> => {
    shortenNames(whole);
    const linked = await withoutIdleLinks(whole, options.pageRange !== null);
    const dividesWords = gate.facts.hasSoftHyphens || gate.hyphenates;
    const pdf = dividesWords ? await (await import('./soft-hyphens.ts')).withoutSoftHyphens(linked) : linked;
    return repeats && options.tagged ? await (await import('./repeated-text.ts')).withSingleText(pdf) : pdf;
  };
  // Lines differ without notes in them.
  const footnotes = gate.refersToPages ? await liftFootnotes(page, options, state, warn) : null;
  await divideWords(page, gate, options);
  if (observer === undefined && !gate.refersToPages && !document.hasFields)
    return await finished(await print(options));
  // Headers by page come last, because the document is left for them.
  const { byPage } = options;
  const bare = byPage === null ? options : { ...options, byPage: null, header: null, footer: null };
  // All are loaded on demand: few renderings need them.
  const tell =
    observer === undefined
      ? null
      : await (
          await import('./observe.ts')
        ).observeLayout(page, options, observer, (address) => gate.hasDrawing(address));
  const fields = document.hasFields ? await markControls(page, options, warn) : null;
  const printed = gate.refersToPages
    ? await (await import('./references.ts')).printReferring(page, bare, print, warn, footnotes)
    : await print(bare);
  await tell?.(printed);
  const whole = async (made: Buffer): Promise<Buffer> => {
    dropMarks(made);
    return await finished(made);
  };
  const once = await whole(printed);
  const pdf = (await fields?.settle(once, async () => await whole(await print(bare)), warn)) ?? once;
  const stamp = await running?.prepare();
  if (byPage === null) return (await stamp?.(pdf)) ?? pdf;
  const { withFurniture } = await import('./furniture-by-page.ts');
  const furnished = await withFurniture(page, pdf, options, byPage);
  return (await stamp?.(furnished)) ?? furnished;
}

async function loadAndWork<T>(load: () => Promise<void>, work: () => Promise<T>): Promise<T> {
  try {
    await load();
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    throw new PlatenError('print_failed', `The engine cannot load the document (${error.message}).`, {
      cause: error,
    });
  }
  return work();
}

/** Whether another page may print the document: the engine has failed, or has refused a command. */
function mayBeOfEngine(error: unknown): boolean {
  return !isPlatenError(error) || error.cause instanceof ProtocolError;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

function unavailable(cause: unknown): PlatenError {
  return new PlatenError('engine_unavailable', 'The engine does not start or has ended. Try again.', {
    cause,
  });
}

function tooLate(timeout: number, isWaiting: boolean): PlatenError {
  const what = isWaiting
    ? 'The conditions of render_options.wait_for were not met'
    : 'The document was not printed';
  return new PlatenError('deadline_exceeded', `${what} within ${timeout / 1000} seconds.`);
}

function tooLarge(reason: string): PlatenError {
  return new PlatenError('document_too_large', `The document is too large to print: ${reason}.`);
}
