import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { picture, violations } from './studio.ts';

/**
 * Every screen of the Studio as a person uses it. `npm run docs:pictures:studio` keeps pictures of the screens.
 */

const { url, token } = inject('service');

let browser: Awaited<ReturnType<typeof launchBrowser>>;
let page: Page;
let folder: string;
let pdf: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'platen-screens-'));
  browser = await launchBrowser();
  page = await browser.browser.newPage();
  await page.goto(`${url}/studio/`);
  await page.waitForSelector('input[name=token]');
  await picture(page, 'sign-in');
  await page.type('input[name=token]', token);
  await page.keyboard.press('Enter');
  await page.waitForSelector('.screen-head');
  for (const sample of [3, 2, 1]) {
    await page.goto(`${url}/studio/#/templates`);
    await page.locator('::-p-aria(New template)').click();
    await page.locator(`.gallery li:nth-child(${sample}) button`).click();
    await page.waitForSelector('.pdf-page canvas', { timeout: 120_000 });
  }
});

afterAll(async () => {
  await browser.close();
  await rm(folder, { recursive: true, force: true });
});

async function expectAccessible(): Promise<void> {
  expect(await violations(page)).toEqual([]);
}

/** Templates in sight have their pictures, or are known to have none. */
const IN_SIGHT_ARE_DRAWN = `Array.from(document.querySelectorAll('.thumbnail'))
  .filter((each) => each.getBoundingClientRect().bottom < innerHeight)
  .every((each) => each.querySelector('canvas, .icon') !== null)`;

/** Boxes around whole screens that would have to be scrolled sideways. */
const overflow = (): Promise<unknown> =>
  page.evaluate(`[document.documentElement, ...document.querySelectorAll('.content, .screen, .card')]
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1).map(({ className }) => className)`);

async function choose(file: string): Promise<void> {
  const input = await page.waitForSelector('input[type=file]');
  await (input as unknown as { uploadFile(file: string): Promise<void> }).uploadFile(file);
}

describe.each(['light', 'dark'])('in %s colours', (theme) => {
  beforeAll(() => page.evaluate(`document.documentElement.dataset.theme = '${theme}'`));

  it.each(['templates', 'library', 'batches', 'jobs', 'pdf', 'usage', 'settings'])(
    'has no barrier on %s',
    async (screen) => {
      await page.goto(`${url}/studio/#/${screen}`);
      await page.waitForSelector('h1');
      await page.waitForFunction("document.querySelector('.loading') === null");
      if (screen === 'templates') {
        await page.waitForFunction("document.querySelectorAll('.template-card canvas').length >= 3", {
          timeout: 60_000,
        });
      }
      await expectAccessible();
      if (theme === 'light' && screen === 'templates') {
        await page.waitForFunction(IN_SIGHT_ARE_DRAWN, { timeout: 60_000 });
        await picture(page, screen);
      }
    },
  );

  it('has no barrier in the editor', async () => {
    await page.goto(`${url}/studio/#/templates`);
    await page.locator('.template-card a').click();
    await page.waitForSelector('.pdf-page canvas');
    await expectAccessible();
    if (theme === 'light') await picture(page, 'editor');
  });
});

it.each([360, 3840])('shows every control without overflow at a width of %i pixels', async (width) => {
  await page.setViewport({ width, height: width === 360 ? 740 : 2160 });
  for (const screen of ['templates', 'library', 'batches', 'jobs', 'pdf', 'usage', 'settings']) {
    await page.goto(`${url}/studio/#/${screen}`);
    await page.waitForFunction("document.querySelector('h1') && !document.querySelector('.loading')");
    expect(await overflow(), screen).toEqual([]);
  }
  await page.goto(`${url}/studio/#/templates`);
  await page.locator('.template-card a').click();
  await page.waitForSelector('.editor');
  if (width === 360) {
    await picture(page, 'narrow-text');
    await page.locator('::-p-xpath(//button[text()="Preview"])').click();
  }
  await page.waitForSelector('.pdf-page canvas', { visible: true });
  expect(await overflow()).toEqual([]);
  await picture(page, width === 360 ? 'narrow' : 'wide');
  await page.setViewport({ width: 1440, height: 900 });
});

it('runs a batch and shows how far it is, then lists it among the jobs', async () => {
  const file = path.join(folder, 'people.csv');
  const columns = 'name,course,hours,grade,date,school,teacher,director,number,check_url';
  const rest = '24,good,2026-11-24,Academy,Ines Calvet,Tomás Rivera,7Q4K,https://academy.example/7Q4K';
  await writeFile(file, `${columns}\nAda,"Maths, applied",${rest}\nGrace,Compilers,${rest}\n`);
  await page.goto(`${url}/studio/#/batches`);
  await page.waitForSelector('.drop');
  const certificate = await page.$$eval(
    'select option',
    (options) =>
      options.find(({ textContent }) => textContent === 'Certificate')?.getAttribute('value') ?? '',
  );
  await page.select('select', certificate);
  await choose(file);
  await page.waitForSelector('.table');
  expect(await page.$eval('.table', (table) => table.textContent)).toContain('Maths, applied');
  await page.locator('::-p-aria(Run the batch)').click();
  await page.waitForSelector('.job .badge.succeeded', { timeout: 120_000 });
  expect(await page.$eval('.job', (card) => card.textContent)).toContain('2 of 2');
  await page.goto(`${url}/studio/#/jobs`);
  await page.waitForSelector('.job .badge.succeeded');
  await picture(page, 'jobs');
});

it('stamps a PDF and shows the result', async () => {
  pdf = path.join(folder, 'page.pdf');
  const form = new FormData();
  form.set('file_data', new Blob(['<h1>Page</h1>']), 'page.html');
  const answer = await fetch(`${url}/v1/render/pdf`, {
    method: 'POST',
    headers: { authorization: token },
    body: form,
  });
  await writeFile(pdf, Buffer.from(await answer.arrayBuffer()));
  await page.goto(`${url}/studio/#/pdf`);
  await page.locator('::-p-xpath(//button[@role="tab"][text()="Stamp"])').click();
  await choose(pdf);
  await page.locator('::-p-xpath(//form//button[@type="submit"])').click();
  await page.waitForFunction("(document.querySelector('.pdf-text')?.textContent ?? '').includes('DRAFT')", {
    timeout: 60_000,
  });
  await picture(page, 'pdf-stamp');
});

it.each(['Info', 'Forms', 'Compress', 'Rotate', 'Encrypt', 'Split', 'Pages'])(
  'processes a file as the tab %s describes',
  async (title) => {
    await page.locator(`::-p-xpath(//button[@role="tab"][text()="${title}"])`).click();
    if (title === 'Encrypt') await page.type('input[type=password]', 'secret words');
    if (title === 'Split') await page.locator('.form-grid input').fill('1-1');
    await page.locator('::-p-xpath(//form//button[@type="submit"])').click();
    await page.waitForSelector('.row .button:nth-child(2), .said', { timeout: 60_000 });
    expect(await page.$('.fault-box')).toBeNull();
    await expectAccessible();
  },
);
