import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { odp, ods, odt, xlsx } from '../convert/documents.ts';
import { docx, p } from '../office/build.ts';
import { pptx } from '../office/pptx.ts';
import { openStudio, type OpenStudio } from './studio.ts';

/** Templates that begin with a file, in any of the seven formats. */

let studio: OpenStudio;
beforeAll(async () => {
  studio = await openStudio(inject('service'));
});
afterAll(async () => await studio.close());

const HELLO = 'Hello {{ name }} of the Studio';

it.each<[string, () => string | Promise<Buffer>]>([
  ['html', () => `<h1>${HELLO}</h1>`],
  ['docx', () => docx(p(HELLO))],
  ['xlsx', () => xlsx(`<c r="A1" t="inlineStr"><is><t>${HELLO}</t></is></c>`)],
  ['pptx', () => pptx([{ shapes: [HELLO] }])],
  ['odt', () => odt(HELLO)],
  [
    'ods',
    () => ods(`<table:table-cell office:value-type="string"><text:p>${HELLO}</text:p></table:table-cell>`),
  ],
  ['odp', () => odp(HELLO)],
])('begins with a file of the format %s, and shows its page with made-up data', async (format, make) => {
  const { page, go, press, choose, shows } = studio;
  const file = path.join(studio.folder, `hello.${format}`);
  await writeFile(file, await make());
  await go('templates');
  await press('New template');
  await page.waitForSelector('dialog .gallery canvas');
  if (format === 'html') {
    await shows("document.querySelectorAll('dialog .gallery canvas').length >= 8");
    await studio.expectAccessible();
    await studio.picture('gallery');
  }
  await choose(file);
  await page.waitForSelector('.editor-head');
  expect(await page.$eval('.editor-head .badge', (badge) => badge.textContent)).toBe(format);
  await shows(
    "/Hello\\s+Ada Lovelace of the Studio/.test(document.querySelector('.pdf-layer:not(.behind) .pdf-text')?.textContent ?? '')",
  );
});
