import { memoryOf } from '@platen/core/processes';
import type { ChromeBrowser } from './browser.ts';

/** Milliseconds between two checks: a document fills memory at a few hundred megabytes per second. */
const INTERVAL = 200;
/** Memory of a single-process browser besides its document. */
const BROWSER_ITSELF = 300 * 1024 * 1024;

/**
 * Terminates the process of a document that uses too much memory, before the system does: in Lambda, that would
 * terminate the function itself. Checks only while something is printed.
 */
export class MemoryWatch {
  readonly #browser: ChromeBrowser;
  readonly #limit: number;
  #printing = 0;
  #looking = false;
  /** Time of the last termination because of memory (`performance.now()`). */
  #lastKill = -Infinity;

  /** @param limit bytes of resident memory */
  constructor(browser: ChromeBrowser, limit: number) {
    this.#browser = browser;
    this.#limit = limit;
  }

  /**
   * Must be called when a document begins.
   *
   * @returns a function to call when it ends, which returns whether a document of the browser was terminated for
   * its memory meanwhile
   */
  begin(): () => boolean {
    const started = performance.now();
    this.#printing += 1;
    if (!this.#looking) this.#lookLater();
    let ended = false;
    return () => {
      if (!ended) this.#printing -= 1;
      ended = true;
      return this.#lastKill >= started;
    };
  }

  #lookLater(): void {
    this.#looking = true;
    setTimeout(() => void this.#look(), INTERVAL).unref();
  }

  async #look(): Promise<void> {
    this.#looking = false;
    if (this.#printing === 0) return;
    try {
      const { processInfo } = await this.#browser.process.connection.send('SystemInfo.getProcessInfo');
      const single = this.#browser.singleProcess;
      for (const { id, type } of processInfo) {
        if (type !== (single ? 'browser' : 'renderer')) continue;
        if (memoryOf(id).resident > this.#limit + (single ? BROWSER_ITSELF : 0)) this.#end(id);
      }
    } catch {
      // The browser has ended, and released its memory.
      return;
    }
    if (!this.#looking) this.#lookLater();
  }

  #end(pid: number): void {
    this.#lastKill = performance.now();
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // ESRCH: the process has already ended.
    }
  }
}
