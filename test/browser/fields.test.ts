import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { docx, p } from '../office/build.ts';
import { openStudio, type OpenStudio } from './studio.ts';

/** Fields of the template that is on the screen, before anything of it is saved. */

const service = inject('service');
let studio: OpenStudio;

beforeAll(async () => {
  studio = await openStudio(service);
  const body = new FormData();
  body.set('template_data', JSON.stringify({ name: 'n', format: 'html' }));
  body.set('file_data', new Blob(['<p>{{ terms.dayz }}</p>']));
  const headers = { authorization: service.token };
  const put = await fetch(`${service.url}/v1/partials/terms.html`, { method: 'PUT', headers, body });
  expect(put.status).toBe(200);
});
afterAll(() => studio.close());

const DATA = {
  number: 7,
  customer: { name: 'Ada' },
  items: [{ price: 4 }, { price: 5 }],
  terms: { days: 14 },
};
/** Words of the fields that are missing, or of the sentence that none is. */
const notes = (words: string): string =>
  `document.querySelector('.data-pane .scroll')?.textContent.includes(${JSON.stringify(words)}) === true`;
/** Marked names of the text in sight. */
const MARKED = `Array.from(
  document.querySelector('.parts-pane .code-editor').shadowRoot.querySelectorAll('.cm-lintRange-warning, .cm-lintRange-info'),
  ({ textContent }) => textContent).join()`;
const isSeen = (words: string): string =>
  `(document.querySelector('.pdf-layer:not(.behind) .pdf-text')?.textContent ?? '').includes(${JSON.stringify(words)})`;

it('speaks of the text on the screen: template, header, footer and partials', async () => {
  const { page, go, press, shows, tab, write } = studio;
  await go('templates');
  await press('New template');
  await page.waitForSelector('dialog .gallery button');
  await page.locator('::-p-xpath(//dialog//button[.//*[.="Blank page"]])').click();
  await page.waitForSelector('.editor');
  await press('Code');
  await write('Sample data', JSON.stringify(DATA));
  await write(
    'Template',
    '<p>{{ number }} {{ customer.name }} {% for item in items %}{{ item.price }}{% endfor %} {{ terms.days }}</p>',
  );
  await press('Form');
  await shows(notes('The data has every field'));
  await write(
    'Template',
    '<p>{{ nummer }} {{ customer.nmae }} {% for item in items %}{{ item.prize }}{% endfor %}{% include "terms.html" %}</p>',
  );
  await shows(notes('items[].prize'));
  for (const field of ['nummer', 'customer.nmae', 'terms.dayz'])
    expect(await page.evaluate(notes(field))).toBe(true);
  expect(await page.evaluate(notes('The data has every field'))).toBe(false);
  await shows(`${MARKED} === 'nummer,nmae,prize'`);
  await studio.expectAccessible();
  await tab('Header');
  await write('Header', '<p>{{ customer.naem }}</p>');
  await shows(notes('customer.naem'));
  await shows(`${MARKED} === 'naem'`);
});

it('replaces a misspelt name with the nearest known one', async () => {
  const { page, shows, tab } = studio;
  await page.locator('>>> .cm-lintRange-warning').hover();
  await page.waitForSelector('>>> .cm-diagnosticAction', { visible: true });
  await studio.expectAccessible();
  await page.locator('>>> .cm-lintRange-warning').hover();
  await page.locator('>>> .cm-diagnosticAction').click();
  await shows(isSeen('Ada'));
  await shows(`${MARKED} === ''`);
  await tab('Template');
  await shows(`${MARKED} === 'nummer,nmae,prize'`);
  await studio.picture('editor-unknown-names');
  // With the keyboard: the next one, and its fix.
  await page.locator('>>> [aria-label="Template"].cm-content').click();
  for (const key of ['Home', '.'] as const) {
    if (key === '.') await page.keyboard.press('F8');
    await page.keyboard.down('Control');
    await page.keyboard.press(key);
    await page.keyboard.up('Control');
  }
  await shows(`${MARKED} === 'nmae,prize'`);
  await shows(isSeen('7'));
});

it('lists unknown names in the report', async () => {
  const { page, press, shows } = studio;
  await press('Report');
  await shows("document.querySelector('.findings')?.textContent.includes('did you mean name?') === true");
  expect(await page.$eval('.findings', (list) => list.textContent)).toMatch(
    /customer\.nmae: did you mean name\? \(template, line 1\)/,
  );
  await press('Close the report');
});

it('speaks of an office file that is dropped and not saved, with the paths in its lists', async () => {
  const { page, go, press, choose, folder, shows, write } = studio;
  const file = path.join(folder, 'Order.docx');
  const rows = (name: string) =>
    docx(
      p('To {{ customer.name }}') +
        p('{%p for item in items %}') +
        p(`{{ item.${name} }}`) +
        p('{%p endfor %}'),
    );
  await writeFile(file, await rows('price'));
  page.once('dialog', (dialog) => void dialog.accept());
  await go('templates');
  await press('New template');
  await choose(file);
  await page.waitForSelector('.office-pane');
  await press('JSON');
  await write('Sample data', JSON.stringify({ ...DATA, number: undefined, terms: undefined }));
  await shows("document.querySelector('.office-pane').textContent.includes('The data has every field')");
  await writeFile(file, await rows('prize'));
  await choose(file);
  await shows(
    "document.querySelector('.office-pane').textContent.includes('items[].prize (did you mean price?)')",
  );
  await studio.expectAccessible();
});
