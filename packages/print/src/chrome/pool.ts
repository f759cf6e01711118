import { Turns } from '@platen/core/turns';
import type { ChromeBrowser } from './browser.ts';
import type { ChromeConfig } from './config.ts';
import { Launcher } from './launcher.ts';
import type { EmptyDocument } from './own-origin.ts';
import type { ChromePage } from './page.ts';

/** A page leased to one tenant. */
export interface Lease {
  readonly page: ChromePage;
  /** Whether a document of the page's browser was terminated for its memory since the lease began. */
  exceededMemory(): boolean;
  /** Ends the lease. A failed page is discarded, a good one is kept for the same tenant. */
  release(good: boolean): void;
}

interface PooledPage {
  page: ChromePage;
  browser: ChromeBrowser;
  /** Languages of the documents with ideographs that it has shown (`ideographLanguages`). */
  language: string;
  /** The number of documents that it has shown. */
  documents: number;
}

interface IdlePage extends PooledPage {
  tenant: string;
  /** Makes the page leave its document unless it is used again before. */
  timer: NodeJS.Timeout;
  /** Present once the page is leaving its document, or collecting garbage: false if it could not. */
  cleaning: Promise<boolean> | undefined;
  /** Whether an empty document may be loaded for the next one: not twice, nor when the page has left its document. */
  mayPrepare: boolean;
}

/**
 * A page collects garbage after this many documents, and after one that took this many milliseconds. By itself, it keeps
 * what some hundred small documents or a few large ones have left, 140 to 700 MB; a collection takes some milliseconds.
 */
const COLLECTION = { documents: 16, milliseconds: 250 };

/** Milliseconds after which an unused page leaves its document, whose scripts may still run. */
const CLEAN_AFTER = 100;

/**
 * Browsers and their pages. A page belongs to one tenant for its whole life: it has its own context and
 * process (in single-process mode its own browser), and is closed rather than given to another tenant.
 */
export class ChromePool {
  readonly #config: ChromeConfig;
  readonly #launcher: Launcher;
  readonly #turns: Turns;
  readonly #browsers = new Set<ChromeBrowser>();
  /** The browser that provides new pages, in multi-process mode. */
  #shared: Promise<ChromeBrowser> | undefined;
  /** Pages that wait for their tenant's next document, least recently used first. */
  #idle: IdlePage[] = [];
  /** An unused page, ready for the next new tenant. */
  #spare: Promise<PooledPage> | undefined;
  /** Whether a browser starts that takes the place of the worn one. */
  #isReplacing = false;
  readonly #background = new Set<Promise<void>>();
  #closed = false;

  constructor(config: ChromeConfig) {
    this.#config = config;
    this.#launcher = new Launcher(config);
    this.#turns = new Turns(config.concurrency);
  }

  /** Starts a browser and prepares a page. */
  async warm(): Promise<void> {
    this.#keepSpare();
    await this.#spare;
  }

  /**
   * Waits for a turn and a page for `tenant`.
   *
   * @param language of the document, from `ideographLanguages`
   * @param isNew whether the page must have been opened for this lease: the process of a waiting one may have ended
   * @throws errors of the browser's start; the signal's reason
   */
  async acquire(tenant: string, language: string, signal: AbortSignal, isNew = false): Promise<Lease> {
    const endTurn = await this.#turns.take(signal, tenant);
    try {
      const pooled = await (isNew ? this.#open() : this.#pageFor(tenant, language));
      pooled.language ||= language;
      pooled.documents += 1;
      pooled.browser.documents += 1;
      this.#replaceIfWorn(pooled.browser);
      const began = performance.now();
      const exceededMemory = pooled.browser.memory.begin();
      let held = true;
      return {
        page: pooled.page,
        exceededMemory,
        release: (good) => {
          if (!held) return;
          held = false;
          exceededMemory();
          endTurn();
          const isLong = performance.now() - began > COLLECTION.milliseconds;
          this.#inBackground(good ? this.#keep(pooled, tenant, isLong) : this.#discard(pooled));
          // The next document follows soon; a browser with a single page is started on demand.
          if (!good && this.#launcher.model !== 'single') this.#keepSpare();
        },
      };
    } catch (error) {
      endTurn();
      throw error;
    }
  }

  /** Loads an empty document in the page that a tenant has used last, for the content of its next document. */
  prepare(tenant: string, empty: EmptyDocument): void {
    const idle = this.#idle.findLast((page) => page.tenant === tenant);
    if (idle?.mayPrepare !== true) return;
    idle.mayPrepare = false;
    this.#clean(idle, (page, most) => page.loadEmpty(empty, most));
  }

  /** Terminates every browser, regardless of its state. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled([this.#shared, this.#spare]);
    await Promise.all([...this.#browsers].map((browser) => browser.process.close()));
    while (this.#background.size > 0) await Promise.all(this.#background);
  }

  async #pageFor(tenant: string, language: string): Promise<PooledPage> {
    const own = this.#idle.filter((page) => page.tenant === tenant);
    const idle =
      own.findLast((page) => page.language === language) ??
      own.findLast((page) => page.language === '' || language === '');
    if (idle !== undefined && this.#takeIdle(idle)) {
      if ((await idle.cleaning) !== false && !idle.page.isGone) return idle;
      this.#inBackground(this.#discard(idle));
      // Others may have ended with it, or wait.
      return this.#pageFor(tenant, language);
    }
    const spare = this.#spare;
    this.#spare = undefined;
    const ready = await spare?.catch(() => undefined);
    if (ready === undefined) return this.#open();
    if (!this.#isOver(ready.browser) && !ready.page.isGone) return ready;
    this.#inBackground(this.#discard(ready));
    return this.#open();
  }

  /** Keeps a page for its tenant and closes the least recently used one. @param isLong as its last document was */
  async #keep(pooled: PooledPage, tenant: string, isLong: boolean): Promise<void> {
    if (this.#closed || this.#isOver(pooled.browser)) return this.#discard(pooled);
    const idle: IdlePage = {
      ...pooled,
      tenant,
      timer: setTimeout(() => {
        idle.mayPrepare = false;
        this.#clean(idle, (page, most) => page.reset(most));
      }, CLEAN_AFTER).unref(),
      cleaning: undefined,
      mayPrepare: true,
    };
    this.#idle.push(idle);
    if (isLong || idle.documents % COLLECTION.documents === 0)
      this.#clean(idle, (page, most) => page.collectGarbage(most));
    this.#keepSpare();
    const surplus = this.#idle.slice(0, Math.max(0, this.#idle.length - this.#config.idlePages));
    await Promise.all(surplus.filter((page) => this.#takeIdle(page)).map((page) => this.#discard(page)));
  }

  /** Removes a page from the idle ones; false if it was already removed. */
  #takeIdle(idle: IdlePage): boolean {
    clearTimeout(idle.timer);
    const index = this.#idle.indexOf(idle);
    if (index === -1) return false;
    this.#idle.splice(index, 1);
    return true;
  }

  /** Removes the idle pages of a browser. @returns their number */
  #takeAllIdle(browser: ChromeBrowser): number {
    const all = this.#idle.filter((page) => page.browser === browser);
    for (const idle of all) this.#takeIdle(idle);
    return all.length;
  }

  /** Makes an idle page leave its document, after it has done so before. Discards it if it cannot and is still idle. */
  #clean(idle: IdlePage, leave: (page: ChromePage, timeout: number) => Promise<void>): void {
    const before = idle.cleaning ?? Promise.resolve(true);
    idle.cleaning = before.then(async (good) => {
      if (!good) return false;
      try {
        await leave(idle.page, this.#config.probeTimeout);
        return true;
      } catch {
        // Whoever has taken it discards it.
        if (this.#takeIdle(idle)) this.#inBackground(this.#discard(idle));
        return false;
      }
    });
  }

  /** Closes a page; with the last page of a replaced browser, or with a page's own browser, also the browser. */
  async #discard({ page, browser }: PooledPage): Promise<void> {
    browser.pages -= 1;
    if (browser.singleProcess || (browser.pages === 0 && this.#isOver(browser)))
      await browser.process.close();
    else await browser.closePage(page);
  }

  /** Whether no further document is printed in it. A shared browser that is worn prints until it is replaced. */
  #isOver(browser: ChromeBrowser): boolean {
    return (
      browser.isReplaced ||
      browser.process.connection.isLost ||
      (browser.singleProcess && this.#isWorn(browser))
    );
  }

  #isWorn(browser: ChromeBrowser): boolean {
    return browser.documents >= this.#config.documentsPerBrowser;
  }

  /** Starts the successor of a shared browser in the background, so that no document waits for it. */
  #replaceIfWorn(browser: ChromeBrowser): void {
    if (!this.#isWorn(browser) || browser.singleProcess || browser.isReplaced || this.#isReplacing) return;
    this.#isReplacing = true;
    this.#inBackground(this.#replace(browser).finally(() => (this.#isReplacing = false)));
  }

  /** Replaces a browser and its unused page as soon as another one has a page. */
  async #replace(worn: ChromeBrowser): Promise<void> {
    let browser: ChromeBrowser | undefined;
    let spare: PooledPage;
    try {
      browser = await this.#launch();
      spare = await this.#openIn(browser);
    } catch (error) {
      // The worn one prints on, and the next document tries again.
      if (!this.#closed) this.#config.log('chrome_not_replaced', { error: String(error) });
      return browser?.process.close();
    }
    // If the worn one has crashed, a document may have started another one.
    if (this.#closed || worn.process.connection.isLost) return browser.process.close();
    worn.isReplaced = true;
    const unused = this.#spare;
    this.#shared = Promise.resolve(browser);
    this.#spare = Promise.resolve(spare);
    await this.#retire(worn);
    const page = await unused?.catch(() => undefined);
    if (page !== undefined) await this.#discard(page);
  }

  #keepSpare(): void {
    if (this.#closed || this.#spare !== undefined) return;
    this.#spare = this.#open();
    // The caller that takes it sees a failure.
    this.#spare.catch(() => {});
  }

  async #open(): Promise<PooledPage> {
    const browser = this.#launcher.model === 'single' ? await this.#launch() : await this.#sharedBrowser();
    // Another one may have taken its place since it was found.
    return browser.isReplaced ? this.#open() : this.#openIn(browser);
  }

  async #openIn(browser: ChromeBrowser): Promise<PooledPage> {
    browser.pages += 1;
    try {
      return { page: await browser.openPage(), browser, language: '', documents: 0 };
    } catch (error) {
      browser.pages -= 1;
      if (browser.singleProcess) await browser.process.close();
      throw error;
    }
  }

  /** The running browser; a new one if there is none, or if it has ended. */
  async #sharedBrowser(): Promise<ChromeBrowser> {
    const running = this.#shared;
    const browser = await running?.catch(() => undefined);
    if (browser !== undefined && !this.#isOver(browser)) return browser;
    if (this.#shared === running) {
      this.#shared = this.#launch();
      if (browser !== undefined) this.#inBackground(this.#retire(browser));
    }
    const fresh = await this.#shared;
    if (fresh === undefined) throw new Error('no browser was started');
    if (!fresh.singleProcess) return fresh;
    // The first start has found that only a single process works here: the browser belongs to the first caller.
    const isFirst = this.#shared !== undefined;
    this.#shared = undefined;
    return isFirst ? fresh : this.#launch();
  }

  /** Ends a browser whose idle pages are not needed any more, now or with the last of its other pages. */
  async #retire(browser: ChromeBrowser): Promise<void> {
    browser.pages -= this.#takeAllIdle(browser);
    if (browser.pages === 0) await browser.process.close();
  }

  async #launch(): Promise<ChromeBrowser> {
    if (this.#closed) throw new Error('the engine is closed');
    const browser = await this.#launcher.launch();
    this.#browsers.add(browser);
    this.#inBackground(browser.process.ended.then(() => this.#forget(browser)));
    return browser;
  }

  /** Handles the end of a browser: its pages are no longer leased. */
  #forget(browser: ChromeBrowser): void {
    this.#browsers.delete(browser);
    this.#takeAllIdle(browser);
  }

  #inBackground(work: Promise<void>): void {
    const settled = work
      .catch((error: unknown) => this.#config.log('chrome_cleanup_failed', { error: String(error) }))
      .finally(() => this.#background.delete(settled));
    this.#background.add(settled);
  }
}
