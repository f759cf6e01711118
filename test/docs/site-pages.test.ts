import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { serveSite } from '../../packages/aws-local/src/site.ts';
import { documentationSite } from '../../bin/site/serve.ts';
import { launchBrowser } from '../support/browser.ts';

/** The documentation in a browser, with the headers that the local service sends (I-57). */

const site = documentationSite(process.cwd());
const server = createServer((request, response) => void serveSite(site, '', request, response));
let browser: Awaited<ReturnType<typeof launchBrowser>>;
let page: Page;
let origin: string;
const faults: string[] = [];

beforeAll(async () => {
  await site.files();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  browser = await launchBrowser();
  page = await browser.browser.newPage();
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('request', (request) => {
    if (!request.url().startsWith(origin) && !request.url().startsWith('data:'))
      faults.push(`loads ${request.url()}`);
  });
});
afterAll(async () => {
  await browser.close();
  server.close();
});

async function open(address: string, width: number): Promise<void> {
  await page.setViewport({ width, height: 900 });
  await page.goto(`${origin}/docs/${address}`, { waitUntil: 'networkidle0' });
}

async function violations(): Promise<unknown> {
  await page.evaluate(await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  return page.evaluate(
    `document.getAnimations().forEach((each) => each instanceof CSSTransition && each.finish());
    axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 200)).join(' | ')))`,
  );
}

const PAGES = [
  '',
  'start/getting-started.html',
  'guides/convert.html',
  'reference/options.html',
  'reference/routes/renderTemplate.html',
  'reference/routes/',
];

it.each(PAGES.flatMap((address) => [390, 1440].map((width) => [address, width] as const)))(
  '/docs/%s at %i px is accessible in light and dark, and as wide as the screen',
  async (address, width) => {
    await open(address, width);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    expect(faults).toEqual([]);
    for (const isDark of [false, true]) {
      await page.evaluate(`document.documentElement.classList.toggle('dark', ${isDark})`);
      expect(await violations(), isDark ? 'dark' : 'light').toEqual([]);
    }
    // axe-core itself tries styles that the policy refuses.
    faults.length = 0;
  },
);

it('finds sections with an excerpt, and guides before anything else', async () => {
  await open('', 1440);
  await page.keyboard.press('/');
  await page.waitForSelector('#localsearch-input');
  await page.type('#localsearch-input', 'page numbers');
  await page.waitForSelector('.result .excerpt');
  const results = (await page.evaluate(
    "[...document.querySelectorAll('.result')].map((result) => result.getAttribute('href'))",
  )) as string[];
  expect(results.length).toBeGreaterThan(3);
  expect(results.filter((href) => /\/(?:decisions|interface)\//.test(href))).toEqual([]);
  expect(await page.$eval('.result .excerpt', (element) => element.textContent)).toMatch(/page/i);
  expect(faults).toEqual([]);
});

it('shows tabs, copies code and keeps the dark mode', async () => {
  await open('start/clients.html', 1440);
  expect(
    await page.$$eval('.vp-code-group .tabs label', (labels) => labels.map(({ textContent }) => textContent)),
  ).toEqual(expect.arrayContaining(['TypeScript', 'Python']));
  expect(await page.$('button.copy')).not.toBeNull();
  await page.locator('.VPSwitchAppearance').click();
  expect(await page.evaluate("document.documentElement.classList.contains('dark')")).toBe(true);
  await open('start/getting-started.html', 1440);
  expect(await page.evaluate("document.documentElement.classList.contains('dark')")).toBe(true);
  expect(faults).toEqual([]);
});

it('leads to the routes and the version', async () => {
  await open('', 1440);
  const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
  expect(await page.$eval('.VPNavBar', (element) => element.textContent)).toContain(`v${version}`);
});
