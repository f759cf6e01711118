import { afterRunning } from '@platen/core/processes';
import type { ChromeConfig } from './config.ts';
import { MemoryWatch } from './memory-watch.ts';
import { ChromePage } from './page.ts';
import { ChromeProcess } from './process.ts';
import type { ChromiumFiles } from './unpack.ts';

/** A browser that has started and responded. */
export class ChromeBrowser {
  readonly process: ChromeProcess;
  readonly singleProcess: boolean;
  readonly memory: MemoryWatch;
  /**
   * Maximum milliseconds for opening or closing a page; pages are closed after a response, when a function may be
   * frozen.
   */
  readonly #patience: number;
  #kept: ChromePage | undefined;
  /** Number of documents printed so far. */
  documents = 0;
  /** Whether another browser has taken its place: it prints no further documents. */
  isReplaced = false;
  /** Number of pages in use or ready. */
  pages = 0;

  /** Starts a browser and waits for its first response. Kills it if that does not arrive in time. */
  static async launch(
    files: ChromiumFiles,
    config: ChromeConfig,
    singleProcess: boolean,
  ): Promise<ChromeBrowser> {
    const process = await ChromeProcess.start(files, config, singleProcess);
    const clear = afterRunning(config.launchTimeout, () => process.kill());
    try {
      await process.connection.send('Browser.getVersion');
      await process.connection.send('Browser.setDownloadBehavior', { behavior: 'deny' });
      // Reports how the process of a page has ended.
      const filter = [{ type: 'page' }];
      await process.connection.send('Target.setDiscoverTargets', { discover: true, filter });
      return new ChromeBrowser(process, singleProcess, config);
    } catch (error) {
      process.kill();
      await process.ended;
      throw new Error(`Chromium did not start: ${process.stderr.trim()}`, { cause: error });
    } finally {
      clear();
    }
  }

  private constructor(process: ChromeProcess, singleProcess: boolean, config: ChromeConfig) {
    this.process = process;
    this.singleProcess = singleProcess;
    this.memory = new MemoryWatch(this, config.documentMemory);
    this.#patience = config.launchTimeout;
  }

  /** A page in which no tenant's document was shown yet, in a context of its own, or in the only existing one. */
  async openPage(): Promise<ChromePage> {
    const kept = this.#kept;
    this.#kept = undefined;
    return kept === undefined || kept.isGone ? this.#open() : kept;
  }

  /** Prepares a page for the next tenant. */
  keepPage(page: ChromePage): void {
    this.#kept = page;
  }

  #open(): Promise<ChromePage> {
    return this.#orKill(ChromePage.open(this.process.connection, !this.singleProcess));
  }

  async closePage(page: ChromePage): Promise<void> {
    return this.#orKill(page.close());
  }

  /** An unresponsive browser is killed, which fails all its commands. */
  async #orKill<T>(work: Promise<T>): Promise<T> {
    const clear = afterRunning(this.#patience, () => this.process.kill());
    try {
      return await work;
    } finally {
      clear();
    }
  }
}
