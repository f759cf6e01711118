import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { xlsx } from '../convert/documents.ts';
import { docx, p } from '../office/build.ts';
import { pptx } from '../office/pptx.ts';
import { openStudio, type OpenStudio } from './studio.ts';

/** A template that begins with a file is seen filled at once, with data that are made up and edited as a form. */

let studio: OpenStudio;
beforeAll(async () => {
  studio = await openStudio(inject('service'));
  studio.page.on('dialog', (dialog) => void dialog.accept());
});
afterAll(() => studio.close());

const isSeen = (words: string): string =>
  `(document.querySelector('.pdf-layer:not(.behind) .pdf-text')?.textContent ?? '').replace(/\\s+/g, ' ').includes(${JSON.stringify(words)})`;
const DATA =
  "document.querySelector('.data-pane .code-editor').shadowRoot.querySelector('.cm-content').innerText";

async function drop(name: string, content: string | Buffer): Promise<void> {
  const { page, go, press, choose, folder } = studio;
  const file = path.join(folder, name);
  await writeFile(file, content);
  await go('jobs');
  await go('templates');
  await press('New template');
  await page.waitForSelector('dialog .gallery');
  await choose(file);
  await page.waitForSelector('.editor');
}

const ORDER =
  p('To {{ customer.name }}, {{ customer.city }}, due {{ due | format_date("short", locale="de") }}') +
  p('{%p for item in items %}') +
  p('{{ item.name }}: {{ item.price | format_currency("EUR", locale="en_US") }}') +
  p('{%p endfor %}');

it('fills a Word file by names and filters, with three rows, and says so', async () => {
  const { page, shows } = studio;
  await drop('Order.docx', await docx(ORDER));
  await shows(isSeen('To Ada Lovelace, Hamburg, due 14.03.26'));
  for (const row of ['Paper: €1,250.00', 'Ink: €79.50', 'Envelopes: €120.00'])
    expect(await page.evaluate(isSeen(row))).toBe(true);
  expect(await page.$('.faults')).toBeNull();
  expect(await page.$eval('.data-pane .pane-bar', (bar) => bar.textContent)).toContain('Made up');
  expect(await page.$eval('.preview-bar', (bar) => bar.textContent)).toContain('Made-up data');
  await studio.expectAccessible();
  await studio.picture('editor-made-up');
});

it('has the data as a form: texts, numbers, dates by a picker, rows to add and to remove', async () => {
  const { page, press, shows } = studio;
  await page.locator('.data-form input[aria-label="City"]').fill('Bremen');
  await shows(isSeen('Bremen, due 14.03.26'));
  await shows("!document.querySelector('.data-pane .pane-bar').textContent.includes('Made up')");
  const date = await page.waitForSelector('.data-form input[type=date]');
  await date?.evaluate((input) => {
    const field = input as unknown as { value: string; dispatchEvent(event: Event): void };
    field.value = '2027-12-24';
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await shows(isSeen('due 24.12.27'));
  await press('Add a row to items');
  await shows("document.querySelectorAll('.form-row').length === 4");
  await page.locator('.form-row:nth-of-type(4) input[type=number]').fill('8.5');
  await shows(isSeen('€8.50'));
  await press('Remove row 1 of items');
  await shows(`!${isSeen('€1,250.00')}`);
  await studio.expectAccessible();
  await press('JSON');
  await page.waitForSelector('>>> [aria-label="Sample data"].cm-content', { visible: true });
  const data = JSON.parse(String(await page.evaluate(DATA))) as { items: object[]; due: string };
  expect(data).toMatchObject({ customer: { city: 'Bremen' }, due: '2027-12-24' });
  expect(data.items.map((item) => (item as { price: number }).price)).toEqual([79.5, 120, 8.5]);
});

it.each<[string, () => Promise<Buffer>]>([
  ['xlsx', () => xlsx('<c r="A1" t="inlineStr"><is><t>To {{ customer.name }}</t></is></c>')],
  ['pptx', () => pptx([{ shapes: ['To {{ customer.name }}'] }])],
])('fills a %s file', async (format, make) => {
  await drop(`To.${format}`, await make());
  await studio.shows(isSeen('To Ada Lovelace'));
});

it('fills an html file, and the made-up data follow its text', async () => {
  const { page, shows } = studio;
  await drop(
    'To.html',
    '<p>To {{ customer.name }}</p><ul>{% for x in rows %}<li>{{ x.total / 2 }}</li>{% endfor %}</ul>',
  );
  await shows(isSeen('To Ada Lovelace'));
  // The made-up data follow the text, until somebody changes them.
  await shows(isSeen('625'));
  await studio.write('Template', '<p>{{ invoice_date }} {{ is_paid }}</p>');
  await shows(isSeen('2026-03-14 Is paid'));
  expect(await page.$eval('.data-pane .pane-bar', (bar) => bar.textContent)).toContain('Made up');
  await studio.write('Sample data', '{ "invoice_date": "today" }');
  await shows(isSeen('today'));
  await studio.press('Form');
  await studio.press('Make up what is missing');
  await shows(isSeen('today Is paid'));
});

it('has the schema of the data as a form: names, types, required fields', async () => {
  const { page, press, shows } = studio;
  await press('Schema');
  await press('As a form');
  await press('Add a field');
  await page.locator('.schema-field input[aria-label="Name of field1"]').fill('total');
  await page.keyboard.press('Tab');
  await page.waitForSelector('[aria-label="Type of total"]');
  await page.select('[aria-label="Type of total"]', 'number');
  await page.locator('.schema-field input[type=checkbox]').click();
  // The data do not have the field: the form makes room for the text of the error.
  await shows("document.querySelector('.faults')?.textContent.includes('total') === true");
  await press('Add a field');
  await page.select('[aria-label="Type of field2"]', 'list');
  await press('Add a field to field2[]');
  await page.waitForSelector('[aria-label="Name of field2[].field1"]');
  await studio.expectAccessible();
  await studio.picture('editor-schema-form');
  await press('As a form');
  await page.waitForSelector('>>> [aria-label="Schema of the data"].cm-content', { visible: true });
  const schema = JSON.parse(String(await page.evaluate(DATA))) as object;
  expect(schema).toMatchObject({
    required: ['total'],
    properties: {
      total: { type: 'number' },
      field2: { items: { properties: { field1: { type: 'string' } } } },
    },
  });
  await press('As a form');
  await press('Remove total');
  await shows("document.querySelector('.faults') === null");
});
