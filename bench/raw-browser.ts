import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import puppeteer, { type Browser } from 'puppeteer-core';
import { chromeFlags } from '../packages/print/src/chrome/flags.ts';
import { unpackChromium } from '../packages/print/src/chrome/unpack.ts';
import { buildChromiumLayer } from '../layers/chromium/build.ts';
import { buildFontsLayer } from '../layers/fonts/build.ts';

/** Returns the layers of this checkout as `ChromeConfig.layerRoot`, built if necessary. */
export async function builtLayers(): Promise<string> {
  const layers = [await buildChromiumLayer(), await buildFontsLayer()];
  return layers.map(({ dist }) => dist).join(delimiter);
}

/**
 * Starts the reference of measurements: puppeteer-core on the same executable, with the same flags, fonts and
 * libraries.
 *
 * @param reachesThisMachine whether it may load resources from this machine; it may load no others
 */
export async function launchRawBrowser(
  layerRoot: string,
  unpackDir: string,
  reachesThisMachine = false,
): Promise<{ browser: Browser; close(): Promise<void> }> {
  const files = await unpackChromium(layerRoot, unpackDir);
  const folder = await mkdtemp(join(tmpdir(), 'platen-bench-'));
  const flags = chromeFlags({
    singleProcess: false,
    profileDir: join(folder, 'profile'),
    scriptHeap: 512,
    sharedMemory: true,
  });
  const browser = await puppeteer.launch({
    executablePath: files.executable,
    args: reachesThisMachine
      ? [
          ...flags,
          '--proxy-bypass-list=127.0.0.1',
          '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
        ]
      : flags,
    ignoreDefaultArgs: true,
    pipe: true,
    // The flags open no page.
    waitForInitialPage: false,
    env: { FONTCONFIG_FILE: files.fontConfig, LD_LIBRARY_PATH: files.libraries, HOME: folder },
  });
  return {
    browser,
    close: async () => {
      await browser.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
