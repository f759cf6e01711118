import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { launchBrowser } from '../support/browser.ts';

/** From signing in to a published template with the keyboard alone: the mouse is never touched. */

const { url, token } = inject('service');
let browser: Awaited<ReturnType<typeof launchBrowser>>;
let page: Page;

beforeAll(async () => {
  browser = await launchBrowser();
  page = await browser.browser.newPage();
  page.setDefaultTimeout(60_000);
});
afterAll(() => browser.close());

/** What has the focus, as a screen reader calls it; within an editor, the text that is edited. */
const FOCUSED = `(() => {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  if (element === null || element === document.body) return '';
  const named = element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent ?? '';
  return named.trim();
})()`;

/** Presses Tab until that is reached; every stop on the way shows that it has the focus. */
async function tabTo(name: string | RegExp, key: 'Tab' | 'ShiftTab' = 'Tab'): Promise<void> {
  const passed: string[] = [];
  for (let n = 0; n < 80; n++) {
    if (key === 'ShiftTab') await page.keyboard.down('Shift');
    await page.keyboard.press('Tab');
    if (key === 'ShiftTab') await page.keyboard.up('Shift');
    const focused = String(await page.evaluate(FOCUSED));
    passed.push(focused);
    if (typeof name === 'string' ? focused === name : name.test(focused)) return;
  }
  throw new Error(`Tab does not lead to ${String(name)}: ${passed.join(' → ')}`);
}

it('is enough from signing in to a published template', async () => {
  await page.goto(`${url}/studio/`);
  await page.waitForSelector('input[name=token]');
  await tabTo(/^Token/);
  await page.keyboard.type(token);
  await tabTo('Sign in');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.screen-head');

  await tabTo('Skip to content');
  await page.keyboard.press('Enter');
  await tabTo('New template');
  await page.keyboard.press('Enter');
  await page.waitForSelector('dialog .gallery button');
  await tabTo(/^Invoice/);
  await page.keyboard.press('Enter');
  await page.waitForSelector('.pdf-layer canvas');

  // The tabs of the parts are moved in with the arrows.
  await tabTo(/^Template(?! name)/);
  await page.keyboard.press('End');
  await page.waitForFunction(`${FOCUSED} === 'As code'`);
  await page.waitForSelector('pre.code');
  await page.keyboard.press('Home');
  // Looked for in every frame: what happens in a shadow tree wakes nobody who waits outside of it.
  await page.waitForSelector('>>> .cm-content[aria-label="Template"]', { visible: true });
  await tabTo('Template');
  await page.keyboard.down('Control');
  await page.keyboard.press('End');
  await page.keyboard.up('Control');
  await page.keyboard.type('\n<h1>By keyboard {{ number }}</h1>');
  await page.waitForFunction(
    "(document.querySelector('.pdf-layer:not(.behind) .pdf-text')?.textContent ?? '').includes('By keyboard 2026-0117')",
  );

  // Tab indents in a text; after Escape it leaves it.
  await page.keyboard.press('Escape');
  await tabTo('Height of the data');
  const share = "document.querySelector('.split.y').style.getPropertyValue('--share')";
  const before = await page.evaluate(share);
  await page.keyboard.press('ArrowDown');
  expect(await page.evaluate(share)).not.toBe(before);

  await tabTo('Publish', 'ShiftTab');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.editor-head .badge.published');
  const id = decodeURIComponent(page.url().split('/').at(-1) ?? '');
  const answer = await fetch(`${url}/v1/template/${id}`, { headers: { authorization: token } });
  const template = (await answer.json()) as { version: number; latest_version: number };
  expect(template.version).toBe(template.latest_version);
  expect(template.version).toBeGreaterThan(3);
});

it('returns to the control that opened a dialog', async () => {
  await page.goto(`${url}/studio/#/templates`);
  await page.waitForSelector('.template-card');
  await tabTo('New template');
  await page.keyboard.press('Enter');
  await page.waitForSelector('dialog[open]');
  await page.keyboard.press('Escape');
  await page.waitForFunction("document.querySelector('dialog') === null");
  await page.waitForFunction(`${FOCUSED} === 'New template'`);
});

it('is enough to write in blocks', async () => {
  await page.goto(`${url}/studio/#/templates`);
  await page.waitForSelector('.template-card');
  await tabTo('New template');
  await page.keyboard.press('Enter');
  await page.waitForSelector('dialog .gallery button');
  await tabTo(/^Blank page/);
  await page.keyboard.press('Enter');
  await page.waitForSelector('.b-doc');
  await tabTo('Template in blocks');
  await page.keyboard.type('Dear reader');
  await page.keyboard.down('Control');
  await page.keyboard.press('Enter');
  await page.keyboard.up('Control');
  await page.waitForSelector('.kinds');
  await tabTo('Heading');
  await page.keyboard.press('Enter');
  await page.waitForFunction(
    `document.querySelector('dialog') === null && ${FOCUSED}.startsWith('Template in')`,
  );
  await page.waitForFunction("getSelection().toString() === 'Heading'");
  await page.keyboard.type('News');
  await page.keyboard.down('Alt');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.up('Alt');
  expect(await page.$eval('.b-doc', (shown) => shown.textContent)).toBe('NewsDear reader');
  // Tab leaves the text.
  await tabTo('Height of the data');
  await page.waitForFunction(
    "(document.querySelector('.pdf-layer:not(.behind) .pdf-text')?.textContent ?? '').includes('News')",
  );
});
