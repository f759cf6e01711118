import { afterRunning } from '@platen/core/running-time';
import type { ChromeConfig } from './config.ts';
import { MemoryWatch } from './memory-watch.ts';
import { ChromePage } from './page.ts';
import { ChromeProcess } from './process.ts';
import type { ChromiumFiles } from './unpack.ts';

/** A started browser that has answered. */
export class ChromeBrowser {
  readonly process: ChromeProcess;
  readonly singleProcess: boolean;
  readonly memory: MemoryWatch;
  /** Milliseconds within which a page opens or closes; pages are closed after an answer, when a function may be stopped. */
  readonly #patience: number;
  #kept: ChromePage | undefined;
  /** Documents printed so far. */
  documents = 0;
  /** Pages in use or ready. */
  pages = 0;

  /** Starts a browser and waits for its first answer. Kills it when that does not come in time. */
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

  /** A page no tenant's document was shown in yet, in a context of its own, or in the only one there is. */
  async openPage(): Promise<ChromePage> {
    const kept = this.#kept;
    this.#kept = undefined;
    return kept ?? this.#open();
  }

  /** Keeps a page for the next who wants one. */
  keepPage(page: ChromePage): void {
    this.#kept = page;
  }

  #open(): Promise<ChromePage> {
    return this.#orKill(ChromePage.open(this.process.connection, !this.singleProcess));
  }

  async closePage(page: ChromePage): Promise<void> {
    return this.#orKill(page.close());
  }

  /** A browser that does not answer is of no use to anybody: it is killed, which fails all it was asked. */
  async #orKill<T>(work: Promise<T>): Promise<T> {
    const clear = afterRunning(this.#patience, () => this.process.kill());
    try {
      return await work;
    } finally {
      clear();
    }
  }
}
