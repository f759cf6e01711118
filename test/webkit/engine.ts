import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { webFontConfiguration } from '../../functions/convert/fonts.ts';
import { WebKit, type WebKitOptions } from '../../functions/convert/webkit/engine.ts';
import type { HtmlPrinter } from '../../packages/print/src/print.ts';
import { createWebKitPrinter } from '../../packages/print/src/webkit/printer.ts';
import type { Fetcher } from '../../packages/print/src/fetcher/fetcher.ts';
import { setLogLevel } from '../../functions/shared/log.ts';
import { buildFontsLayer } from '../../layers/fonts/build.ts';
import { CONFINED } from '../support/confined.ts';
import { CLOSED } from '../chrome/engine.ts';
import { ADDRESS_FINDER } from '../support/address-finder.ts';
import { localWebKit } from '../support/local-engines.ts';

/** WebKit for tests: the engine of the convert function, behind the printer of the render function. */

setLogLevel('error');

export interface TestEngine {
  printer: HtmlPrinter;
  /** A printer on the same engine whose documents have other milliseconds. */
  printerWithin(timeout: number): HtmlPrinter;
  /** Holds the folders of what runs. */
  workDir: string;
  /** Ends it, and fails if it left a file behind. */
  stop(): Promise<void>;
}

export async function startWebKit(
  options: Partial<WebKitOptions> = {},
  fetcher: Fetcher = CLOSED,
): Promise<TestEngine> {
  const { dist } = await buildFontsLayer();
  const workDir = await mkdtemp(path.join(tmpdir(), 'platen-webkit-test-'));
  const fonts = await mkdtemp(path.join(tmpdir(), 'platen-webkit-fonts-'));
  const webkit = new WebKit({
    startTimeout: 120_000,
    maxMemory: 1.5 * 2 ** 30,
    documentsPerProcess: 1_000,
    workDir,
    confinement: CONFINED,
    fontConfig: () => webFontConfiguration(fonts, path.join(dist, 'fonts')),
    maxFileBytes: 200 * 2 ** 20,
    ...options,
  });
  const printerWithin = (timeout: number): HtmlPrinter =>
    createWebKitPrinter(
      { printTimeout: timeout, concurrency: 1 },
      localWebKit(webkit),
      fetcher,
      ADDRESS_FINDER,
    );
  return {
    workDir,
    printer: printerWithin(120_000),
    printerWithin,
    stop: async () => {
      await webkit.close();
      const left = await readdir(workDir);
      await Promise.all([workDir, fonts].map((folder) => rm(folder, { recursive: true, force: true })));
      if (left.length > 0) throw new Error(`left on disk: ${left.join(', ')}`);
    },
  };
}
