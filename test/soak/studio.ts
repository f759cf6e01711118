/**
 * Edits the invoice of the gallery in the Studio 500 times, each edit seen on its page, in Chromium against `npm
 * start`. Prints what the page and the service hold after 100 edits and after all of them, and fails when either has
 * grown by a third. Then a template of 2,000 lines with data of 5 MB: prints how long a key takes to be painted, and
 * to its page.
 */
import { loadavg } from 'node:os';
import type { CDPSession, Page } from 'puppeteer-core';
import { launchBrowser } from '../support/browser.ts';
import { processTree } from '../support/process-tree.ts';
import { serveInProcess } from '../support/served.ts';

const EDITS = Number(process.argv[2] ?? 500);
/** Caches and pools are full by then. */
const SETTLED = Math.ceil(EDITS / 5);
const MAX_GROWTH = 4 / 3;
const LINES = 2_000;
const DATA_BYTES = 5_000_000;
const KEYS = 12;

const service = await serveInProcess();
const { browser, close } = await launchBrowser();
const failures: string[] = [];
try {
  const page = await browser.newPage();
  page.setDefaultTimeout(120_000);
  // The edits are left unsaved, which the Studio asks about.
  page.on('dialog', (dialog) => void dialog.accept());
  const session = await page.createCDPSession();
  await signIn(page);
  await page.locator('::-p-aria(New template)').click();
  await page.locator('.gallery li:first-child button').click();
  await page.waitForSelector('.pdf-layer canvas');
  if (EDITS > 0) await flat(page, session);
  await large(page);
} finally {
  await close();
  await service.stop();
}
if (failures.length > 0) {
  console.error(failures.join('\n'));
  process.exitCode = 1;
}

async function signIn(page: Page): Promise<void> {
  await page.goto(`${service.url}/studio/`);
  await page.waitForSelector('input[name=token]');
  await page.type('input[name=token]', service.token);
  await page.keyboard.press('Enter');
  await page.waitForSelector('.screen-head');
}

/** Types into the template in sight, and waits for the page that shows it. @returns milliseconds */
async function edit(page: Page, key: string): Promise<number> {
  const shown = "document.querySelector('.pdf-box').dataset.shownSince";
  const before = String(await page.evaluate(shown));
  const started = performance.now();
  await page.keyboard.press(key as 'x');
  await page.waitForFunction(`${shown} !== ${JSON.stringify(before)}`, { polling: 10 });
  return performance.now() - started;
}

async function flat(page: Page, session: CDPSession): Promise<void> {
  await page.locator('>>> [aria-label="Template"].cm-content').click();
  // A click may land in a placeholder, where a letter more makes another name.
  await page.keyboard.down('Control');
  await page.keyboard.press('End');
  await page.keyboard.up('Control');
  let settled = { heap: 0, nodes: 0, service: 0 };
  for (let n = 1; n <= EDITS; n++) {
    await edit(page, n % 2 === 1 ? 'x' : 'Backspace');
    if (n !== SETTLED && n !== EDITS) continue;
    const held = await holds(page, session);
    console.log(
      `after ${n} edits: page ${megabytes(held.heap)} and ${held.nodes} nodes, service ${megabytes(held.service)}`,
    );
    if (n === SETTLED) settled = held;
    for (const [what, bytes] of Object.entries(held)) {
      if (bytes > settled[what as keyof typeof settled] * MAX_GROWTH) failures.push(`${what} has grown`);
    }
  }
}

async function holds(
  page: Page,
  session: CDPSession,
): Promise<{ heap: number; nodes: number; service: number }> {
  // What is unreachable only after something else has gone takes another round.
  for (let round = 0; round < 3; round++) await session.send('HeapProfiler.collectGarbage');
  const { JSHeapUsedSize = 0, Nodes = 0 } = await page.metrics();
  const resident = processTree(service.pid).reduce((sum, { anonymousBytes }) => sum + anonymousBytes, 0);
  return { heap: JSHeapUsedSize, nodes: Nodes, service: resident };
}

async function large(page: Page): Promise<void> {
  const rows = Array.from({ length: LINES - 1 }, (_, n) => `<p>{{ words[${n % 50}] }} ${n}</p>`);
  const body = new FormData();
  body.set('file_data', new Blob([['<h1>Large</h1>', ...rows].join('\n')]), 'large.html');
  body.set('template_data', JSON.stringify({ name: 'Large', format: 'html' }));
  const headers = { authorization: service.token };
  const added = await fetch(`${service.url}/v1/template`, { method: 'POST', headers, body });
  const { id } = (await added.json()) as { id: string };
  const words = Array.from({ length: 50 }, (_, n) => `word ${n}`);
  const filler = Array.from({ length: 47_000 }, (_, n) => ({ n, text: 'x'.repeat(70) }));
  const data = JSON.stringify({ words, filler }, null, 1);
  if (data.length < DATA_BYTES) throw new Error(`the data have ${data.length} bytes`);
  await page.goto(`${service.url}/studio/#/templates/${id}`);
  await page.waitForSelector('.faults, .pdf-layer canvas');
  await paste(page, 'Sample data', data);
  await page.waitForFunction(
    "(document.querySelector('.pdf-layer:not(.behind) .pdf-text')?.textContent ?? '').includes('word 3')",
  );
  await page.locator('>>> [aria-label="Template"].cm-content').click();
  const seen: number[] = [];
  for (let n = 0; n < KEYS; n++) seen.push(await edit(page, 'x'));
  const median = (ms: readonly number[]): string =>
    `${Math.round(ms.toSorted((a, b) => a - b)[Math.floor(ms.length / 2)] ?? 0)} ms`;
  const keys = await keyTimes(page);
  console.log(
    `load ${loadavg()[0]?.toFixed(1)}; ${LINES} lines, ${megabytes(data.length)} of data: ` +
      `a key is painted in ${median(keys)}, its page is seen in ${median(seen)} (medians of ${KEYS})`,
  );
}

/** Pastes a text in the place of the one that is in an editor: a sample that is stored may not have so much. */
async function paste(page: Page, label: string, text: string): Promise<void> {
  await page.locator(`>>> [aria-label="${label}"].cm-content`).click();
  await page.keyboard.down('Control');
  await page.keyboard.press('a');
  await page.keyboard.up('Control');
  await page.evaluate(`(() => {
    let element = document.activeElement;
    while (element.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', ${JSON.stringify(text)});
    element.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true, composed: true }));
  })()`);
}

/** From a key to the frame after it, as the page sees it. */
async function keyTimes(page: Page): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < KEYS; n++) {
    // What is evaluated is waited for: the promise itself must not be its value.
    await page.evaluate(`void (window.painted = new Promise((resolve) => addEventListener('keydown', (event) =>
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - event.timeStamp))), { once: true, capture: true })))`);
    await page.keyboard.press('x');
    times.push(Number(await page.evaluate('window.painted')));
  }
  return times;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
