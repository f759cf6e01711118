import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type ServedService, serveInProcess } from '../support/served.ts';
import { typeAtEnd } from '../support/browser.ts';
import { openStudio, type OpenStudio } from './studio.ts';

/** The paragraph of the README for who opens the Studio for the first time: each of its sentences, done as it says. */

const [, paragraph = ''] = /## In the browser\n\n([^#]+)\n\n##/.exec(readFileSync('README.md', 'utf8')) ?? [];
/** What is to be pressed, in its order: the words in bold type. */
const names = Array.from(paragraph.matchAll(/\*\*([^*]+)\*\*/g), ([, name = '']) => name);

let service: ServedService;
let studio: OpenStudio;

beforeAll(async () => {
  service = await serveInProcess();
  const [, address = ''] = /<http:\/\/localhost:8080(\/\S*)>/.exec(paragraph) ?? [];
  expect(address).toBe('/studio/');
  const printed = await vi.waitUntil(() => /^ +token +(\S+)$/m.exec(service.output())?.[1], 60_000);
  studio = await openStudio({ url: service.url, token: printed });
});
afterAll(async () => {
  await studio.close();
  await service.stop();
});

const isSeen = (words: string): string =>
  `(document.querySelector('.pdf-layer:not(.behind) .pdf-text')?.textContent ?? '').includes(${JSON.stringify(words)})`;

it('guides from a sample to a document that a program renders', async () => {
  const { page, press, shows, write, folder } = studio;
  const [begin, publish, code] = names;
  expect(names).toHaveLength(3);
  await press(String(begin));
  expect(paragraph).toContain('the invoice');
  await page.locator('::-p-xpath(//dialog//button[contains(., "Invoice")])').click();
  await shows(isSeen('Fjord & Field'));

  await page.locator('>>> [aria-label="Template"].cm-content').click();
  await typeAtEnd(page, '<p>To {{ customer.name }}</p>');
  await shows(isSeen('To Fjord & Field'));
  const sample = JSON.parse(readFileSync('samples/invoice/data.json', 'utf8')) as { customer: object };
  await write(
    'Sample data',
    JSON.stringify({ ...sample, customer: { ...sample.customer, name: 'Ada & Co' } }),
  );
  await shows(isSeen('To Ada & Co'));

  await press(String(publish));
  await page.waitForSelector('.editor-head .badge.published');
  await studio.tab(String(code));
  const command = await page.$eval('.as-code pre', (shown) => shown.textContent ?? '');
  execFileSync('bash', ['-c', command], {
    cwd: folder,
    env: { ...process.env, PLATEN_TOKEN: service.token },
  });
  const words = execFileSync('pdftotext', [path.join(folder, 'document.pdf'), '-'], { encoding: 'utf8' });
  expect(words).toContain('To Ada & Co');
});
