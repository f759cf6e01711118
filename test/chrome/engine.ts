import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { PictureOptions } from '../../packages/print/src/browser-options.ts';
import type { ChromeConfig } from '../../packages/print/src/chrome/config.ts';
import { createChromePrinter } from '../../packages/print/src/chrome/printer.ts';
import { prepareDocument } from '../../packages/print/src/page/document.ts';
import {
  type HtmlDocument,
  type HtmlPrinter,
  type HtmlReader,
  PLAIN_PAGE as PLAIN,
  type PrintOptions,
} from '../../packages/print/src/print.ts';
import type { Fetcher } from '../../packages/print/src/fetcher/fetcher.ts';
import { buildChromiumLayer } from '../../layers/chromium/build.ts';
import { buildFontsLayer } from '../../layers/fonts/build.ts';

const root = path.resolve(import.meta.dirname, '../..');

export { PLAIN };

/** A document without resources. */
export function document(html: string, title = 'Untitled'): HtmlDocument {
  return { ...prepareDocument({ html, styles: [], title }), resources: new Map() };
}

/** Loads nothing. */
export const CLOSED: Fetcher = {
  fetch: () => Promise.reject(new Error('no outside resources in this test')),
};

/** The layers of this checkout, and where the executable is unpacked once for all tests. */
export async function enginePlaces(): Promise<{ layerRoot: string; unpackDir: string }> {
  const layers = [await buildChromiumLayer(), await buildFontsLayer()];
  return {
    layerRoot: layers.map(({ dist }) => dist).join(path.delimiter),
    unpackDir: path.join(root, '.platen', 'engine'),
  };
}

/** A folder for the files of running browsers. */
export function newWorkDir(): Promise<string> {
  return mkdtemp(path.join(tmpdir(), 'platen-test-'));
}

/** A machine that is busy is slow; a test that is about a limit sets its own. */
const PATIENT = { printTimeout: 120_000, launchTimeout: 120_000, probeTimeout: 60_000 };

/** An engine for one test file; `stop` ends it and fails if it left a file behind. */
export async function startEngine(
  given: Partial<ChromeConfig> = {},
  fetcher: Fetcher = CLOSED,
): Promise<{
  printer: HtmlReader;
  config: Partial<ChromeConfig> & { workDir: string };
  stop(): Promise<void>;
}> {
  const config = {
    ...(await enginePlaces()),
    ...PATIENT,
    ...given,
    workDir: given.workDir ?? (await newWorkDir()),
  };
  const printer = createChromePrinter(config, fetcher);
  return {
    printer,
    config,
    stop: async () => {
      await printer.close();
      await rm(config.workDir, { recursive: true });
    },
  };
}

/** Prints one document in a session of its own. */
export async function printOnce(
  printer: HtmlPrinter,
  html: string | HtmlDocument,
  options: Partial<PrintOptions> = {},
): Promise<Uint8Array> {
  const session = printer.session('test');
  try {
    return await session.print(typeof html === 'string' ? document(html) : html, { ...PLAIN, ...options });
  } finally {
    await session.close();
  }
}

/** All of a document as it is, as a PNG. */
export const PICTURE: PictureOptions = {
  format: 'png',
  fullPage: true,
  selector: null,
  deviceScale: 1,
  transparent: false,
  quality: null,
};
