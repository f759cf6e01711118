import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { utils, write as writeBook } from '@e965/xlsx';
import { PDFDocument } from 'pdf-lib';
import { afterAll, afterEach, beforeAll, expect, inject, it } from 'vitest';
import { openStudio, type OpenStudio, pdfOf } from './studio.ts';

/** Text of strangers on each screen: names, data, files and what is said of their faults are text, and nothing else. */

const service = inject('service');
/** Without a slash, which no name of a file has. */
const ATTACK = '<img src=x onerror=window.attacked=1>';
let studio: OpenStudio;
const violations: string[] = [];

beforeAll(async () => {
  studio = await openStudio(service);
  // What is left unsaved is left.
  studio.page.on('dialog', (dialog) => void dialog.accept());
  studio.page.on('pageerror', (error) => violations.push(String(error)));
  studio.page.on('console', (message) => {
    // Chromium itself styles what it puts into an editor in the place of text with colours.
    if (/security policy/i.test(message.text()) && !message.text().startsWith('Applying inline style'))
      violations.push(message.text());
  });
  studio.page.on('request', (request) => {
    const address = request.url();
    if (!address.startsWith(new URL(service.url).origin) && !/^(?:blob|data|about):/.test(address))
      violations.push(`loads ${address}`);
  });
});
afterAll(async () => await studio.close());
afterEach(async () => {
  expect(await studio.page.evaluate('window.attacked')).toBeUndefined();
  expect(await studio.page.$$('img[src="x"], img[onerror]')).toHaveLength(0);
  expect(violations).toEqual([]);
});

/** Waits until the attack is to be read somewhere within an element, as it was written. */
const isText = (selector: string): Promise<void> =>
  studio.shows(
    `Array.from(document.querySelectorAll(${JSON.stringify(selector)}), ({ textContent }) => textContent)
      .some((text) => text.includes(${JSON.stringify(ATTACK)}))`,
  );

async function api(method: string, address: string, fields: Record<string, string | File>): Promise<void> {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  const headers = { authorization: service.token };
  const answer = await fetch(`${service.url}/v1/${address}`, { method, headers, body });
  expect(answer.status, await answer.clone().text()).toBeLessThan(300);
}

it('are shown as text in tags, files, versions and the report of a template', async () => {
  const { page, go, tab, press, choose, folder } = studio;
  const file = path.join(folder, `${ATTACK}.html`);
  await writeFile(file, `<p style="font-family: '${ATTACK}'; width: 70cm">x</p>`);
  await go('templates');
  await press('New template');
  await choose(file);
  await page.waitForSelector('.editor-head .badge');
  const address = page.url();
  const id = decodeURIComponent(address.split('/').at(-1) ?? '');
  await api('PUT', `template/${id}`, {
    template_data: JSON.stringify({ note: ATTACK, description: ATTACK, tags: [ATTACK] }),
  });
  await api('POST', `template/css/${id}`, {
    template_data: JSON.stringify({ format: 'css', filename: `${ATTACK}.css` }),
    file_data: new File(['p {}'], `${ATTACK}.css`),
  });
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" onload="window.attacked=1" width="9" height="9"><script>window.attacked=1</script></svg>';
  await api('POST', `template/img/${id}`, {
    template_data: JSON.stringify({ format: 'svg', filename: `${ATTACK}.svg`, uri: 'picture' }),
    file_data: new File([svg], `${ATTACK}.svg`),
  });
  await go('jobs');
  await page.goto(address);
  await page.waitForSelector('.editor-head .badge');
  await tab('Styles');
  await isText('.styles-pane .segment');
  await tab('Images');
  await page.waitForSelector('.image-list img');
  await tab('Versions');
  await isText('.version-note');
  await press('Report');
  await isText('.report');
  await go('templates');
  await isText('.tag');
  await isText('.template-card');
});

it('are shown as text in schemas and in errors of data that do not fit them', async () => {
  const { page, go, press, write, shows } = studio;
  await go('templates');
  await press('New template');
  await page.waitForSelector('dialog .gallery button');
  await page.locator('::-p-xpath(//dialog//button[.//*[.="Blank page"]])').click();
  await page.waitForSelector('.editor');
  await press('Code');
  await press('Schema');
  await write(
    'Schema of the data',
    JSON.stringify({ properties: { [ATTACK]: { enum: [ATTACK], type: 'string' } }, required: [ATTACK] }),
  );
  await isText('.faults');
  await press('JSON');
  await write('Sample data', JSON.stringify({ [ATTACK]: `${ATTACK}!` }));
  await isText('.faults');
  await write('Template', `{% include "${ATTACK}" %}`);
  await isText('.faults');
  await write('Template', '<p>good</p>');
  await press('Schema');
  await write('Schema of the data', '{}');
  await shows("document.querySelector('.faults') === null");
});

it('are text in the library: partials, fonts, translations, keys', async () => {
  const { page, go, tab, press, choose, folder, write } = studio;
  await go('library');
  await press('New partial');
  await page.type('.shelf-new', ATTACK);
  await write('Name of the partial', `{{ x | ${ATTACK} }}`);
  await press('Save');
  await page.waitForSelector('.fault-box, .faults');
  await tab('Fonts');
  const font = path.join(folder, `${ATTACK}.ttf`);
  await writeFile(font, 'no font');
  await choose(font);
  await page.waitForSelector('.fault-box');
  await tab('Translations');
  await press('New locale');
  await page.type('.shelf-new', ATTACK);
  await press('Save');
  await page.waitForSelector('.fault-box, .faults');
  await tab('Keys');
  await page.type('.panel input', 'attack');
  const key = path.join(folder, `${ATTACK}.p12`);
  await writeFile(key, 'no key');
  await choose(key);
  await isText('.drop-label');
  await page.type('input[type=password]', ATTACK);
  await press('Save');
  await page.waitForSelector('.fault-box');
});

it('are text in batches, from CSV and spreadsheets, and among the jobs', async () => {
  const { page, go, press, choose, folder } = studio;
  await go('templates');
  const name = path.join(folder, 'Row.html');
  await writeFile(name, `<p>{{ 12 / (number | int) }}{{ text }}</p>`);
  await press('New template');
  await choose(name);
  await page.waitForSelector('.editor');
  const id = decodeURIComponent(page.url().split('/').at(-1) ?? '');
  await go(`batches/${id}`);
  const csv = path.join(folder, `${ATTACK}.csv`);
  await writeFile(csv, `number,text,${ATTACK}\n4,${ATTACK},${ATTACK}\n0,${ATTACK},x\n`);
  await choose(csv);
  await isText('.drop-label');
  await isText('.table th');
  await isText('.table td');
  await press('Run the batch');
  await page.waitForSelector('.again-rows');
  const book = utils.book_new(
    utils.aoa_to_sheet([
      ['number', ATTACK],
      [4, ATTACK],
    ]),
    'Sheet',
  );
  const sheet = path.join(folder, `${ATTACK}.xlsx`);
  await writeFile(sheet, writeBook(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer);
  await choose(sheet);
  await isText('.table td');
  await go('jobs');
  await page.waitForSelector('.job');
  await go('usage');
  await page.waitForSelector('.figures');
});

it('are shown as text for PDFs: names of files, metadata, bookmarks, and errors of files that are not PDFs', async () => {
  const { page, go, tab, choose, folder } = studio;
  const document = await PDFDocument.load(await pdfOf(service, '<h1>x</h1>'));
  document.setTitle(ATTACK);
  document.setAuthor(ATTACK);
  await document.attach(new Uint8Array(9), `${ATTACK}.bin`);
  document.getForm().createTextField(ATTACK).addToPage(document.getPage(0));
  const file = path.join(folder, `${ATTACK}.pdf`);
  await writeFile(file, await document.save());
  await go('pdf');
  await tab('Info');
  await choose(file);
  await isText('.file-name');
  await page.locator('form button[type=submit]').click();
  await isText('.said');
  await tab('Forms');
  await page.locator('form button[type=submit]').click();
  await isText('.form-fill');
  await tab('Pages');
  await page.waitForSelector('.page-picture canvas');
  await tab('Redact');
  await page.waitForSelector('.area-layer');
  const broken = path.join(folder, `broken ${ATTACK}.pdf`);
  await writeFile(broken, 'no PDF');
  await choose(broken);
  await page.waitForSelector('.fault-box');
});

it('are shown as text in addresses, and an unknown id opens nothing', async () => {
  const { page, go, shows } = studio;
  for (const screen of ['templates', 'batches']) {
    await page.goto(`${service.url}/studio/#/${screen}/${encodeURIComponent(ATTACK)}`);
    await shows("document.querySelector('[role=alert], .drop') !== null");
  }
  await go(encodeURIComponent(ATTACK));
  await page.waitForSelector('h1');
});
