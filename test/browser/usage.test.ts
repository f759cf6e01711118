import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { mint } from '../api/client.ts';
import { fontOf } from '../support/fonts.ts';
import { openStudio, type OpenStudio } from './studio.ts';

/** What a tenant uses: what is stored, what its jobs made, and what is left of the limits of a token. */

const service = inject('service');
const DAY_MS = 24 * 60 * 60 * 1000;
let studio: OpenStudio;
let token: string;

beforeAll(async () => {
  token = await mint('--tenant', 'studio-usage', '--rate', '5000', '--quota', '9000');
  studio = await openStudio({ ...service, token });
});
afterAll(async () => await studio.close());

const figures = (): Promise<string[]> =>
  studio.page.$$eval('.figures li', (items) => items.map((item) => item.textContent ?? ''));
const limit = (): Promise<string> =>
  studio.page.$eval('.limits .job-progress:nth-of-type(2)', (row) => row.textContent ?? '');
/** What one more request leaves of the month. */
async function leftAfter(): Promise<number> {
  const { headers } = await fetch(`${service.url}/v1/template`, { headers: { authorization: token } });
  return Number(/"month";r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);
}
const told = (left: number): string => `${left.toLocaleString('en-US')} of 9,000 requests left`;
const rows = (table: string): Promise<string[][]> =>
  studio.page.$$eval(`[aria-label="${table}"] tbody tr`, (found) =>
    found.map((row) => Array.from(row.children, ({ textContent }) => textContent ?? '')),
  );

it('counts stored files and documents of jobs, and shows the rest of the quota', async () => {
  const { page, go, press, choose, folder } = studio;
  const template = path.join(folder, 'Quotient.html');
  await writeFile(template, '<p>{{ 12 / (number | int) }}</p>');
  await go('templates');
  await press('New template');
  await choose(template);
  await page.waitForSelector('.editor');
  await go(`batches/${decodeURIComponent(page.url().split('/').at(-1) ?? '')}`);
  const records = path.join(folder, 'numbers.csv');
  await writeFile(records, 'number\n3\n0\n4\n6\n');
  await choose(records);
  await press('Run the batch');
  await page.waitForSelector('.job .badge.partly');
  const font = fontOf('Waladea');
  const form = new FormData();
  form.set('file_data', new Blob([new Uint8Array(font)]), 'Waladea.ttf');
  const headers = { authorization: token };
  await fetch(`${service.url}/v1/fonts/Waladea.ttf`, { method: 'PUT', headers, body: form });

  await page.locator('::-p-xpath(//nav//a[.="Usage"])').click();
  await page.waitForSelector('.limits .job-progress');
  expect(await figures()).toEqual([
    '1Jobs',
    '3Documents',
    '1Failed',
    '1Templates',
    '1Versions',
    '0Partials',
    '1Fonts',
    '0Translations',
    `${Math.ceil(font.length / 1000)}KB of partials and fonts`,
  ]);
  const day = await page.evaluate(
    "new Date().toLocaleDateString(undefined, { weekday: 'short', day: 'numeric', month: 'short' })",
  );
  expect(await rows('Day')).toEqual([[day, '1', '3', '1', '']]);
  expect(await rows('Operation')).toEqual([['Render template batch', '1', '3', '1', '']]);
  expect(await limit()).toContain(told((await leftAfter()) + 1));
  const bars = await page.$$eval('[aria-label="Day"] .bar span', (spans) =>
    spans.map((span) => Math.round(span.getBoundingClientRect().width)),
  );
  expect(bars[0]).toBeGreaterThan(30);
  expect((bars[0] ?? 0) / (bars[1] ?? 1)).toBeCloseTo(3, 0);
  await studio.expectAccessible();
  await studio.picture('usage');
  // Refreshing asks for five lists.
  const before = await leftAfter();
  await press('Refresh');
  await expect.poll(limit).toContain(told(before - 5));
});

it('has a row for each day since the oldest job, and none for jobs that the token may not see', async () => {
  const { page, shows } = studio;
  const now = Date.now();
  const job = (days: number, fields: object): object => ({
    id: `j${days}`,
    operation: 'mergePdfs',
    state: 'succeeded',
    created: new Date(now - days * DAY_MS).toISOString(),
    ...{ started: null, finished: null, expires: '', total: 1, done: 1, failed: 0 },
    ...{ errors: [], problem: null, result: null, callback: null },
    ...fields,
  });
  const listed = JSON.stringify([job(0, {}), job(4, { state: 'failed', done: 0 })]);
  await page.evaluate(`(() => {
    const send = window.fetch;
    window.fetch = (input, init) => {
      const address = String(input);
      if (/\\/v1\\/jobs/.test(address)) return Promise.resolve(new Response(${JSON.stringify(listed)}));
      return send(input, init);
    };
  })()`);
  await studio.press('Refresh');
  await shows(`document.querySelectorAll('[aria-label="Day"] tbody tr').length === 5`);
  expect((await rows('Day')).map(([, ...counts]) => counts.slice(0, 3))).toEqual([
    ['1', '1', '0'],
    ['0', '0', '0'],
    ['0', '0', '0'],
    ['0', '0', '0'],
    ['1', '0', '1'],
  ]);

  const other = await mint('--tenant', 'studio-usage', '--scopes', 'templates:read');
  await page.reload();
  await page.waitForSelector('.screen-head');
  // The answers to the first token arrive after somebody else has signed in.
  await page.evaluate(`(() => {
    const send = window.fetch;
    window.held = [];
    window.fetch = async (input, init) => {
      const answer = await send(input, init);
      const isOther = new Headers(init.headers).get('authorization') === ${JSON.stringify(other)};
      if (!isOther) await new Promise((release) => window.held.push(release));
      return answer;
    };
  })()`);
  await studio.press('Refresh');
  await shows('window.held.length > 0');
  await page.locator('::-p-xpath(//nav//a[.="Account"])').click();
  await studio.press('Sign out');
  await page.waitForSelector('input[name=token]');
  await page.type('input[name=token]', other);
  await page.keyboard.press('Enter');
  await page.waitForSelector('.nav');
  await page.locator('::-p-xpath(//nav//a[.="Usage"])').click();
  await page.waitForSelector('.limits');
  expect(await figures()).toHaveLength(6);
  await page.evaluate(
    'new Promise((done) => { window.held.forEach((release) => release()); setTimeout(done, 200); })',
  );
  expect(await page.$eval('.limits', (panel) => panel.textContent)).toContain('None. Limits are set');
});
