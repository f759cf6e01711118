import type { ChromeBrowser } from './browser.ts';
import { Gate } from './gate.ts';
import { countPages } from './page-count.ts';
import type { PrintOptions } from '../print.ts';

const PROBE: PrintOptions = {
  paper: 'A4',
  landscape: false,
  margins: { top: 2, right: 1, bottom: 2, left: 1 },
  scale: 1,
  printBackground: true,
  pageRange: null,
  header: null,
  footer: null,
  skipFurnitureOnFirstPage: false,
  tagged: false,
};

/**
 * Prints a one-page document, to see that the browser can.
 *
 * @param timeout milliseconds
 * @throws when it cannot, or not in time
 */
export async function probe(browser: ChromeBrowser, timeout: number): Promise<void> {
  const controller = new AbortController();
  const late = new Promise<never>((_, reject) => {
    controller.signal.addEventListener('abort', () =>
      reject(new Error('the probe page was not printed in time')),
    );
  });
  const timer = setTimeout(() => controller.abort(), timeout);
  try {
    await Promise.race([printProbe(browser, controller.signal), late]);
  } finally {
    clearTimeout(timer);
  }
}

async function printProbe(browser: ChromeBrowser, signal: AbortSignal): Promise<void> {
  const page = await browser.openPage();
  const document = { html: '<title>probe</title><p>probe', title: 'probe', resources: new Map() };
  const nothing = { fetch: () => Promise.reject(new Error('the probe loads nothing')) };
  await page.load(new Gate(document, nothing, signal), PROBE);
  const pdf = await page.pdf(PROBE, '');
  if (countPages(pdf) !== 1) throw new Error('the probe page is not one page');
  await browser.closePage(page);
}
