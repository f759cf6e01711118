import { ChromeBrowser } from './browser.ts';
import type { ChromeConfig } from './config.ts';
import { probe } from './probe.ts';
import { removeAbandonedFolders } from './process.ts';
import { installedChromium, unpackChromium, type ChromiumFiles } from './unpack.ts';

/** The process model in use. */
export type ProcessModel = 'multi' | 'single';

/** Starts browsers, and determines once which process model works on this machine. */
export class Launcher {
  readonly #config: ChromeConfig;
  #files: Promise<ChromiumFiles> | undefined;
  #model: ProcessModel | undefined;

  constructor(config: ChromeConfig) {
    this.#config = config;
  }

  /** The process model; undefined before a browser has tested it. */
  get model(): ProcessModel | undefined {
    return this.#model;
  }

  /**
   * Starts a browser. The first one must print a probe page; in mode `auto` it tries several processes, and if
   * that fails (in Lambda that depends on the kernel's restrictions), the engine uses a single process from then
   * on.
   */
  async launch(): Promise<ChromeBrowser> {
    const files = await this.#unpacked();
    if (this.#model !== undefined) return this.#start(files, this.#model);
    if (this.#config.mode !== 'auto') return this.#prove(files, this.#config.mode);
    try {
      return await this.#prove(files, 'multi');
    } catch (error) {
      this.#config.log('chrome_multi_failed', {
        reason: error instanceof Error ? error.message : String(error),
      });
      return this.#prove(files, 'single');
    }
  }

  async #prove(files: ChromiumFiles, model: ProcessModel): Promise<ChromeBrowser> {
    const started = performance.now();
    const browser = await this.#start(files, model);
    try {
      await probe(browser, this.#config.probeTimeout);
    } catch (error) {
      await browser.process.close();
      throw error;
    }
    this.#model = model;
    const probeMs = Math.round(performance.now() - started);
    this.#config.log('chrome_process_model', {
      model,
      forced: this.#config.mode !== 'auto',
      probe_ms: probeMs,
    });
    return browser;
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
      // There may be enough disk space the next time.
      this.#files = undefined;
      throw error;
    }
  }

  async #unpack(): Promise<ChromiumFiles> {
    const started = performance.now();
    await removeAbandonedFolders(this.#config.workDir);
    const { executable, layerRoot, unpackDir } = this.#config;
    const files = await (executable === null
      ? unpackChromium(layerRoot, unpackDir)
      : installedChromium(executable, layerRoot, unpackDir));
    this.#config.log('chrome_unpacked', { unpack_ms: Math.round(performance.now() - started) });
    return files;
  }
}
