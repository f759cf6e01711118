import { ChromeBrowser } from './browser.ts';
import type { ChromeConfig } from './config.ts';
import { probe } from './probe.ts';
import { removeAbandonedFolders } from './process.ts';
import { unpackChromium, type ChromiumFiles } from './unpack.ts';

/** The process model in use. */
export type ProcessModel = 'multi' | 'single';

/** Starts browsers, and finds out once which process model works here. */
export class Launcher {
  readonly #config: ChromeConfig;
  #files: Promise<ChromiumFiles> | undefined;
  #model: ProcessModel | undefined;

  constructor(config: ChromeConfig) {
    this.#config = config;
    if (config.mode !== 'auto') this.#model = config.mode;
  }

  /** The process model; undefined before the first browser has proved it. */
  get model(): ProcessModel | undefined {
    return this.#model;
  }

  /**
   * Starts a browser. In mode `auto` the first one must print a probe page in several processes; where it cannot (in
   * Lambda that depends on what the kernel lets a process do) the engine runs in one process from then on.
   */
  async launch(): Promise<ChromeBrowser> {
    const files = await this.#unpacked();
    if (this.#model === undefined) {
      const proven = await this.#tryMulti(files);
      if (proven !== undefined) return proven;
    }
    return this.#start(files, this.#model ?? 'single');
  }

  async #tryMulti(files: ChromiumFiles): Promise<ChromeBrowser | undefined> {
    const started = performance.now();
    let browser: ChromeBrowser | undefined;
    try {
      browser = await this.#start(files, 'multi');
      await probe(browser, this.#config.probeTimeout);
      this.#choose('multi', { probe_ms: Math.round(performance.now() - started) });
      return browser;
    } catch (error) {
      await browser?.process.close();
      this.#choose('single', { reason: error instanceof Error ? error.message : String(error) });
      return undefined;
    }
  }

  #choose(model: ProcessModel, details: Record<string, unknown>): void {
    this.#model = model;
    this.#config.log('chrome_process_model', { model, ...details });
  }

  async #start(files: ChromiumFiles, model: ProcessModel): Promise<ChromeBrowser> {
    const started = performance.now();
    const browser = await ChromeBrowser.launch(files, this.#config, model === 'single');
    const launchMs = Math.round(performance.now() - started);
    this.#config.log('chrome_launched', { model, pid: browser.process.pid, launch_ms: launchMs });
    return browser;
  }

  async #unpacked(): Promise<ChromiumFiles> {
    this.#files ??= this.#unpack();
    try {
      return await this.#files;
    } catch (error) {
      // Another time there may be room on the disk.
      this.#files = undefined;
      throw error;
    }
  }

  async #unpack(): Promise<ChromiumFiles> {
    const started = performance.now();
    await removeAbandonedFolders(this.#config.workDir);
    const files = await unpackChromium(this.#config.layerRoot, this.#config.unpackDir);
    this.#config.log('chrome_unpacked', { unpack_ms: Math.round(performance.now() - started) });
    return files;
  }
}
