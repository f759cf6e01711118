import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { unzip } from '../office/build.ts';
import { openStudio, type OpenStudio } from './studio.ts';

/** Batches whose columns are nested fields, and whose rows fail. */

const service = inject('service');
let studio: OpenStudio;
let texts: string;
let numbers: string;

beforeAll(async () => {
  studio = await openStudio(service);
  // Cells of CSV are texts, values of JSON are not.
  texts = await add('Nested order', '12 / (i.price | int)');
  numbers = await add('Numbers', '12 / i.price');
});
afterAll(() => studio.close());

async function add(name: string, quotient: string): Promise<string> {
  const body = new FormData();
  const html = `<p>To {{ customer.name }}:{% for i in items %} {{ ${quotient} }}{% endfor %}</p>`;
  body.set('template_data', JSON.stringify({ name, format: 'html' }));
  body.set('file_data', new Blob([html]));
  const headers = { authorization: service.token };
  const added = await fetch(`${service.url}/v1/template`, { method: 'POST', headers, body });
  return ((await added.json()) as { id: string }).id;
}

const mapped = (): Promise<string[]> =>
  studio.page.$$eval('.mapping code', (fields) => fields.map(({ textContent }) => textContent));

async function drop(id: string, name: string, content: string): Promise<void> {
  const { go, choose, folder, page } = studio;
  await go('jobs');
  await go(`batches/${id}`);
  const file = path.join(folder, name);
  await writeFile(file, content);
  await choose(file);
  await page.waitForSelector('.table');
}

it('asks for the nested fields that no column has the name of, and lists failed rows first', async () => {
  const { page, press, shows } = studio;
  await drop(texts, 'orders.csv', 'Person,items[0].price,Note\n"Ada, Countess",4,x\nGrace,0,y\nJoan,0,z\n');
  await page.waitForSelector('.mapping select');
  expect(await mapped()).toEqual(['customer.name']);
  await page.select('.mapping select', 'Person');
  await studio.expectAccessible();
  await press('Run the batch');
  await page.waitForSelector('.failed-rows');
  await page.waitForFunction("document.querySelector('.again-rows').value !== ''");
  const order = await page.$$eval('.failed-rows, .job', (parts) => parts.map(({ className }) => className));
  expect(order[0]).toContain('failed-rows');
  const reasons = await page.$$eval('.failed-rows tbody tr', (rows) =>
    rows.map(({ textContent }) => textContent),
  );
  expect(reasons).toHaveLength(2);
  expect(reasons[0]).toMatch(/^2.*zero/);
  await studio.expectAccessible();
  await studio.picture('batch-failed');
  const file = await studio.download(() => press('Download these rows'));
  expect(await readFile(file, 'utf8')).toBe(
    '"customer.name","items[0].price","Note"\r\n"Grace","0","y"\r\n"Joan","0","z"\r\n',
  );
  // The job says what it was: template, rows, time.
  const card = await page.$eval('.job', ({ textContent }) => textContent);
  expect(card).toMatch(/Nested order.*1 of 3 documents · 2 rows failed · [\d.]+ sec/);
  await page.locator('.again-rows').fill('"customer.name","items[0].price"\n"Grace","6"\n"Joan","2"\n');
  await press('Run the 2 failed rows again');
  await shows(
    "document.querySelector('.failed-rows') === null && document.querySelector('.job .badge.succeeded') !== null",
  );
  await studio.go('jobs');
  await shows("document.querySelector('.job')?.textContent.includes('Nested order') === true");
  await studio.expectAccessible();
});

it('puts columns of JSON into nested fields, and offers only columns that fit', async () => {
  const { page, press } = studio;
  await drop(numbers, 'orders.json', JSON.stringify([{ Person: 'Ada', cost: 3 }]));
  await page.waitForSelector('.mapping select');
  expect(await mapped()).toEqual(['customer.name', 'items[0].price']);
  const offered = await page.$$eval('.mapping label:nth-of-type(2) option', (options) =>
    options.map(({ textContent }) => textContent),
  );
  expect(offered).toEqual(['no column', 'cost']);
  await page.select('.mapping label:nth-of-type(1) select', 'Person');
  await page.select('.mapping label:nth-of-type(2) select', 'cost');
  await page.select('.form-grid .field:nth-of-type(2) select', 'html');
  await press('Run the batch');
  await page.waitForSelector('.job .badge.succeeded');
  const jobs = await fetch(`${service.url}/v1/jobs?limit=1`, { headers: { authorization: service.token } });
  const [job] = (await jobs.json()) as { id: string; template_id: string }[];
  expect(job?.template_id).toBe(numbers);
  const result = await fetch(`${service.url}/v1/jobs/${job?.id}/result`, {
    headers: { authorization: service.token },
  });
  const [page1] = (await unzip(Buffer.from(await result.arrayBuffer()))).values();
  expect(String(page1)).toContain('To Ada: 4');
});
