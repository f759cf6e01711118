import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { unpackChromium } from '../../packages/print/src/chrome/unpack.ts';
import { enginePlaces } from '../chrome/engine.ts';

/** A browser as a person uses it. */
interface OpenBrowser {
  browser: Browser;
  close(): Promise<void>;
}

const VIEWPORT = { width: 1440, height: 900 };

/** Starts the Chromium of the layers, or Debian's Firefox if `PLATEN_BROWSER` is `firefox`. */
export async function launchBrowser(): Promise<OpenBrowser> {
  const asked = process.env['PLATEN_BROWSER'] ?? 'chromium';
  if (asked === 'firefox') return await launchFirefox();
  if (asked !== 'chromium') throw new Error(`PLATEN_BROWSER is ${asked}, neither chromium nor firefox.`);
  const { layerRoot, unpackDir } = await enginePlaces();
  const files = await unpackChromium(layerRoot, unpackDir);
  return await launched((home) =>
    puppeteer.launch({
      executablePath: files.executable,
      headless: 'shell',
      args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--lang=en-US'],
      env: { FONTCONFIG_FILE: files.fontConfig, LD_LIBRARY_PATH: files.libraries, HOME: home },
      defaultViewport: VIEWPORT,
      protocolTimeout: 120_000,
    }),
  );
}

/** Debian's Firefox, controlled with WebDriver BiDi. */
export async function launchFirefox(): Promise<OpenBrowser> {
  return await launched((home) =>
    puppeteer.launch({
      browser: 'firefox',
      executablePath: '/usr/bin/firefox-esr',
      headless: true,
      env: { ...process.env, HOME: home, MOZ_DISABLE_CONTENT_SANDBOX: '1' },
      // Otherwise a downloaded PDF opens in a tab of its own, and the hidden tab of the test draws no frames.
      extraPrefsFirefox: {
        'pdfjs.disabled': true,
        'browser.download.folderList': 2,
        'browser.download.dir': home,
        'browser.download.alwaysOpenPanel': false,
        'browser.helperApps.neverAsk.saveToDisk': 'application/pdf,application/zip',
      },
      defaultViewport: VIEWPORT,
      protocolTimeout: 240_000,
    }),
  );
}

/** @param launch starts a browser with that home, which is removed when the browser is closed */
async function launched(launch: (home: string) => Promise<Browser>): Promise<OpenBrowser> {
  const home = await mkdtemp(path.join(tmpdir(), 'platen-browser-'));
  const browser = await launch(home);
  return {
    browser,
    close: async () => {
      await browser.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** Types at the end of the text that has the cursor. */
export async function typeAtEnd({ keyboard }: Page, text: string): Promise<void> {
  await keyboard.down('Control');
  await keyboard.press('End');
  await keyboard.up('Control');
  await keyboard.type(text);
}
