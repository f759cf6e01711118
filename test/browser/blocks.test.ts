import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { openStudio, type OpenStudio } from './studio.ts';

/** Templates written in blocks, as a person writes them who knows no html. */

const service = inject('service');
let studio: OpenStudio;

beforeAll(async () => {
  studio = await openStudio(service);
});
afterAll(() => studio.close());

const isSeen = (words: string): string =>
  `(document.querySelector('.pdf-layer:not(.behind) .pdf-text')?.textContent ?? '').includes(${JSON.stringify(words)})`;

it('writes a letter', async () => {
  const { page, go, press, shows } = studio;
  const problems: string[] = [];
  page.on('console', (message) => problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(String(error)));
  await go('templates');
  await press('New template');
  await page.waitForSelector('dialog .gallery button');
  await page.locator('::-p-xpath(//dialog//button[.//*[.="Blank page"]])').click();
  await page.waitForSelector('.b-doc');
  await page.screenshot({ path: '/tmp/b1.png' });
  await page.locator('.b-doc').click();
  await page.keyboard.type('Dear {{ name }}, thank you for your letter.');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Another line');
  await shows(isSeen('thank you'));
  await page.screenshot({ path: '/tmp/b2.png' });
  await press('Add');
  await page.waitForSelector('.kinds');
  await page.screenshot({ path: '/tmp/b3.png' });
  await page.locator('::-p-xpath(//dialog//button[.="Heading"])').click();
  await page.keyboard.type(' of it');
  await press('Field');
  await page.waitForSelector('.chooser');
  await page.keyboard.type('customer.name');
  await page.screenshot({ path: '/tmp/b4.png' });
  await page.keyboard.press('Enter');
  await new Promise((r) => setTimeout(r, 1500));
  await page.screenshot({ path: '/tmp/b5.png' });
  console.log(problems);
  await press('Code');
  await page.waitForSelector('>>> .cm-content');
  console.log(await page.evaluate("document.querySelector('.parts-pane .code-editor').shadowRoot.querySelector('.cm-content').innerText"));
});

it.each(['Invoice', 'Letter', 'Certificate'])('opens the sample %s', async (name) => {
  const { page, go, press } = studio;
  await go('templates');
  await press('New template');
  await page.waitForSelector('dialog .gallery button');
  await page.locator(`::-p-xpath(//dialog//button[.//*[.="${name}"]])`).click();
  await page.waitForSelector('.editor');
  await press('Blocks');
  await page.waitForSelector('.b-doc');
  await new Promise((r) => setTimeout(r, 2500));
  await page.screenshot({ path: `/tmp/b-${name}.png` });
  await studio.expectAccessible();
});
