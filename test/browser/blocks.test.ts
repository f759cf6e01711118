import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { openStudio, type OpenStudio } from './studio.ts';

/** Templates written in blocks, as somebody writes them who knows no html. */

const service = inject('service');
let studio: OpenStudio;

beforeAll(async () => {
  studio = await openStudio(service);
  // Leaving what is not saved.
  studio.page.on('dialog', (dialog) => void dialog.accept());
});
afterAll(() => studio.close());

const isSeen = (words: string): string =>
  `(document.querySelector('.pdf-layer:not(.behind) .pdf-text')?.textContent ?? '').includes(${JSON.stringify(words)})`;

/** Begins a template. @param name of a sample, or of the blank page */
async function begin(name: string): Promise<void> {
  const { page, go, press } = studio;
  await go('templates');
  await press('New template');
  await page.waitForSelector('dialog .gallery button');
  await page.locator(`::-p-xpath(//dialog//button[.//*[.="${name}"]])`).click();
  await page.waitForSelector('.editor');
}

const dialogIsGone = (): Promise<void> => studio.shows("document.querySelector('dialog') === null");
/** Waits until the editor has the focus again, with the cursor where it was put. */
async function dialogIsDone(): Promise<void> {
  await dialogIsGone();
  await studio.shows("document.activeElement.classList.contains('b-doc')");
  await new Promise((resolve) => setTimeout(resolve, 150));
}

async function add(kind: string): Promise<void> {
  await studio.press('Add');
  await studio.page.locator(`::-p-xpath(//dialog//button[.="${kind}"])`).click();
}

/** Chooses in a dialog by what is written on the button. */
async function choose(name: string): Promise<void> {
  await studio.page
    .locator(`::-p-xpath(//dialog//button[contains(@class, "chooser-option")][span[.="${name}"]])`)
    .click();
  await dialogIsDone();
}

async function insertField(name: string): Promise<void> {
  await studio.press('Field');
  await studio.page.waitForSelector('.chooser');
  await studio.page.keyboard.type(name);
  await studio.page.keyboard.press('Enter');
  await dialogIsDone();
}

async function pressed(keys: string): Promise<void> {
  const names = keys.split('+') as ('Control' | 'Alt')[];
  const { keyboard } = studio.page;
  for (const name of names.slice(0, -1)) await keyboard.down(name);
  await keyboard.press(names.at(-1) ?? 'Alt');
  for (const name of names.slice(0, -1)) await keyboard.up(name);
}

/** Saves the template. @returns its text */
async function saved(part: 'template_file' | 'footer_file' = 'template_file'): Promise<string> {
  const { page, press } = studio;
  await page.waitForSelector('.editor-head .badge:is(.unsaved, .draft)');
  if ((await page.$('.editor-head .badge.unsaved')) !== null) await press('Save draft');
  await page.waitForSelector('.editor-head .badge.draft');
  const id = decodeURIComponent(page.url().split('/').at(-1) ?? '');
  const ask = (address: string): Promise<Response> =>
    fetch(`${service.url}/v1/template/${address}?version=latest`, {
      headers: { authorization: service.token },
    });
  const template = (await (await ask(id)).json()) as Record<typeof part, { id: string }>;
  return (await ask(`file/${template[part].id}`)).text();
}

const topBlocks = async (): Promise<string> =>
  String(
    await studio.page.evaluate(
      "Array.from(document.querySelector('.b-doc').children, ({ textContent }) => textContent).join(' | ')",
    ),
  );

it('writes a letter from the blank page, in a few minutes', async () => {
  const { page, press, shows, folder } = studio;
  const start = performance.now();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await begin('Invoice');
  await page.waitForSelector('.parts-pane .code-editor');
  expect(asked.filter((url) => url.includes('blocks'))).toEqual([]);
  await begin('Blank page');
  await page.waitForSelector('.b-doc');
  expect(asked.some((url) => url.includes('/blocks-pane-'))).toBe(true);
  await studio.expectAccessible();
  await page.locator('.b-doc').click();
  await page.keyboard.type('Dear {{ name }},');
  await page.keyboard.press('Enter');
  await page.keyboard.type('thank you for your order of ');
  await insertField('order.date');
  await page.keyboard.type('.');
  await shows(isSeen('Dear Ada Lovelace,'));
  await add('Signature line');
  await dialogIsDone();
  await page.keyboard.type('Grace Hopper');
  await shows(isSeen('Grace Hopper'));
  await press('Publish');
  await page.waitForSelector('.editor-head .badge.published');
  expect(performance.now() - start).toBeLessThan(120_000);

  const id = decodeURIComponent(page.url().split('/').at(-1) ?? '');
  const answer = await fetch(`${service.url}/v1/render/pdf/${id}`, {
    method: 'POST',
    headers: { authorization: service.token },
    body: new URLSearchParams({ render_data: '{"name": "Joan", "order": {"date": "2026-05-01"}}' }),
  });
  const file = path.join(folder, 'letter.pdf');
  await writeFile(file, Buffer.from(await answer.arrayBuffer()));
  const words = execFileSync('pdftotext', [file, '-'], { encoding: 'utf8' });
  expect(words).toMatch(/Dear Joan,\s+thank you for your order of 2026-05-01\.\s+Grace Hopper/);
});

it('writes an invoice: columns, a table of a list, a total, a barcode, and page numbers', async () => {
  const { page, tab, shows, write } = studio;
  await begin('Blank page');
  await page.waitForSelector('.b-doc');
  await write(
    'Sample data',
    JSON.stringify({
      number: '2026-7',
      customer: { name: 'Ada' },
      items: [
        { name: 'Paper', price: 12.5 },
        { name: 'Ink', price: 7 },
      ],
    }),
  );
  await page.locator('.b-doc').click();
  await page.keyboard.type('Invoice ');
  await insertField('number');
  await page.select('[aria-label="Style of the text"]', 'h1');
  await add('Two columns');
  await dialogIsDone();
  await page.keyboard.type('For ');
  await insertField('customer.name');
  await add('Table of a list');
  await choose('items');
  await add('Total');
  await choose('items.price');
  await add('Barcode');
  await choose('number');
  await add('Page break');
  await dialogIsDone();
  await add('List');
  await dialogIsDone();
  await page.keyboard.type('First');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Second');
  await shows(isSeen('19.5'));
  await studio.expectAccessible();
  await studio.picture('editor-blocks');

  await tab('Footer');
  await page.waitForSelector('[aria-label="Footer in blocks"]');
  await page.locator('.b-doc').click();
  await page.keyboard.type('Page ');
  await studio.press('Field');
  await choose('Page number');
  await page.keyboard.type(' of ');
  await studio.press('Field');
  await choose('Number of pages');
  await shows(isSeen('Page 1 of 2'));
  expect(await saved('footer_file')).toBe(
    '<p>Page <span class="pageNumber"></span> of <span class="totalPages"></span></p>',
  );
  const code = await saved();
  expect(code).toContain('<h1>Invoice {{ number }}</h1>');
  expect(code).toContain('<p>For {{ customer.name }}</p>');
  expect(code).toMatch(/\{% for item in items %\}\n +<tr [^>]*>\n +<td [^>]*>\{\{ item\.name \}\}<\/td>/);
  expect(code).toContain('{{ items | sum(attribute="price") }}');
  expect(code).toContain('{{ number | qrcode(width=2.5) }}');
  expect(code).toMatch(/<ul>\n +<li>First<\/li>\n +<li>Second<\/li>\n +<\/ul>/);
});

it('changes one block of a finished template, and nothing else; undone, nothing at all', async () => {
  const { page, press, shows } = studio;
  const written = readFileSync('samples/invoice/template.html', 'utf8');
  await begin('Invoice');
  await press('Blocks');
  await page.waitForSelector('.b-doc img.b-image');
  await studio.expectAccessible();
  await page.locator('::-p-xpath(//*[contains(@class, "b-doc")]//h2[.="Billed to"])').click();
  await page.keyboard.press('End');
  await page.keyboard.type(': you & me');
  await shows("document.querySelector('.editor-head .badge.unsaved') !== null");
  expect(await saved()).toBe(written.replace('<h2>Billed to</h2>', '<h2>Billed to: you &amp; me</h2>'));
  await page.locator('::-p-xpath(//*[contains(@class, "b-doc")]//h2[starts-with(., "Billed to")])').click();
  await page.keyboard.press('End');
  for (const _ of ': you & me') await page.keyboard.press('Backspace');
  await page.waitForSelector('.editor-head .badge.unsaved');
  expect(await saved()).toBe(written);
});

it('moves blocks by dragging and with keys, and undoes it', async () => {
  const { page, press, drag } = studio;
  await begin('Blank page');
  await page.waitForSelector('.b-doc');
  await page.locator('.b-doc').click();
  for (const word of ['One', 'Two', 'Three']) {
    await page.keyboard.type(word);
    if (word !== 'Three') await page.keyboard.press('Enter');
  }
  await pressed('Alt+ArrowUp');
  expect(await topBlocks()).toBe('One | Three | Two');
  await press('Duplicate');
  expect(await topBlocks()).toBe('One | Three | Three | Two');
  await press('Delete');
  expect(await topBlocks()).toBe('One | Three | Two');
  await press('Undo');
  await press('Undo');
  await press('Undo');
  expect(await topBlocks()).toBe('One | Two | Three');
  await press('Redo');
  expect(await topBlocks()).toBe('One | Three | Two');
  await page.locator('.b-doc > :nth-child(1)').click();
  await drag('.b-handle', '.b-doc > :nth-child(3)');
  expect(await topBlocks()).toBe('Three | Two | One');
  await press('Only if');
  await page.waitForSelector('.chooser');
  await page.keyboard.type('paid');
  await page.keyboard.press('Enter');
  await dialogIsDone();
  expect(await saved()).toMatch(/<p>Two<\/p>\s+\{% if paid %\}<p>One<\/p>\{% endif %\}/);
});

it('formats text, links it, and shows fields as money', async () => {
  const { page, shows } = studio;
  await begin('Blank page');
  await page.waitForSelector('.b-doc');
  await page.locator('.b-doc').click();
  await page.keyboard.type('Pay here ');
  await insertField('total');
  await page.locator('.b-chip').click();
  await page.select('.blocks-bar.unit select', 'format_currency("EUR")');
  await shows(isSeen('€'));
  await studio.expectAccessible();
  await page.locator('.b-doc p').click({ offset: { x: 4, y: 10 } });
  await pressed('Home');
  await page.keyboard.down('Shift');
  for (const _ of 'Pay') await page.keyboard.press('ArrowRight');
  await page.keyboard.up('Shift');
  await pressed('Control+b');
  await pressed('Control+k');
  await page.waitForSelector('.chooser');
  await page.keyboard.type('example.org/?a=1&b=2');
  await page.keyboard.press('Enter');
  await dialogIsDone();
  expect(await saved()).toContain(
    '<p><a href="https://example.org/?a=1&amp;b=2"><strong>Pay</strong></a> here {{ total | format_currency("EUR") }}</p>',
  );
});

it('keeps what pasted text has: headings, lists, tables, bold and links', async () => {
  const { page } = studio;
  await begin('Blank page');
  await page.waitForSelector('.b-doc');
  await page.locator('.b-doc').click();
  await page.evaluate(`(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/html', '<p>First</p><h2>Terms</h2><ul><li>one <b>two</b></li></ul>' +
      '<table><tr><td>a <a href="https://example.org">b</a></td></tr></table><script>alert(1)</script>');
    document.querySelector('.b-doc')
      .dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  })()`);
  const code = await saved();
  expect(code).toContain('<h2>Terms</h2>');
  expect(code).toContain('<li>one <strong>two</strong></li>');
  expect(code).toContain('<td>a <a href="https://example.org">b</a></td>');
  expect(code).not.toContain('alert');
});

it('fits on a telephone', async () => {
  const { page } = studio;
  await begin('Invoice');
  await studio.press('Blocks');
  await page.waitForSelector('.b-doc');
  await page.setViewport({ width: 390, height: 844 });
  await studio.expectAccessible();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  await studio.picture('narrow-blocks');
  await page.setViewport({ width: 1440, height: 900 });
  await studio.press('Code');
});
