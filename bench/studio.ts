/**
 * Measures the time from a key to the changed page: the invoice of the gallery in the Studio's editor, in Chromium,
 * with `npm start`. Sixty keys, each pressed when the page of the one before is visible.
 */
import { loadavg } from 'node:os';
import { launchBrowser } from '../test/support/browser.ts';
import { serveInProcess } from '../test/support/served.ts';
import { median, percentile95 } from './figures.ts';

const KEYS = 60;
const WARM_UP = 8;

const service = await serveInProcess();
const { browser, close } = await launchBrowser();
try {
  const page = await browser.newPage();
  await page.goto(`${service.url}/studio/`);
  await page.waitForSelector('input[name=token]', { timeout: 120_000 });
  await page.type('input[name=token]', service.token);
  await page.keyboard.press('Enter');
  await page.locator('::-p-aria(New template)').click();
  await page.locator('.gallery li:first-child button').setTimeout(60_000).click();
  await page.waitForSelector('.pdf-layer canvas', { timeout: 120_000 });
  await page.locator('>>> [aria-label="Template"].cm-content').click();
  // A click may set the cursor in a placeholder, where a further letter makes another name.
  await page.keyboard.down('Control');
  await page.keyboard.press('End');
  await page.keyboard.up('Control');
  const times: number[] = [];
  const requests: number[] = [];
  let since = await shown();
  for (let n = 0; n < WARM_UP + KEYS; n++) {
    await page.keyboard.type('x');
    await page.waitForFunction(
      `document.querySelector('.pdf-box').dataset.shownSince !== ${JSON.stringify(since)}`,
      {
        polling: 5,
      },
    );
    since = await shown();
    if (n < WARM_UP) continue;
    times.push(await figure('data-shown-ms'));
    requests.push(await figure('data-request-ms'));
  }
  const around = times.map((ms, index) => ms - (requests[index] ?? 0));
  console.log(
    `load ${loadavg()[0]?.toFixed(1)}, ${times.length} keys, each when the page of the one before is seen`,
  );
  say('key to page', times);
  say('  of it the request', requests);
  say('  of it the pause before it, and pdf.js', around);

  async function figure(name: string): Promise<number> {
    return Number(await page.$eval('.pdf-box', (box, wanted) => box.getAttribute(wanted), name));
  }

  async function shown(): Promise<string> {
    return (await page.$eval('.pdf-box', (box) => box.getAttribute('data-shown-since'))) ?? '';
  }
} finally {
  await close();
  await service.stop();
}

function say(what: string, ms: readonly number[]): void {
  console.log(`${what}: median ${median(ms).toFixed(0)} ms, p95 ${percentile95(ms).toFixed(0)} ms`);
}
