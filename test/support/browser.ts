import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import puppeteer, { type Browser } from 'puppeteer-core';
import { unpackChromium } from '../../packages/print/src/chrome/unpack.ts';
import { enginePlaces } from '../chrome/engine.ts';

/** The Chromium of the layers as a browser that a person sits in front of. */
export async function launchBrowser(): Promise<{ browser: Browser; close(): Promise<void> }> {
  const { layerRoot, unpackDir } = await enginePlaces();
  const files = await unpackChromium(layerRoot, unpackDir);
  const home = await mkdtemp(path.join(tmpdir(), 'platen-browser-'));
  const browser = await puppeteer.launch({
    executablePath: files.executable,
    headless: 'shell',
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--lang=en-US'],
    env: { FONTCONFIG_FILE: files.fontConfig, LD_LIBRARY_PATH: files.libraries, HOME: home },
    defaultViewport: { width: 1440, height: 900 },
    protocolTimeout: 120_000,
  });
  return {
    browser,
    close: async () => {
      await browser.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}
