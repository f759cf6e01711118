import { withinRunning } from '@platen/core/processes';
import type { ChromeBrowser } from './browser.ts';
import { Gate } from './gate.ts';
import { countPages } from './page-count.ts';
import type { DocumentFacts } from '../page/document.ts';
import { PLAIN_PAGE } from '../print.ts';

const PROBE = { ...PLAIN_PAGE, tagged: false };

/** Text in the most common fonts, so that printing it loads the resources of the first document. */
const DOCUMENT = '<title>probe</title><p>probe<p style="font-family:Arial"><b>probe</b> probe';

/** Constants, so that the code that computes them need not be loaded. */
const FACTS: DocumentFacts = {
  title: 'probe',
  language: null,
  ownLanguage: null,
  direction: 'ltr',
  descriptions: {},
  mayNameFonts: true,
  bodyMargin: 0,
  ideographs: '',
  mayLackFaces: false,
  hasScripts: false,
  comesLate: false,
  mayRulePages: false,
  mayAskForWidth: false,
  mayScroll: false,
  mayLose: false,
  hasSoftHyphens: false,
  refersToPages: false,
  hyphenates: false,
};

/**
 * Prints a one-page document, to test the browser. Its page stays open, so that the next document finds everything
 * loaded.
 *
 * @param timeout milliseconds of this process's running time: the first probe may be frozen between two events
 * @throws if it fails, or takes too long
 */
export async function probe(browser: ChromeBrowser, timeout: number): Promise<void> {
  await withinRunning(timeout, async (signal) => {
    const late = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(new Error('the probe page was not printed in time')));
    });
    await Promise.race([printProbe(browser, signal), late]);
  });
}

async function printProbe(browser: ChromeBrowser, signal: AbortSignal): Promise<void> {
  const page = await browser.openPage();
  const document = { html: DOCUMENT, facts: FACTS, resources: new Map() };
  const nothing = { fetch: () => Promise.reject(new Error('the probe loads nothing')) };
  await page.load(new Gate(document, nothing, signal), PROBE);
  const pdf = await page.pdf(PROBE, '');
  if (countPages(pdf) !== 1) throw new Error('the probe page is not one page');
  browser.keepPage(page);
}
