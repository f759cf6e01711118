/** Chromium: the engine, and the programs that its layer is built with. */

export { ChromeBrowser } from './browser.ts';
export { type ChromeMode, chromeConfig } from './config.ts';
export { createChromePrinter } from './printer.ts';
export { unpackChromium } from './unpack.ts';
