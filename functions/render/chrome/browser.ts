import type { ChromeConfig } from './config.ts';
import { ChromePage } from './page.ts';
import { ChromeProcess } from './process.ts';
import type { ChromiumFiles } from './unpack.ts';

/** A started browser that has answered. */
export class ChromeBrowser {
  readonly process: ChromeProcess;
  readonly singleProcess: boolean;
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
    const timer = setTimeout(() => process.kill(), config.launchTimeout);
    try {
      await process.connection.send('Browser.getVersion');
      await process.connection.send('Browser.setDownloadBehavior', { behavior: 'deny' });
      return new ChromeBrowser(process, singleProcess);
    } catch (error) {
      process.kill();
      await process.ended;
      throw new Error(`Chromium did not start: ${process.stderr.trim()}`, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }

  private constructor(process: ChromeProcess, singleProcess: boolean) {
    this.process = process;
    this.singleProcess = singleProcess;
  }

  async openPage(): Promise<ChromePage> {
    return ChromePage.open(this.process.connection, !this.singleProcess);
  }
}
