import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { utils, write } from '@e965/xlsx';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { docx, p } from '../office/build.ts';
import { typeAtEnd } from '../support/browser.ts';
import { openStudio, type OpenStudio } from './studio.ts';

/** The editor beside its pages: report, versions, office templates; and a batch whose rows fail. */

const service = inject('service');
let studio: OpenStudio;

beforeAll(async () => {
  studio = await openStudio(service);
});
afterAll(() => studio.close());

async function type(label: string, text: string): Promise<void> {
  await studio.page.locator(`>>> [aria-label="${label}"].cm-content`).click();
  await typeAtEnd(studio.page, text);
}

const seen = (words: string) =>
  studio.shows(
    `(document.querySelector('.pdf-layer:not(.behind) .pdf-text')?.textContent ?? '').includes(${JSON.stringify(words)})`,
  );

it('reports overflowing content and missing fonts beside the page, and updates while one types', async () => {
  const { page, go, press, shows } = studio;
  await go('templates');
  await press('New template');
  await page.locator('.gallery li:nth-child(1) button').click();
  await seen('Fjord & Field');
  await press('Report');
  await page.waitForSelector('.report .facts');
  await type('Template', '\n<p style="width: 60cm; font-family: Nosuchfont">too wide</p>');
  await shows("document.querySelectorAll('.findings li').length >= 2");
  const told = await page.$eval('.report', (pane) => pane.textContent);
  expect(told).toContain('Overflows');
  expect(told).toContain('Nosuchfont');
  await studio.expectAccessible();
  await studio.picture('editor-report');
  await press('Close the report');
});

it('has a schema that the data have to fit, and shows where they do not', async () => {
  const { page, press, shows, write } = studio;
  await press('Schema');
  await press('Generate from the template');
  await shows("document.querySelector('.data-pane .code-editor').shadowRoot.textContent.includes('$schema')");
  await studio.expectAccessible();
  await seen('Fjord & Field');
  await write(
    'Schema of the data',
    '{ "type": "object", "properties": { "items": { "items": { "properties": { "quantity": { "maximum": 1 } } } } } }',
  );
  await shows("document.querySelector('.faults')?.textContent.includes('/items/0/quantity') === true");
  await studio.expectAccessible();
  await studio.picture('editor-schema');
  await page.locator('.faults .link').click();
  await shows(`(() => {
    const editor = document.querySelector('.data-pane .code-editor').shadowRoot;
    return editor?.querySelector('.cm-activeLine')?.textContent.includes('quantity') === true;
  })()`);
  await press('Schema');
  await write('Schema of the data', '{ "required": ["number"] }');
  await shows("document.querySelector('.faults') === null");
  await press('JSON');
});

it('shows the differences between the pages of a version and of the editor', async () => {
  const { page, tab, shows, press } = studio;
  await press('Publish');
  await page.waitForSelector('.editor-head .badge.published');
  const id = page.url().split('/').at(-1) ?? '';
  const stored = await fetch(`${service.url}/v1/template/${id}`, {
    headers: { authorization: service.token },
  });
  expect(await stored.json()).toMatchObject({ data_schema: { required: ['number'] } });
  await tab('Versions');
  await page.waitForSelector('.versions li');
  await page.locator('::-p-xpath((//button[.="Compare pages"])[last()])').click();
  await shows("document.querySelector('.visual-diff [role=status]')?.textContent.includes('differ')");
  await studio.expectAccessible();
  await studio.picture('editor-visual-diff');
  const green = await page.evaluate(`(() => {
    const canvas = document.querySelector('.diff-page canvas');
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let at = 0; at < data.length; at += 4) if (data[at] === 18 && data[at + 1] === 132) count++;
    return count;
  })()`);
  expect(green).toBeGreaterThan(100);
  await page.keyboard.press('Escape');
  await shows("document.querySelector('dialog') === null");
  await page.locator('::-p-xpath((//button[.="Compare pages"])[1])').click();
  await shows("document.querySelector('.visual-diff [role=status]')?.textContent.includes('same')");
  await page.keyboard.press('Escape');
});

it('compares the text of a version, and rolls back to it', async () => {
  const { page, shows } = studio;
  const id = page.url().split('/').at(-1) ?? '';
  await page.locator('::-p-xpath((//button[.="Compare text"])[last()])').click();
  await shows(
    "document.querySelector('dialog .code-editor.diff')?.shadowRoot?.querySelector('.cm-changedLine') != null",
  );
  await studio.expectAccessible();
  await studio.picture('editor-text-diff');
  // A gradient of the library stays light in dark colours.
  const folded = await page.evaluate(`getComputedStyle(
    document.querySelector('dialog .code-editor.diff').shadowRoot.querySelector('.cm-collapsedLines')).backgroundImage`);
  expect(folded).toBe('none');
  await page.keyboard.press('Escape');
  await page.locator('::-p-xpath(//button[.="Publish version 1"])').click();
  await shows("document.querySelector('.versions li:last-child .badge.published') !== null");
  const stored = await fetch(`${service.url}/v1/template/${id}`, {
    headers: { authorization: service.token },
  });
  expect(await stored.json()).toMatchObject({ published_version: 1 });
});

it('names the writers of versions, and lists what happened to a template', async () => {
  const { page, press, shows } = studio;
  const id = page.url().split('/').at(-1) ?? '';
  const headers = { authorization: service.token };
  const answer = await fetch(`${service.url}/v1/template/${id}/history`, { headers });
  const entries = (await answer.json()) as { action: string; by: string }[];
  expect(entries[0]).toMatchObject({ action: 'published' });
  await shows(`document.querySelector('.versions .by')?.textContent === ${JSON.stringify(entries[0]?.by)}`);
  await press('History');
  await shows(`document.querySelectorAll('dialog .history li').length === ${entries.length}`);
  await shows("document.querySelector('dialog .history li')?.textContent.includes('Version 1 published')");
  await studio.expectAccessible();
  await studio.picture('editor-history');
  await page.keyboard.press('Escape');
});

it('lists missing and unused data of an office template, and replaces its file', async () => {
  const { page, go, press, choose, folder, shows, write } = studio;
  const file = path.join(folder, 'Offer.docx');
  await writeFile(file, await docx(p('Dear {{ name }}, {{ price }} for you')));
  await go('templates');
  await press('New template');
  await choose(file);
  await seen('Dear Ada Lovelace, 1250 for you');
  await press('JSON');
  await write('Sample data', '{"name": "Ada", "colour": "red"}');
  await seen('Dear Ada');
  await shows("document.querySelector('.office-pane .badge.unused') !== null");
  const notes = await page.$eval('.office-pane', (pane) => pane.textContent);
  expect(notes).toMatch(/Missing from the data.*price/s);
  expect(notes).toMatch(/Not used by the template.*colour/s);
  await studio.expectAccessible();
  await studio.picture('editor-office');
  await writeFile(file, await docx(p('Dearest {{ name }}, {{ price }} and {{ colour }}')));
  await choose(file);
  await seen('Dearest Ada');
  await press('Publish');
  await page.waitForSelector('.editor-head .badge.published');
});

it('runs the failed rows of a batch again after they are corrected', async () => {
  const { page, go, press, choose, folder, shows } = studio;
  const template = path.join(folder, 'Quotient.html');
  await writeFile(template, '<p>{{ name }}: {{ 12 / (number | int) }}</p>');
  await go('templates');
  await press('New template');
  await choose(template);
  await page.waitForSelector('.editor');
  const id = decodeURIComponent(page.url().split('/').at(-1) ?? '');
  await go(`batches/${id}`);
  const file = path.join(folder, 'numbers.csv');
  await writeFile(file, 'Person,number\r\n"Ada, Countess",4\r\nGrace,0\r\nJoan,3\r\n"Mary ""M""",0\r\n');
  await choose(file);
  await page.waitForSelector('.mapping select');
  await page.select('.mapping select', 'Person');
  await studio.expectAccessible();
  await press('Run the batch');
  await shows(
    "document.querySelector('.again-rows')?.value !== '' && document.querySelector('.again-rows') !== null",
  );
  expect(await page.$eval('.job .badge', (badge) => badge.textContent)).toBe('Partly done');
  const rows = String(await page.evaluate("document.querySelector('.again-rows').value"));
  expect(rows.trim().split('\n')).toHaveLength(3);
  expect(rows).toContain('"Mary ""M""","0"');
  await studio.expectAccessible();
  await studio.picture('batch-again');
  await page.locator('.again-rows').fill(rows.replaceAll('"0"', '"6"'));
  await press('Run the 2 failed rows again');
  await shows(
    "document.querySelector('.job .hint')?.textContent !== undefined && document.querySelector('.again-rows') === null && document.querySelector('.job .badge.succeeded') !== null",
  );
  expect(await page.$eval('.job', (card) => card.textContent)).toContain('2 of 2');
});

it('renders a batch from a spreadsheet: shows its first rows, renames its columns, repeats failed rows', async () => {
  const { page, go, press, choose, folder, shows } = studio;
  const template = path.join(folder, 'Due.html');
  await writeFile(template, '<p>{{ name }}: {{ 12 / number }} on {{ due }}</p>');
  await go('templates');
  await press('New template');
  await choose(template);
  await page.waitForSelector('.editor');
  const id = decodeURIComponent(page.url().split('/').at(-1) ?? '');
  await go(`batches/${id}`);
  const day = (v: number) => ({ t: 'n', v, z: 'd. mmm yyyy' }) as const;
  const sheet = utils.aoa_to_sheet([
    ['Person', 'number', 'due'],
    ['Ada', 4, day(45_000)],
    ['Grace', 0, day(45_001)],
  ]);
  const book = utils.book_new(sheet, 'People');
  const file = path.join(folder, 'people.xlsx');
  await writeFile(file, write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer);
  await choose(file);
  await page.waitForSelector('.mapping select');
  expect(await page.$eval('.table', (table) => table.textContent)).toContain('2023-03-15');
  await page.select('.mapping select', 'Person');
  await studio.expectAccessible();
  await studio.picture('batch-sheet');
  await press('Run the batch');
  await press('Run the failed row again');
  await shows("document.querySelector('.job')?.textContent.includes('of 1 documents')");
  const listed = await fetch(`${service.url}/v1/jobs`, { headers: { authorization: service.token } });
  const [again, first] = (await listed.json()) as { done: number; failed: number }[];
  expect(first).toMatchObject({ done: 1, failed: 1 });
  expect(again).toMatchObject({ failed: 1 });
});
