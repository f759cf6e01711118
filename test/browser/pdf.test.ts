import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { makeForm } from '../pdf/form-material.ts';
import { openStudio, type OpenStudio, pdfOf } from './studio.ts';

/** PDFs whose pages are worked on with the mouse, and with the keyboard alone. */

const service = inject('service');
const BREAK = '<p style="break-before: page">';
let studio: OpenStudio;
let one: string;
let two: string;

beforeAll(async () => {
  studio = await openStudio(service);
  one = path.join(studio.folder, 'one.pdf');
  two = path.join(studio.folder, 'two.pdf');
  await writeFile(one, await pdfOf(service, `<h1>Alpha</h1><p>secret words</p>${BREAK}Beta`));
  await writeFile(two, await pdfOf(service, '<h1>Gamma</h1>'));
});
afterAll(() => studio.close());

/** Has the tool in sight do its work. @returns the text of the file, as a program reads it out */
async function textOfResult(): Promise<string> {
  const file = await studio.work();
  execFileSync('qpdf', ['--check', file]);
  return execFileSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' });
}

it('merges files in the order that they are dragged into', async () => {
  const { go, tab, choose, shows } = studio;
  await go('pdf');
  await tab('Merge');
  await choose(one, two);
  await shows("document.querySelectorAll('.file-list li').length === 2");
  await studio.drag('.file-list li:nth-child(2)', '.file-list li:nth-child(1)');
  await shows("document.querySelector('.file-name').textContent === 'two.pdf'");
  await studio.expectAccessible();
  const text = await textOfResult();
  expect(text.indexOf('Gamma')).toBeGreaterThanOrEqual(0);
  expect(text.indexOf('Gamma')).toBeLessThan(text.indexOf('Alpha'));
  await studio.press('Remove two.pdf');
  await studio.press('Remove one.pdf');
});

it('orders the pages of two files with the keyboard, rotates one and removes one', async () => {
  const { page, go, tab, choose, shows } = studio;
  await go('pdf');
  await tab('Pages');
  await choose(one, two);
  await shows("document.querySelectorAll('.page-picture canvas').length === 3");
  await page.focus('.page-tile:nth-child(3) .page-picture');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await shows(
    "document.querySelector('.page-tile .page-picture').getAttribute('aria-label').startsWith('Page 3')",
  );
  await studio.press('Rotate page 3');
  await studio.press('Remove page 2');
  await studio.expectAccessible();
  await studio.picture('pdf-pages');
  const text = await textOfResult();
  expect(text.indexOf('Gamma')).toBeGreaterThanOrEqual(0);
  expect(text.indexOf('Gamma')).toBeLessThan(text.indexOf('Alpha'));
  expect(text).not.toContain('Beta');
});

it('moves a page by dragging it', async () => {
  await studio.drag('.page-tile:nth-child(2)', '.page-tile:nth-child(1)');
  await studio.shows(
    "document.querySelector('.page-tile .page-picture').getAttribute('aria-label').startsWith('Page 1')",
  );
});

it('redacts what is in a box drawn with the mouse, and a word', async () => {
  const { page, tab, choose, go } = studio;
  await go('jobs');
  await go('pdf');
  await tab('Redact');
  await choose(one);
  const layer = await page.waitForSelector('.area-layer');
  const box = await layer?.boundingBox();
  if (box == null) throw new Error('no page');
  // The heading, from corner to corner.
  await page.mouse.move(box.x + box.width * 0.05, box.y + box.height * 0.03);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.5, box.y + box.height * 0.12, { steps: 6 });
  await page.mouse.up();
  await page.waitForSelector('button.area');
  await page.type('.form-grid input', 'words');
  await studio.expectAccessible();
  await studio.picture('pdf-redact');
  const text = await textOfResult();
  expect(text).toContain('secret');
  expect(text).toContain('Beta');
  expect(text).not.toContain('Alpha');
  expect(text).not.toContain('words');
});

it('draws, moves, sizes and removes a box with the keyboard alone', async () => {
  const { page, press, shows } = studio;
  await press('Remove all boxes');
  await press('Add a box');
  await page.focus('button.area');
  const left = "parseFloat(document.querySelector('button.area').style.left)";
  const width = "parseFloat(document.querySelector('button.area').style.width)";
  const [x, w] = [Number(await page.evaluate(left)), Number(await page.evaluate(width))];
  await page.keyboard.press('ArrowRight');
  await shows(`${left} > ${x}`);
  await page.keyboard.down('Shift');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.up('Shift');
  await shows(`${width} > ${w}`);
  await page.keyboard.press('Delete');
  await shows("document.querySelector('button.area') === null");
});

it('fills a form, by its fields', async () => {
  const { page, folder, go, tab, choose } = studio;
  const file = makeForm(path.join(folder, 'form.pdf'));
  await go('jobs');
  await go('pdf');
  await tab('Forms');
  await choose(file);
  await page.locator('form button[type=submit]').click();
  await page.waitForSelector('.form-fill');
  const control = (name: string): string =>
    `::-p-xpath(//label[contains(., "${name}")]//*[self::input or self::select or self::textarea])`;
  await page.locator(control('name')).fill('Zoë Müller');
  await page.locator(control('notes')).fill('one\ntwo');
  await page.locator(control('country')).fill('FR');
  await page.locator(control('address.city')).fill('東京');
  await page.locator(control('agree')).click();
  await studio.expectAccessible();
  await studio.picture('pdf-form');
  // A signature field and a button are no text to be typed.
  expect(
    await page.$$eval('.form-fill .field-label', (labels) => labels.map((l) => l.textContent)),
  ).not.toContain('sig');
  await page.locator('.form-fill .actions button').click();
  const filled = await studio.download(() =>
    page.locator('.form-fill .actions .button:nth-child(2)').click(),
  );
  const text = execFileSync('pdftotext', ['-layout', filled, '-'], { encoding: 'utf8' });
  for (const word of ['Zoë Müller', 'two', 'France', '東京']) expect(text).toContain(word);
});
