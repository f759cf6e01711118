import { withinRunning } from '@platen/core/running-time';
import type { ChromeBrowser } from './browser.ts';
import { Gate } from './gate.ts';
import { countPages } from './page-count.ts';
import type { DocumentFacts } from '../page/document.ts';
import { PLAIN_PAGE } from '../print.ts';

const PROBE = { ...PLAIN_PAGE, tagged: false };

/** Text in the most common fonts, so that printing it loads what the first document needs. */
const DOCUMENT = '<title>probe</title><p>probe<p style="font-family:Arial"><b>probe</b> probe';

/** Written down, as what finds them out need not be loaded for it. */
const FACTS: DocumentFacts = {
  title: 'probe',
  language: null,
  ownLanguage: null,
  direction: 'ltr',
  mayNameFonts: true,
  bodyMargin: 0,
  ideographs: '',
  otherScripts: false,
  hasScripts: false,
  comesLate: false,
  mayRulePages: false,
  mayAskForWidth: false,
  refersToPages: false,
  hyphenates: false,
};

/**
 * Prints a one-page document, to see that the browser can. The page it was printed with stays open: the next document
 * finds everything loaded.
 *
 * @param timeout milliseconds in which this process runs: the first probe may be stopped between two events
 * @throws when it cannot, or not in time
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
