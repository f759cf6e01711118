import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { launchFirefox, typeAtEnd } from '../support/browser.ts';

/** The main ways through the Studio in Firefox, driven over WebDriver BiDi. */

const { url, token } = inject('service');
let firefox: Awaited<ReturnType<typeof launchFirefox>>;
let page: Page;
const faults: string[] = [];

beforeAll(async () => {
  firefox = await launchFirefox();
  page = await firefox.browser.newPage();
  page.setDefaultTimeout(120_000);
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('request', (request) => {
    if (
      !request.url().startsWith(new URL(url).origin) &&
      !/^(?:blob|data|about|moz-extension):/.test(request.url())
    )
      faults.push(`loads ${request.url()}`);
    if (request.url().includes(token)) faults.push('a token in an address');
  });
});
afterAll(async () => {
  await firefox.close();
});

const shows = (expression: string) => page.waitForFunction(expression);
const seen = (words: string) =>
  shows(
    `(document.querySelector('.pdf-layer:not(.behind) .pdf-text')?.textContent ?? '').includes(${JSON.stringify(words)})`,
  );
const button = (name: string) =>
  page.locator(`::-p-xpath(//button[.="${name}" or @aria-label="${name}"])`).click();

it('signs in, begins with a sample, and shows its page', async () => {
  await page.goto(`${url}/studio/`);
  await page.waitForSelector('input[name=token]');
  await page.type('input[name=token]', token);
  await page.keyboard.press('Enter');
  await page.waitForSelector('.screen-head');
  await button('New template');
  await page.locator('.gallery li:first-child button').click();
  await seen('Fjord & Field');
  expect(page.url()).not.toContain(token);
});

it('shows what is typed, reports the line of an error in a template, and publishes a valid one', async () => {
  await page.evaluate(
    "document.querySelector('.code-editor').shadowRoot.querySelector('.cm-content').focus()",
  );
  await typeAtEnd(page, '\n<h1>Typed {{ number }}</h1>');
  await seen('Typed 2026-0117');
  await page.keyboard.type('{{ number | nofilter');
  await page.waitForSelector('.faults');
  expect(await page.$eval('.faults', (box) => box.textContent)).toContain('nofilter');
  for (let n = 0; n < 24; n++) await page.keyboard.press('Backspace');
  await shows("document.querySelector('.faults') === null");
  await button('Publish');
  await page.waitForSelector('.editor-head .badge.published');
});

it('shows the report beside the page, and compares versions', async () => {
  await button('Report');
  await page.waitForSelector('.report .facts');
  await page.locator('::-p-xpath(//button[@role="tab"][starts-with(., "Versions")])').click();
  await page.locator('::-p-xpath((//button[.="Compare pages"])[last()])').click();
  await shows("document.querySelector('.visual-diff [role=status]') !== null");
  await page.keyboard.press('Escape');
});

it('draws a box on a PDF and redacts its content', async () => {
  await page.goto(`${url}/studio/#/pdf`);
  await page.locator('::-p-xpath(//button[@role="tab"][.="Redact"])').click();
  await page.evaluate(`(async () => {
    const form = new FormData();
    form.set('file_data', new Blob(['<h1>Alpha</h1><p>Beta</p>']), 'page.html');
    const headers = { authorization: sessionStorage.getItem('platen.token') };
    const answer = await fetch(new URL('../v1/render/pdf', document.baseURI), { method: 'POST', headers, body: form });
    const files = new DataTransfer();
    files.items.add(new File([await answer.blob()], 'page.pdf', { type: 'application/pdf' }));
    const input = document.querySelector('input[type=file]');
    input.files = files.files;
    input.dispatchEvent(new Event('change', { bubbles: true }));
  })()`);
  const layer = await page.waitForSelector('.area-layer');
  const box = await layer?.boundingBox();
  if (box == null) throw new Error('no page');
  await page.mouse.move(box.x + box.width * 0.05, box.y + box.height * 0.03);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.5, box.y + box.height * 0.12, { steps: 4 });
  await page.mouse.up();
  await page.waitForSelector('button.area');
  await page.locator('form button[type=submit]').click();
  await shows(
    "Array.from(document.querySelectorAll('.pdf-box.result .pdf-text'), (text) => text.textContent).some((text) => text.includes('Beta') && !text.includes('Alpha'))",
  );
});

it('caused no error, and loaded nothing from another origin', () => {
  expect(faults).toEqual([]);
});
